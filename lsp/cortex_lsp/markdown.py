"""Verdicts in a few words for a code lens, and in Markdown for a hover."""

from collections.abc import Iterator, Sequence

from cortex.commands.artifact_status import ArtifactStatus
from cortex.commands.evidence import Evidence
from cortex.model.artifacts import Artifact, ArtifactKind
from cortex.model.verdicts import Ruling, TaskEvidence
from cortex.presenting import verdict_text


def title(status: ArtifactStatus) -> str:
    """Return the line above a text."""
    known = status.known
    if known is None:
        return f"Cortex: never measured · {cost(status)}"
    if status.stale:
        return f"Cortex: {known.ruling}, but {status.stale}"
    if known.ruling is Ruling.UNUSED:
        return "Cortex: unused · no trial loaded it"
    name = "prunable" if known.ruling is Ruling.PRUNE else str(known.ruling)
    return f"Cortex: {name} · {known.lift:+.2f} over {known.pairs} pairs"


def cost(status: ArtifactStatus) -> str:
    """Return what a text costs and when it loads."""
    return f"~{status.tokens} tokens {scope(status.artifact)}"


def scope(artifact: Artifact) -> str:
    """Return when a text loads."""
    if artifact.kind is ArtifactKind.SKILL:
        return "when the agent opens it"
    return "with matching files" if artifact.paths else "every turn"


def hover(status: ArtifactStatus) -> str:
    """Return what is known about a text, as Markdown."""
    known = status.known
    lines = [f"**{status.artifact.name}** — {cost(status)}"]
    if known is None:
        return "\n\n".join([*lines, "Nobody has measured it yet."])
    if status.stale:
        lines.append(f"The verdict is stale: {status.stale}.")
    lines.append(f"**{known.ruling}** — {known.reason}")
    if known.verdict is not None:
        lines.append(table(known.verdict.tasks))
        lines += verdict_text.numbers(known.verdict, known.verdict.needed)
    lines.append(f"*{known.at[:10]}{', ' + known.model if known.model else ''}*")
    return "\n\n".join(line for line in lines if line)


def evidence(found: Evidence | None) -> str:
    """Return what is known about a candidate, as Markdown."""
    if found is None or found.verdict is None:
        return "Not measured yet."
    parts = [found.verdict.reason, table(found.verdict.tasks)]
    parts += verdict_text.numbers(found.verdict, found.needed)
    parts += verdict_text.outlook_lines(found)
    return "\n\n".join(part for part in parts if part)


def table(tasks: Sequence[TaskEvidence]) -> str:
    """Return the tasks as a Markdown table; empty when none ran."""
    rows = verdict_text.task_rows(tasks)
    return "\n".join(_table(rows)) if rows else ""


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield "| " + " | ".join(name.lstrip(">") for name in verdict_text.COLUMNS) + " |"
    yield (
        "|"
        + "|".join("--:" if name.startswith(">") else "---" for name in verdict_text.COLUMNS)
        + "|"
    )
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"
