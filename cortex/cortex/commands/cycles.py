"""`evolve`: one cycle of choosing, writing, gating and settling; `prune`: the same for old text."""

from collections.abc import Sequence
from dataclasses import dataclass

from cortex.artifacts import disk, harness, loading
from cortex.commands.budget import BudgetTracker
from cortex.commands.changes import apply_verdict
from cortex.commands.context import Context
from cortex.commands.experiments import Observer, gate
from cortex.commands.proposals import Proposal, admitted, propose, removal_of
from cortex.errors import UsageError
from cortex.model.artifacts import Artifact, Candidate
from cortex.model.verdicts import Verdict

EXPECTED_PAIRS_PER_TASK = 3
"""Of a removal that gets a clear answer; only for the estimate in a plan."""


@dataclass(frozen=True, slots=True)
class Cycle:
    """What one cycle did; without a verdict the proposal says why there were no trials."""

    proposal: Proposal
    verdict: Verdict | None = None
    done: str = ""

    @property
    def candidate(self) -> Candidate:
        """The candidate of the cycle."""
        return self.proposal.candidate


def evolve(
    context: Context, tracker: BudgetTracker, observer: Observer | None = None
) -> Cycle | None:
    """Run one cycle; None when nothing recurs: nothing to learn, nothing spent."""
    proposal = propose(context)
    if proposal is None:
        return None
    return finish(context, proposal, tracker, observer)


def finish(
    context: Context, proposal: Proposal, tracker: BudgetTracker, observer: Observer | None = None
) -> Cycle:
    """Gate a proposal and settle its verdict; a refused one costs nothing."""
    if proposal.problems:
        return Cycle(proposal)
    verdict = gate(context, proposal.candidate, tracker, observer)
    return Cycle(proposal, verdict, apply_verdict(context, proposal.candidate, verdict).said)


@dataclass(frozen=True, slots=True)
class PlannedRemoval:
    """One piece of existing text and what measuring it would take."""

    artifact: Artifact
    tasks: int
    """Admitted tasks in which it could load."""
    trials: int
    """Expected; 0 when no task can load it: then it is reported as unused, for free."""
    cost_usd: float | None
    """From the mean cost of earlier trials; None when there is no such trial."""


def plan_prune(context: Context, names: Sequence[str] = ()) -> tuple[PlannedRemoval, ...]:
    """Return what `prune` would measure, with its price. Raises UsageError for an unknown name."""
    artifacts = harness.parse(disk.read_files(context.root))
    wanted = [one for one in artifacts if one.text.strip() and one.agent == "claude-code"]
    known = {alias for one in wanted for alias in (one.name, one.path, one.key)}
    for name in names:
        if name not in known:
            there = ", ".join(sorted(one.name for one in wanted)) or "nothing"
            raise UsageError(f"{name}: is not in the harness; there is {there}")
    if names:
        wanted = [one for one in wanted if {one.name, one.path, one.key} & set(names)]
    tasks = admitted(context)
    mean = context.store.experiments.mean_cost_usd()
    plan = []
    for artifact in wanted:
        loadable = sum(loading.could_load(artifact, task.paths) for task in tasks)
        trials = 2 * EXPECTED_PAIRS_PER_TASK * loadable
        price = None if mean is None else mean * trials
        plan.append(PlannedRemoval(artifact, loadable, trials, price))
    return tuple(plan)


def prune_one(
    context: Context,
    planned: PlannedRemoval,
    tracker: BudgetTracker,
    observer: Observer | None = None,
) -> Cycle:
    """Measure one piece of existing text and settle its verdict."""
    candidate = removal_of(context, planned.artifact.key)
    return finish(context, Proposal(candidate), tracker, observer)
