"""One verdict on the terminal: two sentences, one table, what would change it, what more costs."""

from rich.padding import Padding

from cortex.cli import output
from cortex.commands.evidence import Evidence
from cortex.model.verdicts import Verdict
from cortex.presenting import verdict_text


def show_evidence(found: Evidence) -> None:
    """Print everything about one candidate."""
    screen = output.console()
    verdict, candidate = found.verdict, found.candidate
    head = output.styled(verdict.ruling if verdict else "running")
    named = f"{candidate.change} {candidate.artifact.name}" if candidate else "(unknown text)"
    head.append(f"  {named}", style="bold")
    screen.print(head)
    if verdict is not None:
        show_verdict(verdict, found.needed)
    for line in (*verdict_text.against(found), *verdict_text.outlook_lines(found)):
        screen.print(f"  {line}", markup=False, soft_wrap=True)


def show_verdict(verdict: Verdict, needed: float) -> None:
    """Print the reason, the table of tasks and the numbers."""
    screen = output.console()
    screen.print(f"  {verdict.reason}", markup=False, soft_wrap=True)
    rows = verdict_text.task_rows(verdict.tasks)
    if rows:
        screen.print(Padding(output.table(None, verdict_text.COLUMNS, rows), (1, 0, 1, 2)))
    for line in verdict_text.numbers(verdict, needed):
        screen.print(f"  {line}", markup=False, soft_wrap=True)
