"""`evolve`: choose, write and gate a candidate, then apply its verdict; `prune`: existing text."""

from collections.abc import Sequence
from dataclasses import dataclass

from cortex.artifacts import disk, harness, loading
from cortex.artifacts.readers import read_by
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
    """The result of a cycle; without a verdict the proposal says why there were no trials."""

    proposal: Proposal
    verdict: Verdict | None = None
    message: str = ""

    @property
    def candidate(self) -> Candidate:
        """The candidate of the cycle."""
        return self.proposal.candidate


def evolve(
    context: Context, tracker: BudgetTracker, observer: Observer | None = None
) -> Cycle | None:
    """Run a cycle; None, at no cost, when no theme recurs."""
    proposal = propose(context)
    if proposal is None:
        return None
    return finish(context, proposal, tracker, observer)


def finish(
    context: Context, proposal: Proposal, tracker: BudgetTracker, observer: Observer | None = None
) -> Cycle:
    """Gate a proposal and apply its verdict; a refused proposal costs nothing."""
    if proposal.problems:
        return Cycle(proposal)
    verdict = gate(context, proposal.candidate, tracker, observer)
    return Cycle(proposal, verdict, apply_verdict(context, proposal.candidate, verdict).message)


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
    files = disk.read_files(context.root)
    artifacts = harness.parse(files)
    artifacts_wanted = [
        artifact
        for artifact in artifacts
        if artifact.text.strip() and read_by(context.config.agent.name, artifact.path, files)
    ]
    known_names = {
        alias
        for artifact in artifacts_wanted
        for alias in (artifact.name, artifact.path, artifact.key)
    }
    for name in names:
        if name not in known_names:
            names_there = (
                ", ".join(sorted(artifact.name for artifact in artifacts_wanted)) or "nothing"
            )
            raise UsageError(f"{name}: is not in the harness; there is {names_there}")
    if names:
        artifacts_wanted = [
            artifact
            for artifact in artifacts_wanted
            if {artifact.name, artifact.path, artifact.key} & set(names)
        ]
    tasks = admitted(context)
    mean = context.store.experiments.mean_cost_usd()
    plan = []
    for artifact in artifacts_wanted:
        loadable = sum(loading.could_load(artifact, task.paths) for task in tasks)
        trials = 2 * EXPECTED_PAIRS_PER_TASK * loadable
        price = None if mean is None else mean * trials
        plan.append(PlannedRemoval(artifact, loadable, trials, price))
    return tuple(plan)


def gate_removal(
    context: Context,
    planned: PlannedRemoval,
    tracker: BudgetTracker,
    observer: Observer | None = None,
) -> Cycle:
    """Gate the removal of existing text and apply the verdict."""
    candidate = removal_of(context, planned.artifact.key)
    return finish(context, Proposal(candidate), tracker, observer)
