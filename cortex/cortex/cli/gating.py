"""`cortex propose`, `gate`, `evolve`, `prune`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cortex.cli import output
from cortex.cli.common import budget_option, json_option, repository_option
from cortex.cli.consent import settle_confinement
from cortex.errors import UsageError

if TYPE_CHECKING:
    from cortex.commands.context import Context
    from cortex.commands.cycles import Cycle, PlannedRemoval
    from cortex.commands.proposals import Proposal


@click.command()
@click.option("--theme", "theme_id", help="Use this theme instead of the strongest.")
@click.option(
    "--from", "file", type=click.Path(path_type=Path), help="Test this rule or skill of yours."
)
@repository_option
@json_option
def propose(theme_id: str | None, file: Path | None, where: Path, as_json: bool) -> int:
    """Write a candidate for the strongest theme, or read a candidate from a file."""
    from cortex.commands.context import open_context
    from cortex.commands.proposals import propose as run
    from cortex.commands.proposals import suggest

    with open_context(where) as context:
        proposal = suggest(context, file) if file else run(context, theme_id)
    if proposal is None:
        _nothing_to_learn(as_json)
        return 0
    if as_json:
        output.print_json({"candidate": proposal.candidate, "problems": proposal.problems})
    else:
        _show_proposal(proposal)
    return 1 if proposal.problems else 0


@click.command()
@click.argument("candidate_id")
@click.option("--apply", is_flag=True, help="Apply the verdict.")
@budget_option
@repository_option
@json_option
def gate(candidate_id: str, apply: bool, budget: float | None, where: Path, as_json: bool) -> None:
    """Run the agent with and without the candidate until the evidence suffices.

    An interrupted experiment is resumed. The harness is not changed without --apply.
    """
    from cortex.cli.progress import ExperimentProgress
    from cortex.cli.verdicts import show_verdict
    from cortex.commands import queries
    from cortex.commands.budget import track_budget
    from cortex.commands.changes import CHANGING, apply_verdict
    from cortex.commands.context import open_context
    from cortex.commands.experiments import gate as run
    from cortex.commands.proposals import to_gate
    from cortex.presenting.formats import sentence

    with open_context(where) as context:
        candidate = to_gate(context, candidate_id)
        settle_confinement(context, as_json)
        with ExperimentProgress(quiet=as_json) as progress:
            verdict = run(
                context, candidate, track_budget(context, budget), progress.observer(candidate)
            )
        done = apply_verdict(context, candidate, verdict).message if apply else ""
        prompts = queries.prompts(context, verdict.tasks)
    if as_json:
        output.print_json({"verdict": verdict, "done": done})
        return
    show_verdict(verdict, candidate, prompts)
    if done:
        output.say(sentence(done))
    elif verdict.ruling in CHANGING:
        output.say(f"Next: `cortex accept {candidate.id}`.")


@click.command()
@budget_option
@repository_option
@json_option
def evolve(budget: float | None, where: Path, as_json: bool) -> None:
    """Propose a candidate for the strongest theme, gate it, keep or bury it."""
    from cortex.cli.progress import ExperimentProgress
    from cortex.commands.budget import track_budget
    from cortex.commands.context import open_context
    from cortex.commands.cycles import finish
    from cortex.commands.proposals import propose as write

    with open_context(where) as context:
        # First: a writer may cost money.
        settle_confinement(context, as_json)
        money = track_budget(context, budget)
        proposal = write(context)
        if proposal is None:
            _nothing_to_learn(as_json)
            return
        with ExperimentProgress(quiet=as_json) as progress:
            cycle = finish(context, proposal, money, progress.observer(proposal.candidate))
        _show_cycles(context, [cycle], as_json)


@click.command()
@click.argument("names", nargs=-1)
@click.option("--yes", is_flag=True, help="Run without asking.")
@budget_option
@repository_option
@json_option
def prune(
    names: tuple[str, ...], yes: bool, budget: float | None, where: Path, as_json: bool
) -> None:
    """Gate existing rules and skills (all, or NAMES); remove what does not help.

    First prints the plan with its price and asks. The graveyard keeps what is removed.
    """
    from cortex.cli.progress import ExperimentProgress
    from cortex.commands.budget import track_budget
    from cortex.commands.context import open_context
    from cortex.commands.cycles import gate_removal, plan_prune
    from cortex.commands.proposals import removal_of

    with open_context(where) as context:
        plan = plan_prune(context, names)
        if not plan:
            raise UsageError("no harness text in this repository")
        if not (yes or _agreed(plan, as_json)):
            return
        settle_confinement(context, as_json)
        money = track_budget(context, budget)
        cycles = []
        for planned in plan:
            with ExperimentProgress(quiet=as_json) as progress:
                candidate = removal_of(context, planned.artifact.key)
                cycles.append(gate_removal(context, planned, money, progress.observer(candidate)))
        _show_cycles(context, cycles, as_json)


def _agreed(plan: "tuple[PlannedRemoval, ...]", as_json: bool) -> bool:
    """Show the plan and return whether to run it."""
    if as_json:
        output.print_json({"plan": plan})
        return False
    rows = [
        (
            removal.artifact.name,
            removal.artifact.kind,
            removal.tasks,
            removal.trials,
            "?" if removal.cost_usd is None else f"${removal.cost_usd:.2f}",
        )
        for removal in plan
    ]
    columns = ("text", "kind", ">tasks", ">trials about", ">price about")
    output.console().print(output.table(None, columns, rows))
    if not sys.stdin.isatty():
        output.say("Not run: pass --yes to run this plan (and --budget USD for a paid agent).")
        return False
    return click.confirm("Run these trials?")


def _nothing_to_learn(as_json: bool) -> None:
    if as_json:
        output.print_json({"candidate": None, "reason": "nothing recurs"})
    else:
        output.say("Nothing to learn: no recurring theme has a task and lacks a candidate.")


def _show_proposal(proposal: "Proposal") -> None:
    candidate = proposal.candidate
    output.say(f"{candidate.id}  {candidate.change} {candidate.artifact.path}")
    for line in candidate.artifact.text.rstrip().splitlines():
        output.say(f"  │ {line}")
    for problem in proposal.problems:
        output.say(f"Refused: {problem}.")
    if not proposal.problems:
        output.say(f"Next: `cortex gate {candidate.id} --budget USD`.")


def _show_cycles(context: "Context", cycles: "list[Cycle]", as_json: bool) -> None:
    from cortex.cli.verdicts import show_verdict
    from cortex.commands import queries
    from cortex.presenting.formats import sentence

    if as_json:
        rows = [
            {
                "candidate": cycle.candidate,
                "problems": cycle.proposal.problems,
                "verdict": cycle.verdict,
                "done": cycle.message,
            }
            for cycle in cycles
        ]
        output.print_json({"cycles": rows})
        return
    for cycle in cycles:
        if cycle.verdict is None:
            _show_proposal(cycle.proposal)
        else:
            prompts = queries.prompts(context, cycle.verdict.tasks)
            show_verdict(cycle.verdict, cycle.candidate, prompts)
            output.say(sentence(cycle.message))
