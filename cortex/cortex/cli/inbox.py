"""`cortex inbox` and `cortex bury`: what waits, and putting it aside."""

import difflib
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cortex.cli import output
from cortex.cli.common import json_option, repository_option

if TYPE_CHECKING:
    from cortex.commands.inbox import Entry


@click.command()
@click.option("--diff", "with_diff", is_flag=True, help="Show what each change would do.")
@repository_option
@json_option
def inbox(with_diff: bool, where: Path, as_json: bool) -> None:
    """List proposals to measure and verdicts to carry out."""
    from cortex.commands.context import open_context
    from cortex.commands.inbox import inbox as run

    with open_context(where, read_only=True) as context:
        entries = run(context, verdicts=as_json)
    if as_json:
        output.print_json({"inbox": entries})
        return
    for entry in entries:
        output.say(f"{entry.id}  {entry.title}  ({_next(entry)})")
        if with_diff:
            output.say(_diff(entry))
    if not entries:
        output.say("Nothing waits. `cortex evolve --budget USD` looks for something to learn.")


def _next(entry: "Entry") -> str:
    if entry.ruling is None:
        return f"`cortex gate {entry.id} --budget USD` measures it"
    return f"`cortex accept {entry.id}`, or `cortex bury {entry.id}`"


def _diff(entry: "Entry") -> str:
    path = entry.candidate.artifact.path
    lines = difflib.unified_diff(
        (entry.before or "").splitlines(), (entry.after or "").splitlines(),
        path if entry.before is not None else "/dev/null",
        path if entry.after is not None else "/dev/null", lineterm="",
    )  # fmt: skip
    return "\n".join(lines)


@click.command()
@click.argument("candidate_id")
@repository_option
def bury(candidate_id: str, where: Path) -> None:
    """Put a candidate aside, whatever its verdict; the harness stays as it is."""
    from cortex.commands.changes import bury as run
    from cortex.commands.context import open_context

    with open_context(where) as context:
        done = run(context, candidate_id).said
    output.say(done[:1].upper() + done[1:] + ".")
