"""`cortex tasks` and its subcommands."""

from pathlib import Path

import click

from cortex.cli import output
from cortex.cli.common import all_option, json_option, repository_option


@click.group(invoke_without_command=True)
@click.option("--status", type=click.Choice(["admitted", "quarantined", "skipped", "dismissed"]))
@all_option
@repository_option
@json_option
@click.pass_context
def tasks(
    ctx: click.Context, status: str | None, everywhere: bool, where: Path, as_json: bool
) -> None:
    """List replayable tasks, or `show`, `check`, `dismiss` one."""
    if ctx.invoked_subcommand is not None:
        return
    from cortex.commands import queries
    from cortex.commands.context import open_context
    from cortex.model.tasks import TaskStatus

    with open_context(where, read_only=True) as context:
        wanted = TaskStatus(status) if status else None
        found = queries.tasks(context, wanted, all_repositories=everywhere)
    if as_json:
        output.print_json({"tasks": found})
        return
    if not found:
        output.say("No tasks yet. `cortex ingest` builds them from corrections.")
        return
    rows = [
        (
            one.id,
            output.styled(one.status),
            len(one.checks),
            output.one_line(one.prompt, 50),
            output.one_line(one.reason, 60),
        )
        for one in found
    ]
    columns = ("id", "status", ">checks", "prompt", "why")
    output.console().print(output.table(None, columns, rows))


@tasks.command()
@click.argument("task_id")
@repository_option
@json_option
def show(task_id: str, where: Path, as_json: bool) -> None:
    """Show one task with its checks."""
    from cortex.commands import queries
    from cortex.commands.context import open_context
    from cortex.tasks.describe import describe

    with open_context(where, read_only=True) as context:
        task = queries.task(context, task_id)
    if as_json:
        output.print_json(task)
        return
    output.say(f"{task.id}  {task.status}{': ' + task.reason if task.reason else ''}")
    output.say(f"prompt   {output.one_line(task.prompt, 200)}")
    output.say(f"base     {task.base.repository} at {(task.base.commit or 'no commit')[:12]}")
    output.say(f"files    {', '.join(task.paths) or 'none'}")
    for check in task.checks:
        output.say(f"check    {output.one_line(describe(check), 200)}")


@tasks.command()
@click.argument("task_id")
@repository_option
@json_option
def check(task_id: str, where: Path, as_json: bool) -> int:
    """Give the proofs of admission again; exit code 1 when the task cannot measure."""
    from cortex.commands import queries
    from cortex.commands.building import readmit
    from cortex.commands.context import open_context
    from cortex.model.tasks import TaskStatus

    with open_context(where) as context:
        task = readmit(context, queries.task(context, task_id))
    if as_json:
        output.print_json(task)
    else:
        output.say(f"{task.id}: {task.status}{': ' + task.reason if task.reason else ''}")
    return 0 if task.status is TaskStatus.ADMITTED else 1


@tasks.command()
@click.argument("reference")
@repository_option
def dismiss(reference: str, where: Path) -> None:
    """Put a task, or a correction with its tasks, aside for good."""
    from cortex.commands import queries
    from cortex.commands.context import open_context

    with open_context(where) as context:
        kind = queries.dismiss(context, reference)
    output.say(f"Dismissed {kind} {reference}.")
