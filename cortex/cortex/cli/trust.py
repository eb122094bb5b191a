"""`cortex trust`."""

from pathlib import Path

import click

from cortex.cli import output
from cortex.cli.common import json_option, repository_option


@click.command()
@click.option("--revoke", is_flag=True, help="Take the trust back.")
@click.option("--list", "listed", is_flag=True, help="List the trusted repositories.")
@repository_option
@json_option
def trust(revoke: bool, listed: bool, where: Path, as_json: bool) -> None:
    """Let checks run this repository's commands without a sandbox.

    Tests that a session ran can be checks of tasks. They run code of the repository and of
    transcripts. With bubblewrap they run without network and without your files, and this command
    is not needed; without it they run only where you trust them.
    """
    from cortex.commands import trust as trusting
    from cortex.commands.context import open_context
    from cortex.model.tasks import TaskStatus
    from cortex.presenting.formats import count

    with open_context(where) as context:
        if listed:
            folders = sorted(context.trusted())
            if as_json:
                output.print_json({"trusted": folders})
            else:
                output.say("\n".join(folders) or "No repository is trusted.")
            return
        if revoke:
            known = trusting.revoke(context)
            result: object = {"repository": context.root, "trusted": False}
            message = "is not trusted any more" if known else "was not trusted"
            message = f"{context.root} {message}."
        else:
            trusted = trusting.trust(context)
            admitted = sum(task.status is TaskStatus.ADMITTED for task in trusted.tasks)
            result = trusted
            message = (
                f"Checks may run the commands of {trusted.repository} as you. "
                f"{count(len(trusted.tasks), 'task')} had waited, {admitted} admitted. "
                "`cortex trust --revoke` takes it back."
            )
    if as_json:
        output.print_json(result)
    else:
        output.say(message)
