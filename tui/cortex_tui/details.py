"""The right side of the screen: everything about an item, as text that Rich can draw."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cortex.commands.context import Context
from cortex.commands.evidence import Evidence, evidence_of
from cortex.errors import UsageError
from cortex.model.artifacts import Candidate
from cortex.presenting import verdict_text
from cortex.presenting.chart import Chart, chart
from cortex.presenting.diff import diff_style, entry_diff
from cortex.presenting.plain import plain
from cortex.presenting.styles import style
from cortex.presenting.titles import NOT_MEASURED_YET, cost, entry_detail, status_title
from cortex_tui.snapshot import Item

PRESS_T = f"{NOT_MEASURED_YET.removesuffix('.')}; press t to queue it."


@dataclass(frozen=True, slots=True)
class Details:
    """Everything about an item."""

    key: str
    summary: RenderableType
    change: RenderableType
    evidence: RenderableType
    chart: Chart | None
    """None while there is no trial to draw."""


def details_of(context: Context, item: Item) -> Details:
    """Read the candidate and the evidence of an item."""
    candidate = _candidate(context, item)
    evidence = evidence_of(context, candidate) if candidate else None
    measured = Group(*_evidence(evidence)) if evidence else Text(NOT_MEASURED_YET, "dim")
    return Details(
        key=item.key,
        summary=_summary(item, evidence),
        change=_change(item),
        evidence=measured,
        chart=_chart(evidence),
    )


def _candidate(context: Context, item: Item) -> Candidate | None:
    if item.entry is not None:
        return item.entry.candidate
    candidate_id = item.job.candidate_id if item.job else None
    if item.status is not None and item.status.known is not None:
        candidate_id = item.status.known.candidate_id
    return context.store.candidates.get(candidate_id) if candidate_id else None


def _chart(evidence: Evidence | None) -> Chart | None:
    try:
        return chart(evidence) if evidence else None
    except UsageError:
        return None


def _summary(item: Item, evidence: Evidence | None) -> RenderableType:
    head = Text(plain(item.name), style="bold")
    head.append(f"  {item.state}", style=style(item.state))
    lines = [head]
    if item.status is not None:
        lines += _status_lines(item)
    elif item.entry is not None:
        lines.append(Text(plain(item.entry.candidate.artifact.path), "dim"))
        lines.append(Text(entry_detail(item.entry)))
        if item.entry.verdict is None:
            lines.append(Text(PRESS_T))
    if evidence is not None and evidence.verdict is not None:
        lines.append(Text(plain(evidence.verdict.reason)))
    elif evidence is not None and evidence.judgement is not None:
        lines.append(Text(plain(evidence.judgement.reason)))
    return Group(*lines)


def _status_lines(item: Item) -> list[Text]:
    assert item.status is not None
    status = item.status
    lines = [
        Text(plain(f"{status.artifact.path}  {cost(status)}"), "dim"),
        Text(plain(status_title(status)), style(item.state)),
    ]
    if status.known is None:
        lines.append(Text(PRESS_T))
    return lines


def _change(item: Item) -> RenderableType:
    if item.entry is None:
        return Text(plain(item.status.artifact.text) if item.status else "")
    drawn = Text()
    for line in list(entry_diff(item.entry))[2:]:
        drawn.append(line + "\n", style=diff_style(line))
    return drawn


def _evidence(evidence: Evidence) -> Iterator[RenderableType]:
    verdict = evidence.verdict
    judgement = evidence.judgement
    tasks = judgement.tasks if judgement else verdict.tasks if verdict else ()
    columns, rows = verdict_text.task_table(tasks, evidence.prompts)
    if rows:
        yield _table(columns, rows)
        yield Text()
    if verdict is not None:
        for line in verdict_text.numbers(verdict, evidence.needed):
            yield Text(plain(line))
    for line in (*verdict_text.against(evidence), *verdict_text.outlook_lines(evidence)):
        yield Text(plain(line))


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold", expand=True)
    for name in columns[:-1]:
        right = name.startswith(">")
        table.add_column(name.lstrip(">"), justify="right" if right else "left", no_wrap=True)
    # The last one, the prompt, takes what the numbers leave.
    table.add_column(columns[-1].lstrip(">"), ratio=1, min_width=12, no_wrap=True)
    for row in rows:
        cells = (Text(plain(cell).removeprefix("task-"), style(cell)) for cell in row)
        table.add_row(*cells)
    return table
