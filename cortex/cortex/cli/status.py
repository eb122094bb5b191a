"""`cortex status` and `cortex verify`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cortex.cli import output
from cortex.cli.common import json_option, repository_option

if TYPE_CHECKING:
    from cortex.commands.online_fdr import Lifetime


@click.command()
@repository_option
@json_option
def status(where: Path, as_json: bool) -> None:
    """Show sessions, corrections, tasks, candidates and verdicts of this repository."""
    from cortex.commands import status as commands
    from cortex.commands.context import open_context
    from cortex.presenting.formats import usd

    with open_context(where, read_only=True) as context:
        if as_json:
            output.print_json(commands.status(context))
            return
        summary = commands.summary(context)
    for name, value in (
        ("repository", summary.repository or "(none: counts are of all repositories)"),
        ("sessions", summary.sessions),
        ("corrections", summary.corrections),
        ("tasks", _counts(summary.tasks)),
        ("harness", f"{summary.artifacts} pieces of text, {summary.buried} in the graveyard"),
        ("verdicts", _counts(summary.rulings)),
        ("keeps", _keeps(summary.lifetime)),
        ("spent", f"{usd(summary.spent_usd)}"),
    ):
        output.say(f"{name:<12} {value}")
    for candidate in summary.waiting:
        change = f"{candidate.change} {output.one_line(candidate.artifact.name)}"
        output.say(f"{'inbox':<12} {candidate.id}  {change} ({candidate.status})")
    following = _next(bool(summary.sessions), bool(summary.tasks), bool(summary.waiting))
    output.say(f"{'next':<12} {following}")


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items()) or "none"


def _keeps(lifetime: "Lifetime | None") -> str:
    if lifetime is None:
        return "(counted within a repository)"
    return (
        f"{lifetime.kept} of {lifetime.tested} candidates, at most {lifetime.bound:.0%} of them "
        f"false on average; the next needs E⁺ {lifetime.next_e_value:g}"
    )


def _next(sessions: bool, tasks: bool, waiting: bool) -> str:
    if not sessions:
        return "run `cortex ingest` to read your sessions (free)"
    if waiting:
        return "run `cortex gate ID --budget USD` on an inbox entry"
    return "run `cortex evolve --budget USD`" if tasks else "keep working; corrections become tasks"


@click.command()
@repository_option
@json_option
def verify(where: Path, as_json: bool) -> int:
    """Recompute every digest and every verdict from stored rows; exit code 1 on a difference."""
    from cortex.commands.context import open_context
    from cortex.commands.status import problems, purged_tasks
    from cortex.presenting.formats import count

    with open_context(where, read_only=True) as context:
        differences = problems(context)
        purged = purged_tasks(context)
    if as_json:
        output.print_json({"problems": differences, "purged_tasks": purged})
    else:
        for problem in differences:
            output.say(problem)
        output.say(
            f"{count(len(differences), 'problem')}."
            if differences
            else "OK: all verdicts re-derived from stored trials."
        )
        if purged:
            output.say(
                f"{count(purged, 'task')} purged: the digests of these cannot be computed again."
            )
    return 1 if differences else 0
