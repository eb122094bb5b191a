"""`cortex ingest`, `corrections`, `themes`."""

from pathlib import Path

import click

from cortex.cli import output
from cortex.cli.common import all_option, json_option, repository_option


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--include-headless",
    is_flag=True,
    help="Count prompts of headless runs as a person's (you drive the agent from scripts).",
)
@click.option("--no-tasks", is_flag=True, help="Only find corrections, build no tasks.")
@repository_option
@json_option
def ingest(
    paths: tuple[Path, ...], include_headless: bool, no_tasks: bool, where: Path, as_json: bool
) -> None:
    """Read transcripts from where the last reading ended.

    PATHS are files or folders; without them the agents' own folders are read. Costs nothing.
    """
    from cortex.commands.context import open_context
    from cortex.commands.ingest import ingest as run

    with open_context(where) as context:
        done = run(context, paths, include_headless=include_headless, tasks=not no_tasks)
    if as_json:
        output.print_json(done)
        return
    output.say(
        f"Read {done.files} files: {done.sessions} sessions with {done.events} new events, "
        f"{done.skipped} lines skipped."
    )
    for one in done.corrections:
        output.say(f"  {one.id}  {one.signal:<12}  {output.one_line(one.content)}")
    admitted = sum(task.status == "admitted" for task in done.tasks)
    output.say(
        f"{len(done.corrections)} new corrections, {len(done.tasks)} new tasks, "
        f"{admitted} admitted. Next: `cortex themes`."
        if done.corrections
        else "No new corrections."
    )


@click.command()
@all_option
@repository_option
@json_option
def corrections(everywhere: bool, where: Path, as_json: bool) -> None:
    """List the corrections made in this repository."""
    from cortex.commands import queries
    from cortex.commands.context import open_context

    with open_context(where, read_only=True) as context:
        found = queries.corrections(context, all_repositories=everywhere)
    if as_json:
        output.print_json({"corrections": found})
        return
    if not found:
        output.say("No corrections yet. `cortex ingest` reads your sessions.")
        return
    rows = [
        (
            one.id,
            one.at[:10],
            one.signal,
            ", ".join(one.paths[:2]),
            output.one_line(one.content, 60),
        )
        for one in found
    ]
    output.console().print(output.table(None, ("id", "date", "signal", "files", "words"), rows))


@click.command()
@repository_option
@json_option
def themes(where: Path, as_json: bool) -> None:
    """List what several sessions ask for."""
    from cortex.commands.building import themes as run
    from cortex.commands.context import open_context

    with open_context(where, read_only=True) as context:
        found = run(context)
    if as_json:
        output.print_json({"themes": found})
        return
    if not found:
        output.say("No themes in this repository yet. `cortex ingest` reads your sessions.")
        return
    rows = [
        (
            one.id,
            len(set(one.session_ids)),
            len(one.correction_ids),
            "yes" if one.recurs else "no",
            output.one_line(one.title, 60),
        )
        for one in found
    ]
    columns = ("id", ">sessions", ">corrections", "recurs", "what")
    output.console().print(output.table(None, columns, rows))
