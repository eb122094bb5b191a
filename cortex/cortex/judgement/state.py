"""The numbers that rulings and the choice of the next task rest on."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import log

from cortex.errors import UsageError
from cortex.judgement.evidence import log_harm, log_lift, log_no_change, log_no_mean_change
from cortex.judgement.policy import Direction, Policy, TaskSpec
from cortex.judgement.tally import Cells, Tally, count
from cortex.model.trials import Pair

PAIRS_BEFORE_UNUSED = 2
"""Of each task, before text that never loaded is called unused."""


@dataclass(frozen=True, slots=True)
class State:
    """The numbers that rulings and the choice of the next task rest on."""

    policy: Policy
    tallies: tuple[Tally, ...]
    """Of all tasks that can load the text."""
    target: tuple[Tally, ...]
    """Tasks on which it has to help: the theme's, else all; only where it loaded."""
    pairs: int
    log_lift: float
    log_harm: float
    log_futility: float
    """Against "it helps by delta or more on average over the target"."""

    @property
    def reached(self) -> tuple[Tally, ...]:
        """Tasks in which the text loaded at least once."""
        return tuple(tally for tally in self.tallies if tally.reached)

    @property
    def lift(self) -> float:
        """Mean of the tasks' differences of pass rates."""
        counted = [tally for tally in self.target if tally.pairs]
        if not counted:
            return 0.0
        return sum((t.with_ - t.without) / t.pairs for t in counted) / len(counted)

    @property
    def enough(self) -> float:
        """Threshold of the lift and of harm, as a logarithm."""
        return log(1 / self.policy.alpha)

    def guarded(self, direction: Direction) -> tuple[Tally, ...]:
        """Return tasks that must not get worse by the change.

        For an addition those that passed without, for a removal all that it reaches.
        """
        if direction is Direction.REMOVE:
            return self.reached
        return tuple(
            tally
            for tally in self.reached
            if tally.spec.role == "protected" or 2 * tally.without > tally.pairs
        )

    def is_cleared(self, tally: Tally, direction: Direction) -> bool:
        """Whether a change for the worse of `task_tau` is refuted on one task."""
        gap = self.policy.task_tau
        wanted = log(1 / self.policy.task_alpha)
        sign = -gap if direction is Direction.ADD else gap
        return log_no_change(tally.cells, sign) >= wanted


def state_of(tasks: Sequence[TaskSpec], pairs: Sequence[Pair], policy: Policy) -> State:
    """Count the pairs and weigh them."""
    if not tasks:
        raise UsageError("an experiment needs at least one task")
    tallies = tuple(count(tasks, pairs).values())
    themed = any(tally.spec.role == "theme" for tally in tallies)
    wanted = [t for t in tallies if t.reached and (t.spec.role == "theme" or not themed)]
    reached = [tally for tally in tallies if tally.reached]
    rounds = _rounds(pairs, {tally.spec.id for tally in wanted})
    return State(
        policy=policy,
        tallies=tallies,
        target=tuple(wanted),
        pairs=len(pairs),
        log_lift=log_lift(wanted),
        log_harm=log_harm(reached),
        log_futility=log_no_mean_change(rounds, policy.delta),
    )


def is_safe(state: State, direction: Direction) -> bool:
    """Whether every guarded task is cleared and, for an addition, their mean drop refuted."""
    guarded = state.guarded(direction)
    if not all(state.is_cleared(tally, direction) for tally in guarded):
        return False
    if direction is Direction.REMOVE or not guarded:
        return True
    return log_no_mean_change([t.cells for t in guarded], -state.policy.tau) >= state.enough


def never_loads(state: State) -> bool:
    """Whether the text reached no trial although its tasks ran, or no task can load it."""
    return not state.reached and all(t.run >= PAIRS_BEFORE_UNUSED for t in state.tallies)


def _rounds(pairs: Sequence[Pair], wanted: set[str]) -> list[Cells]:
    """Count the first m pairs of each wanted task, the same m for all of them."""
    mine: dict[str, list[Pair]] = {name: [] for name in wanted}
    for pair in pairs:
        counts = pair.triggered_without is not False and pair.triggered_with is not False
        if pair.task_id in mine and counts:
            mine[pair.task_id].append(pair)
    least = min(map(len, mine.values()), default=0)
    blank = Tally(TaskSpec("", "other"))
    rounds = []
    for task_pairs in mine.values():
        tally = replace(blank)
        for pair in task_pairs[:least]:
            tally.add(pair)
        rounds.append(tally.cells)
    return rounds
