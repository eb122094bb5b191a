"""`cortex privacy`."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cortex.cli import output
from cortex.cli.common import json_option, repository_option

if TYPE_CHECKING:
    from cortex.commands.privacy import PrivacyReport, Scan
    from cortex_store.inventory import Count

SHOWN = 8
"""Repositories on the screen; `--json` has all."""
KINDS = ("sessions", "corrections", "tasks", "trials", "base trees")


@click.group()
def privacy() -> None:
    """Show what Cortex keeps, and what leaves this machine."""


@privacy.command()
@repository_option
@json_option
def report(where: Path, as_json: bool) -> None:
    """Show where Cortex keeps what, how clean it is of secrets, and how to remove it."""
    from cortex.commands.context import open_context
    from cortex.commands.privacy import report as make_report

    with open_context(where, read_only=True) as context:
        made = make_report(context)
    if as_json:
        output.print_json(made)
        return
    _show_places(made)
    _show_counts(made.counts)
    output.say()
    for line in (*_secrets(made), *made.leaves, *_purges(made)):
        output.say(line)
    output.say(
        "Remove: `cortex purge --session ID`, `cortex purge --repo PATH` or "
        "`cortex purge --before DATE`; `--dry-run` shows what goes."
    )


def _show_places(made: "PrivacyReport") -> None:
    from cortex.presenting.formats import size

    rows = [
        (
            place.what,
            f"{place.mode}{' readable by others' * place.others}",
            size(place.size),
            place.path,
        )
        for place in made.places
    ]
    rows += [("transcripts (read only)", "", "", folder) for folder in made.transcripts]
    output.print_table(("kept", "mode", ">size", "where"), rows)
    output.say()


def _show_counts(counts: "Sequence[Count]") -> None:
    from cortex.presenting.formats import date, size

    folders = list(dict.fromkeys(count.folder for count in counts))
    rows = []
    for folder in folders[:SHOWN]:
        own = {count.kind: count for count in counts if count.folder == folder}
        days = sorted(date(day) for count in own.values() for day in (count.oldest, count.newest))
        days = [day for day in days if day]
        rows.append(
            (
                folder,
                *(own[kind].rows if kind in own else "" for kind in KINDS),
                size(sum(count.size for count in own.values())),
                days[0] if days else "",
                days[-1] if days else "",
            )
        )
    if not rows:
        output.say("Nothing is stored of any repository.")
        return
    columns = ("repository", *(f">{kind}" for kind in KINDS), ">size", "oldest", "newest")
    output.print_table(columns, rows)
    if len(folders) > SHOWN:
        output.say(f"… and {len(folders) - SHOWN} more; `--json` lists all.")


def _secrets(made: "PrivacyReport") -> list[str]:
    from cortex.presenting.formats import count

    removed = f"{count(made.secrets_removed, 'secret')} removed before anything was stored"
    return [f"Secrets: {removed}; {_scanned(made.scan)}"]


def _scanned(scan: "Scan") -> str:
    from cortex.presenting.formats import count

    sample = f"a sample of {scan.rows:,} of {scan.of:,} rows"
    where = f"all {scan.of:,} rows" if scan.complete else sample
    if not scan.fields:
        return f"the present detectors find no other in {where}."
    return (
        f"the present detectors find more in {count(scan.fields, 'text')} of {where}, stored by an "
        "earlier version: purge these sessions, then `cortex ingest --purged`."
    )


def _purges(made: "PrivacyReport") -> list[str]:
    from cortex.presenting.formats import count

    lines = []
    if made.purge_pending:
        lines.append("A purge is not finished: run the same `cortex purge` command again.")
    if made.purged_sessions or made.purged_tasks:
        lines.append(
            f"Purged: {count(made.purged_sessions, 'session')}, not read again; "
            f"{count(made.purged_tasks, 'task')} emptied, because verdicts rest on them."
        )
    return lines
