"""The right side of the screen: what one item is about, as text that rich can draw."""

import difflib
from collections.abc import Iterator
from dataclasses import dataclass, field

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cortex.commands.context import Context
from cortex.commands.evidence import Evidence, evidence_of
from cortex.judgement.trajectory import Point
from cortex.model.artifacts import Candidate
from cortex.presenting import verdict_text
from cortex_tui.snapshot import Item

STYLES = {
    "keep": "green", "retain": "green", "bury": "red", "prune": "magenta", "unused": "dim",
    "undecided": "yellow", "proposed": "cyan", "stale": "yellow", "running": "cyan",
    "queued": "dim", "condemned": "red", "cleared": "green",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Details:
    """Everything about one item."""

    key: str
    summary: RenderableType
    change: RenderableType
    evidence: RenderableType
    path: tuple[Point, ...] = ()
    needed: float = 20.0
    name: str = field(default="")


def details_of(context: Context, item: Item) -> Details:
    """Read what is known about one item."""
    candidate = _candidate(context, item)
    found = evidence_of(context, candidate) if candidate else None
    return Details(
        key=item.key,
        summary=_summary(item, found),
        change=_change(item),
        evidence=Group(*_evidence(found)) if found else Text("Not measured yet.", "dim"),
        path=found.trajectory if found else (),
        needed=found.needed if found else 20.0,
        name=item.name,
    )


def _candidate(context: Context, item: Item) -> Candidate | None:
    if item.entry is not None:
        return item.entry.candidate
    candidate_id = item.job.candidate_id if item.job else None
    if item.status is not None and item.status.known is not None:
        candidate_id = item.status.known.candidate_id
    return context.store.candidates.get(candidate_id) if candidate_id else None


def _summary(item: Item, found: Evidence | None) -> RenderableType:
    head = Text(item.name, style="bold")
    head.append(f"  {item.note}", style=STYLES.get(item.note, ""))
    lines = [head]
    if item.status is not None:
        lines += _of_status(item)
    elif item.entry is not None:
        lines.append(Text(item.entry.candidate.artifact.path, "dim"))
        if item.entry.verdict is None:
            lines.append(Text("Nothing is known about it yet: t measures it."))
    if found is not None and found.verdict is not None:
        lines.append(Text(found.verdict.reason))
    elif found is not None and found.judgement is not None:
        lines.append(Text(found.judgement.reason))
    return Group(*lines)


def _of_status(item: Item) -> list[Text]:
    assert item.status is not None
    status = item.status
    artifact = status.artifact
    scope = ", ".join(artifact.paths) if artifact.paths else "every turn"
    if artifact.kind == "skill":
        scope = "when the agent opens it"
    lines = [Text(f"{artifact.path}  ~{status.tokens} tokens, {scope}", "dim")]
    if status.stale:
        lines.append(Text(f"The verdict is stale: {status.stale}.", "yellow"))
    if status.known is None:
        lines.append(Text("Nobody has measured it: t does."))
    return lines


def _change(item: Item) -> RenderableType:
    if item.entry is None:
        return Text(item.status.artifact.text if item.status else "")
    before, after = (item.entry.before or "", item.entry.after or "")
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=3)
    drawn = Text()
    for line in list(lines)[2:]:
        style = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1], "")
        drawn.append(line + "\n", style=style)
    return drawn


def _evidence(found: Evidence) -> Iterator[RenderableType]:
    verdict = found.verdict
    tasks = found.judgement.tasks if found.judgement else verdict.tasks if verdict else ()
    rows = verdict_text.task_rows(tasks)
    if rows:
        yield _table(rows)
        yield Text()
    if verdict is not None:
        for line in verdict_text.numbers(verdict, found.needed):
            yield Text(line)
    yield Text()
    for line in verdict_text.outlook_lines(found):
        yield Text(line)


def _table(rows: list[tuple[str, ...]]) -> Table:
    """Return the tasks without columns that say nothing, so that it fits a narrow screen."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    columns = list(zip(verdict_text.COLUMNS, zip(*rows, strict=True), strict=True))
    told = [(name, cells) for name, cells in columns if set(cells) - {"", "other"}]
    for name, _ in told:
        right = name.startswith(">")
        table.add_column(name.lstrip(">"), justify="right" if right else "left", no_wrap=True)
    for row in zip(*(cells for _, cells in told), strict=True):
        table.add_row(*(Text(one.removeprefix("task-"), STYLES.get(one, "")) for one in row))
    return table
