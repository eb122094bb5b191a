"""Verdicts as Markdown for hovers and details; text of others is escaped."""

import re
from collections.abc import Iterator, Mapping, Sequence

from cortex.commands.artifact_status import ArtifactStatus
from cortex.commands.evidence import Evidence
from cortex.model.verdicts import TaskEvidence
from cortex.presenting import verdict_text
from cortex.presenting.formats import date
from cortex.presenting.plain import plain
from cortex.presenting.titles import NOT_MEASURED_YET, cost, status_title

_SPECIAL = re.compile(
    r"[\\`*_{}\[\]()#+!<>|~&$@]|:(?=\S)|(?<=www)\.|^\s*-|^\s*\d+(?=\.)", re.IGNORECASE
)
"""Markdown and HTML; `:`, `@` and `www.` make a link of an address, `-` and `1.` begin a list."""


def escape(text: str) -> str:
    """Return text so that no part of it becomes a link, an image, HTML, a heading or a list."""
    return _SPECIAL.sub(_escaped, plain(" ".join(text.split())))


def _escaped(match: re.Match[str]) -> str:
    return f"{match[0]}\\" if match[0].strip().isdigit() else f"\\{match[0]}"


def hover(status: ArtifactStatus) -> str:
    """Return the status of an artifact as Markdown."""
    known = status.known
    paragraphs = [f"**{escape(status.artifact.name)}** — {escape(cost(status))}"]
    if known is None:
        return "\n\n".join([*paragraphs, NOT_MEASURED_YET])
    paragraphs.append(f"**{escape(status_title(status))}**")
    paragraphs.append(escape(known.reason))
    if known.verdict is not None:
        paragraphs.append(table(known.verdict.tasks, {}))
        paragraphs += map(escape, verdict_text.numbers(known.verdict, known.verdict.needed))
    model = f", {escape(known.model)}" if known.model else ""
    paragraphs.append(f"*{escape(date(known.at))}{model}*")
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph)


def evidence(shown: Evidence | None) -> str:
    """Return the evidence about a candidate as Markdown."""
    if shown is None or shown.verdict is None:
        return NOT_MEASURED_YET
    paragraphs = [escape(shown.verdict.reason), table(shown.verdict.tasks, shown.prompts)]
    paragraphs += map(escape, verdict_text.numbers(shown.verdict, shown.needed))
    paragraphs += map(escape, verdict_text.against(shown))
    paragraphs += map(escape, verdict_text.outlook_lines(shown))
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph)


def table(tasks: Sequence[TaskEvidence], prompts: Mapping[str, str]) -> str:
    """Return the tasks as a Markdown table; empty when none ran."""
    columns, rows = verdict_text.task_table(tasks, prompts)
    return "\n".join(_table(columns, rows)) if rows else ""


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield "| " + " | ".join(name.lstrip(">") for name in columns) + " |"
    yield "|" + "|".join("--:" if name.startswith(">") else "---" for name in columns) + "|"
    for row in rows:
        yield "| " + " | ".join(map(escape, row)) + " |"
