"""`cortex trust`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cortex.cli import output
from cortex.cli.common import json_option, repository_option

if TYPE_CHECKING:
    from cortex.commands.context import Context


@click.command()
@click.option("--trials", is_flag=True, help="Of agents in trials, instead of checks.")
@click.option("--revoke", is_flag=True, help="Take the trust back.")
@click.option("--list", "listed", is_flag=True, help="List the trusted repositories.")
@repository_option
@json_option
def trust(trials: bool, revoke: bool, listed: bool, where: Path, as_json: bool) -> None:
    """Let checks run this repository's commands without a sandbox.

    Tests that a session ran can be checks of tasks. They run code of the repository and of
    transcripts. With bubblewrap they run without network and without your files, and this command
    is not needed; without it they run only where you trust them.

    With --trials: let agents of trials work in this repository without a sandbox. They can then
    reach all that you can: files, keys, other projects, the network.
    """
    from cortex.commands.context import open_context

    with open_context(where) as context:
        if listed:
            result, message = _listed(context, trials)
        elif revoke:
            result, message = _revoked(context, trials)
        elif trials:
            result, message = _accepted(context)
        else:
            result, message = _trusted(context)
    if as_json:
        output.print_json(result)
    else:
        output.say(message)


def _listed(context: "Context", trials: bool) -> tuple[object, str]:
    folders = sorted(context.unconfined() if trials else context.trusted())
    what = "lets agents run without a sandbox" if trials else "is trusted"
    return {"trusted": folders}, "\n".join(folders) or f"No repository {what}."


def _revoked(context: "Context", trials: bool) -> tuple[object, str]:
    from cortex.commands import trust as trusting

    known = trusting.revoke_trials(context) if trials else trusting.revoke(context)
    message = "is not trusted any more" if known else "was not trusted"
    return {"repository": context.root, "trusted": False}, f"{context.root} {message}."


def _accepted(context: "Context") -> tuple[object, str]:
    from cortex.commands import trust as trusting

    root = trusting.accept_trials(context)
    message = (
        f"Where no sandbox works, agents of trials in {root} run as you and can reach all that you "
        "can. `cortex trust --trials --revoke` takes it back."
    )
    return {"repository": root, "trusted": True}, message


def _trusted(context: "Context") -> tuple[object, str]:
    from cortex.commands import trust as trusting
    from cortex.model.tasks import TaskStatus
    from cortex.presenting.formats import count

    trusted = trusting.trust(context)
    admitted = sum(task.status is TaskStatus.ADMITTED for task in trusted.tasks)
    message = (
        f"Checks may run the commands of {trusted.repository} as you. "
        f"{count(len(trusted.tasks), 'task')} had waited, {admitted} admitted. "
        "`cortex trust --revoke` takes it back."
    )
    return trusted, message
