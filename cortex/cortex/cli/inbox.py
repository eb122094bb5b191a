"""`cortex inbox` and `cortex bury`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cortex.cli import output
from cortex.cli.common import json_option, repository_option

if TYPE_CHECKING:
    from cortex.commands.inbox import InboxEntry


@click.command()
@click.option("--diff", "with_diff", is_flag=True, help="Show the diff of each change.")
@repository_option
@json_option
def inbox(with_diff: bool, where: Path, as_json: bool) -> None:
    """List proposals to gate and verdicts to apply."""
    from cortex.commands.context import open_context
    from cortex.commands.inbox import inbox as run
    from cortex.presenting.diff import entry_diff
    from cortex.presenting.titles import entry_title

    with open_context(where, read_only=True) as context:
        entries = run(context, verdicts=as_json)
    if as_json:
        output.print_json({"inbox": entries})
        return
    for entry in entries:
        output.say(f"{entry.id}  {entry_title(entry)}  ({_next(entry)})")
        if with_diff:
            output.say("\n".join(entry_diff(entry)))
    if not entries:
        output.say("Inbox empty. Run `cortex evolve --budget USD` to propose and test a rule.")


def _next(entry: "InboxEntry") -> str:
    if entry.ruling is None:
        return f"run `cortex gate {entry.id} --budget USD`"
    return f"run `cortex accept {entry.id}` or `cortex bury {entry.id}`"


@click.command()
@click.argument("candidate_id")
@repository_option
def bury(candidate_id: str, where: Path) -> None:
    """Bury a candidate, whatever its verdict; the harness is not changed."""
    from cortex.commands.changes import bury as run
    from cortex.commands.context import open_context
    from cortex.presenting.formats import sentence

    with open_context(where) as context:
        change = run(context, candidate_id)
    output.say(sentence(change.message))
