"""`cortex ingest`, `corrections`, `themes`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cortex.cli import empty, output
from cortex.cli.common import all_option, json_option, repository_option
from cortex.presenting.plain import correction_line

if TYPE_CHECKING:
    from cortex.commands.quarantine import Failure


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--include-headless",
    is_flag=True,
    help="Count prompts of headless runs as a person's (you drive the agent from scripts).",
)
@click.option("--purged", is_flag=True, help="Read sessions again that were purged.")
@click.option("--no-tasks", is_flag=True, help="Only find corrections, build no tasks.")
@repository_option
@json_option
def ingest(
    paths: tuple[Path, ...],
    include_headless: bool,
    purged: bool,
    no_tasks: bool,
    where: Path,
    as_json: bool,
) -> None:
    """Read transcripts, each from where the last run stopped.

    PATHS are files or folders; without them the agents' own folders are read. Costs nothing.
    """
    from cortex.commands.context import open_context
    from cortex.commands.ingest import ingest as run
    from cortex.presenting.formats import count

    with open_context(where) as context:
        ingested = run(
            context,
            paths,
            include_headless=include_headless,
            tasks=not no_tasks,
            include_purged=purged,
            on_failure=_report,
        )
    for problem in ingested.unreadable:
        output.complain(f"{problem}; skipped")
    if as_json:
        output.print_json(ingested)
        return
    output.say(
        f"Read {ingested.files} files: {ingested.sessions} sessions with {ingested.events} new "
        f"events, {ingested.skipped} lines skipped."
    )
    for correction in ingested.corrections:
        words = output.one_line(correction.content)
        output.say(f"  {correction.id}  {correction.signal:<12}  {words}")
    admitted = sum(task.status == "admitted" for task in ingested.tasks)
    output.say(
        f"{len(ingested.corrections)} new corrections, {len(ingested.tasks)} new tasks, "
        f"{admitted} admitted. Next: `cortex themes`."
        if ingested.corrections or ingested.tasks
        else "No new corrections."
    )
    if ingested.purged:
        output.say(
            f"Skipped {count(ingested.purged, 'transcript')} of purged sessions; "
            "`cortex ingest --purged` reads them again."
        )
    waiting = sum("`cortex trust`" in task.reason for task in ingested.tasks)
    if waiting:
        output.say(
            f"Waiting for a sandbox or `cortex trust`: {count(waiting, 'task')}, whose checks run "
            "commands of the repository. Install bubblewrap, or run `cortex trust` in the "
            "repository to run them as you."
        )


def _report(failure: "Failure") -> None:
    from cortex import crash

    problem = crash.report(failure.error, sys.argv[1:])
    output.complain(f"{failure.subject}: skipped, {problem}")


@click.command()
@all_option
@repository_option
@json_option
def corrections(everywhere: bool, where: Path, as_json: bool) -> None:
    """List the corrections made in this repository."""
    from cortex.commands import queries
    from cortex.commands.context import open_context

    with open_context(where, read_only=True) as context:
        rows = queries.corrections(context, all_repositories=everywhere)
        elsewhere = {} if rows or as_json else context.elsewhere("corrections")
    if as_json:
        output.print_json({"corrections": rows})
        return
    if not rows:
        output.say(empty.message("corrections", elsewhere, "`cortex ingest` reads your sessions."))
        return
    cells = [
        (
            row.id,
            row.at[:10],
            row.signal,
            ", ".join(map(output.one_line, row.paths[:2])),
            correction_line(row.content, 60),
        )
        for row in rows
    ]
    output.print_table(("id", "date", "signal", "files", "words"), cells)


@click.command()
@repository_option
@json_option
def themes(where: Path, as_json: bool) -> None:
    """List what several sessions ask for."""
    from cortex.commands.building import themes as run
    from cortex.commands.context import open_context

    with open_context(where, read_only=True) as context:
        rows = run(context)
        elsewhere = {} if rows or as_json else context.elsewhere("corrections")
    if as_json:
        output.print_json({"themes": rows})
        return
    if not rows:
        hint = "`cortex ingest` reads your sessions."
        output.say(empty.message("themes", elsewhere, hint, counted="corrections"))
        return
    cells = [
        (
            row.id,
            len(set(row.session_ids)),
            len(row.correction_ids),
            "yes" if row.recurs else "no",
            output.one_line(row.title, 60),
            output.one_line(", ".join(row.paths[:2]), 40),
        )
        for row in rows
    ]
    columns = ("id", ">sessions", ">corrections", "recurs", "what", "files")
    output.print_table(columns, cells)
