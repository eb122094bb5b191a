"""A verdict in the terminal: reason, tasks, numbers, what would change it, what more costs."""

from collections.abc import Mapping

from rich.padding import Padding

from cortex.cli import output
from cortex.commands.evidence import Evidence
from cortex.model.artifacts import Candidate
from cortex.model.verdicts import Verdict
from cortex.presenting import verdict_text
from cortex.presenting.titles import change_title


def show_evidence(evidence: Evidence) -> None:
    """Print everything about a candidate."""
    verdict = evidence.verdict
    show_head(verdict.ruling if verdict else "running", evidence.candidate)
    if verdict is not None:
        show_verdict(verdict, evidence.needed, evidence.prompts)
    for line in (*verdict_text.against(evidence), *verdict_text.outlook_lines(evidence)):
        output.say(f"  {line}")


def show_head(ruling: object, candidate: Candidate | None) -> None:
    """Print a ruling and what it is about."""
    head = output.styled(ruling)
    head.append("  ")
    head.append(output.plain(change_title(candidate)), style="bold")
    output.console().print(head, soft_wrap=True)


def show_verdict(verdict: Verdict, needed: float, prompts: Mapping[str, str]) -> None:
    """Print the reason, the table of tasks and the numbers."""
    output.say(f"  {verdict.reason}")
    columns, rows = verdict_text.task_table(verdict.tasks, prompts)
    if rows:
        table = output.table(None, columns, rows)
        output.console().print(Padding(table, (1, 0, 1, 2)))
    for line in verdict_text.numbers(verdict, needed):
        output.say(f"  {line}")
