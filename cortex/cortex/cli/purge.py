"""`cortex purge`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cortex.cli import output
from cortex.cli.common import json_option, repository_option
from cortex.errors import UsageError

if TYPE_CHECKING:
    from cortex.commands.context import Context
    from cortex.commands.purge import PurgePlan, PurgeResult
    from cortex_store.purge_scope import Selection


@click.command()
@click.option("--session", metavar="ID", help="A session: the beginning of its id is enough.")
@click.option(
    "--repo",
    is_flag=False,
    flag_value=".",
    metavar="[PATH]",
    help="All of a repository, verdicts too; this one without PATH.",
)
@click.option("--before", metavar="DATE", help="Sessions that ended before a day: 2026-01-31.")
@click.option("--dry-run", is_flag=True, help="Only show what would be removed.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@repository_option
@json_option
def purge(
    session: str | None,
    repo: str | None,
    before: str | None,
    dry_run: bool,
    yes: bool,
    where: Path,
    as_json: bool,
) -> None:
    """Remove what Cortex copied from sessions, without a trace in its folder.

    Prompts, corrections, tasks and what trials ran and changed are removed. Rows that a verdict
    rests on stay without their texts. Transcripts, which are the agent's, and files of the
    repository stay as they are.
    """
    from cortex.commands import purge as commands
    from cortex.commands.context import open_context

    if sum(each is not None for each in (session, repo, before)) != 1:
        raise UsageError("say what to purge with --session ID, --repo [PATH] or --before DATE")
    with open_context(where, read_only=dry_run) as context:
        selection, what = _selected(context, session, where / repo if repo else None, before)
        planned = commands.plan(context, selection, what)
        if dry_run or (planned.empty and not planned.pending):
            _show_plan(planned, as_json, dry_run)
            return
        if not (yes or planned.empty or _confirmed(planned, as_json)):
            output.say("Nothing was removed.")
            return
        result = commands.purge(context, selection, what)
    _show_result(result, as_json)
    if not result.compacted:
        raise commands.incomplete(result)


def _selected(
    context: "Context", session: str | None, repository: Path | None, before: str | None
) -> "tuple[Selection, str]":
    from cortex.commands import purge as commands

    if session is not None:
        selection = commands.select_session(context, session)
        return selection, f"session {next(iter(selection.sessions), session)}"
    if repository is not None:
        selection = commands.select_repository(context, repository)
        return selection, str(selection.repository)
    selection = commands.select_before(context, before or "")
    return selection, f"sessions that ended before {before}"


def _confirmed(planned: "PurgePlan", as_json: bool) -> bool:
    """Ask on a terminal; UsageError without one."""
    if as_json or not sys.stdin.isatty():
        raise UsageError("cannot ask without a terminal: pass --yes, or --dry-run to look first")
    _show(planned, "Would remove what is")
    return click.confirm("Remove this for good?")


def _show_plan(planned: "PurgePlan", as_json: bool, dry_run: bool) -> None:
    if as_json:
        output.print_json({**_record(planned), "dry_run": dry_run, "compacted": True})
        return
    if planned.empty:
        output.say(f"Nothing is stored of {planned.what}.")
        if planned.pending:
            output.say("An earlier purge is not finished; run the same command without --dry-run.")
        return
    _show(planned, "Would remove what is")


def _show_result(result: "PurgeResult", as_json: bool) -> None:
    from cortex.presenting.formats import size

    planned = result.plan
    if as_json:
        output.print_json(
            {
                **_record(planned),
                "dry_run": False,
                "compacted": result.compacted,
                "problem": result.problem,
                "freed_bytes": result.freed_bytes,
            }
        )
        return
    if planned.empty:
        output.say("Nothing was left to remove but the traces of an earlier purge.")
    else:
        _show(planned, "Removed what was")
    if result.compacted:
        output.say(
            f"The database is rewritten; Cortex's folder is {size(result.freed_bytes)} smaller."
        )


def _show(planned: "PurgePlan", verb: str) -> None:
    from cortex.presenting.formats import count, size

    output.say(f"{verb} stored of {planned.what}:")
    rows: list[tuple[object, ...]] = [
        (amount.kind, amount.deleted or "", amount.emptied or "", size(amount.size))
        for amount in planned.amounts
    ]
    for kind, number in (
        ("base trees", planned.trees),
        ("lines of the daemon's log", planned.log_lines),
        ("logs of bugs", planned.crash_logs),
    ):
        rows += [(kind, number, "", "")] if number else []
    output.print_table(("  kind", ">removed", ">emptied", ">size"), _indented(rows))
    if any(amount.emptied for amount in planned.amounts):
        output.say("Emptied rows stay, without any text, because verdicts rest on them.")
    if planned.shared_with:
        others = ", ".join(planned.shared_with[:3]) + (", …" if planned.shared_with[3:] else "")
        output.say(f"Lines that other sessions (forks) have too stay with them: {others}.")
    if planned.transcripts:
        folders = sorted({str(Path(path).parent) for path in planned.transcripts})
        where = folders[0] if len(folders) == 1 else f"{folders[0]} and {len(folders) - 1} more"
        output.say(
            f"The agent's own transcripts stay: {count(len(planned.transcripts), 'file')} in "
            f"{where}. Cortex does not read them again."
        )


def _indented(rows: list[tuple[object, ...]]) -> list[tuple[object, ...]]:
    return [(f"  {kind}", *cells) for kind, *cells in rows]


def _record(planned: "PurgePlan") -> dict[str, object]:
    return {
        "what": planned.what,
        "amounts": planned.amounts,
        "trees": planned.trees,
        "log_lines": planned.log_lines,
        "crash_logs": planned.crash_logs,
        "transcripts": planned.transcripts,
        "shared_with": planned.shared_with,
    }
