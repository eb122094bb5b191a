"""`cortex status` and `cortex verify`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cortex.cli import output
from cortex.cli.common import json_option, repository_option
from cortex.model.artifacts import CandidateStatus

if TYPE_CHECKING:
    from cortex.commands.online_fdr import Lifetime


@click.command()
@repository_option
@json_option
def status(where: Path, as_json: bool) -> None:
    """Show sessions, corrections, tasks, candidates and verdicts of this repository."""
    from cortex.commands.context import open_context
    from cortex.commands.status import counts_by_ruling
    from cortex.commands.status import status as run

    with open_context(where, read_only=True) as context:
        found = run(context)
    if as_json:
        output.print_json(found)
        return
    tasks = ", ".join(f"{count} {state}" for state, count in found.tasks.items()) or "none"
    rulings = counts_by_ruling(found.verdicts)
    said = ", ".join(f"{count} {ruling}" for ruling, count in rulings.items()) or "none"
    for name, value in (
        ("repository", found.repository or "(none: everything is counted)"),
        ("sessions", found.sessions),
        ("corrections", found.corrections),
        ("tasks", tasks),
        ("harness", f"{len(found.harness)} pieces of text, {found.buried} in the graveyard"),
        ("verdicts", said),
        ("keeps", _keeps(found.lifetime)),
        ("spent", f"{found.spent_usd:.2f} USD"),
    ):
        output.say(f"{name:<12} {value}")
    waiting = [
        one
        for one in found.candidates
        if one.status in (CandidateStatus.PROPOSED, CandidateStatus.UNDECIDED)
    ]
    for one in waiting:
        output.say(f"{'waiting':<12} {one.id}  {one.change} {one.artifact.name} ({one.status})")
    output.say(f"{'next':<12} {_next(bool(found.sessions), bool(found.tasks), bool(waiting))}")


def _keeps(lifetime: "Lifetime | None") -> str:
    if lifetime is None:
        return "(counted within a repository)"
    return (
        f"{lifetime.kept} of {lifetime.tested} candidates, at most {lifetime.bound:.0%} of them "
        f"false on average; the next needs E⁺ {lifetime.next_e_value:g}"
    )


def _next(sessions: bool, tasks: bool, waiting: bool) -> str:
    if not sessions:
        return "`cortex ingest` reads your sessions; it costs nothing"
    if waiting:
        return "`cortex gate ID --budget USD` measures what is waiting"
    return "`cortex evolve --budget USD`" if tasks else "work on: a correction becomes a task"


@click.command()
@repository_option
@json_option
def verify(where: Path, as_json: bool) -> int:
    """Recompute every digest and every verdict from stored rows; exit code 1 on a difference."""
    from cortex.commands.context import open_context
    from cortex.commands.status import problems

    with open_context(where, read_only=True) as context:
        found = problems(context)
    if as_json:
        output.print_json({"problems": found})
    else:
        for problem in found:
            output.say(problem)
        output.say(f"{len(found)} problems." if found else "Everything follows from its rows.")
    return 1 if found else 0
