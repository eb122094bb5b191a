"""`cortex verdicts`, `accept`, `restore`."""

from collections.abc import Mapping
from pathlib import Path

import click

from cortex.cli import empty, output
from cortex.cli.common import all_option, json_option, repository_option
from cortex.errors import UsageError
from cortex.model.artifacts import Candidate
from cortex.model.verdicts import Verdict


@click.group(invoke_without_command=True)
@all_option
@repository_option
@json_option
@click.pass_context
def verdicts(ctx: click.Context, everywhere: bool, where: Path, as_json: bool) -> None:
    """List verdicts, or `show` one."""
    if ctx.invoked_subcommand is not None:
        return
    from cortex.commands import queries
    from cortex.commands.context import open_context
    from cortex.presenting.formats import date, e_value, lift
    from cortex.presenting.titles import change_title

    with open_context(where, read_only=True) as context:
        if as_json:
            rows = [
                {"verdict": row.verdict, "candidate": row.candidate}
                for row in queries.verdicts(context, all_repositories=everywhere)
            ]
            output.print_json({"verdicts": rows})
            return
        summaries = context.store.listing.verdicts(context.scope(everywhere))
        elsewhere = {} if summaries else context.elsewhere("verdicts")
    if not summaries:
        hint = "Run `cortex evolve` or `cortex prune`."
        output.say(empty.message("verdicts", elsewhere, hint))
        return
    cells = [
        (
            summary.id,
            summary.ruling,
            change_title(summary.candidate),
            summary.pairs,
            lift(summary.lift),
            e_value(summary.e_value),
            date(summary.created_at),
        )
        for summary in summaries
    ]
    columns = ("id", "verdict", "change", ">pairs", ">lift", ">E⁺", "date")
    output.print_table(columns, cells)


@verdicts.command()
@click.argument("reference", required=False, metavar="REFERENCE")
@click.option(
    "--plot",
    "plot",
    is_flag=False,
    flag_value="-",
    default=None,
    metavar="[FILE]",
    help="Draw the evidence: here, or into FILE.svg or FILE.png.",
)
@repository_option
@json_option
def show(reference: str | None, plot: str | None, where: Path, as_json: bool) -> None:
    """Show a verdict (by its id or its candidate's): tasks, numbers, what would change it."""
    from cortex.cli import plotting
    from cortex.cli.evidence import show_evidence
    from cortex.commands.context import open_context
    from cortex.commands.evidence import evidence
    from cortex.presenting import outlook_text

    if (
        reference is None
        and plot not in (None, "-")
        and Path(str(plot)).suffix.lower() not in plotting.FORMATS
    ):
        reference, plot = plot, "-"
    if reference is None:
        raise UsageError("name a verdict or a candidate; `cortex verdicts` lists them")
    with open_context(where, read_only=True) as context:
        shown = evidence(context, reference)
    if plot not in (None, "-"):
        plotting.write(shown, Path(str(plot)))
    if as_json:
        texts = {"changes": outlook_text.changes(shown), "next_cost": outlook_text.next_cost(shown)}
        output.print_json({**output.jsonable(shown), **texts})
        return
    show_evidence(shown)
    if plot == "-":
        output.say_drawn(plotting.in_terminal(shown))


def show_verdict(verdict: Verdict, candidate: Candidate, prompts: Mapping[str, str]) -> None:
    """Print a new verdict."""
    from cortex.cli.evidence import show_head
    from cortex.cli.evidence import show_verdict as show_numbers

    show_head(verdict.ruling, candidate)
    show_numbers(verdict, verdict.needed, prompts)


@click.command()
@click.argument("candidate_id")
@repository_option
def accept(candidate_id: str, where: Path) -> None:
    """Apply the newest verdict of a candidate: add, remove or bury its text."""
    from cortex.commands.changes import accept as run
    from cortex.commands.context import open_context
    from cortex.presenting.formats import sentence

    with open_context(where) as context:
        change = run(context, candidate_id)
    output.say(sentence(change.message))


@click.command()
@click.argument("entry_id", required=False)
@repository_option
@json_option
def restore(entry_id: str | None, where: Path, as_json: bool) -> None:
    """List the graveyard, or restore an entry byte for byte."""
    from cortex.artifacts import graveyard
    from cortex.commands.changes import restore as run
    from cortex.commands.context import open_context

    with open_context(where) as context:
        if entry_id is None:
            entries = graveyard.entries(context.root)
            if as_json:
                output.print_json({"graveyard": entries})
            elif entries:
                rows = [(entry.id, entry.ruling, entry.path, entry.reason) for entry in entries]
                columns = ("id", "verdict", "path", "why")
                output.console().print(output.table(None, columns, rows))
            else:
                output.say("The graveyard is empty.")
            return
        artifact = run(context, entry_id)
    if as_json:
        output.print_json({"restored": artifact})
    else:
        output.say(f"Restored {artifact.path}.")
