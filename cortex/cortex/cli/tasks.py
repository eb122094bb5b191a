"""`cortex tasks` and its subcommands."""

from pathlib import Path

import click

from cortex.cli import empty, output
from cortex.cli.common import all_option, json_option, repository_option
from cortex.presenting.plain import correction_line


@click.group(invoke_without_command=True)
@click.option(
    "--status", type=click.Choice(["admitted", "quarantined", "skipped", "dismissed", "purged"])
)
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

    with open_context(where, read_only=True) as context:
        if as_json:
            records = queries.tasks(context, status, all_repositories=everywhere)
            output.print_json({"tasks": records})
            return
        rows = context.store.listing.tasks(context.scope(everywhere), status)
        elsewhere = {} if rows or status else context.elsewhere("tasks")
    if not rows and status:
        output.say(f"No {status} tasks here.")
        return
    if not rows:
        hint = "`cortex ingest` builds them from corrections."
        output.say(empty.message("tasks", elsewhere, hint))
        return
    cells = [
        (
            row.id,
            row.status,
            row.checks,
            output.one_line(row.prompt, 45),
            correction_line(row.correction, 45),
            output.one_line(row.reason, 40),
        )
        for row in rows
    ]
    output.print_table(("id", "status", ">checks", "prompt", "correction", "why"), cells)


@tasks.command()
@click.argument("task_id")
@repository_option
@json_option
def show(task_id: str, where: Path, as_json: bool) -> None:
    """Show a task with its checks."""
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
    """Re-run the admission checks; exit code 1 when the task is not admitted."""
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
