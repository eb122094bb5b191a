"""The numbers that rulings and the choice of the next task rest on."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from cortex.errors import UsageError
from cortex.judgement.counts import Counts, count
from cortex.judgement.evidence import (
    log_broken,
    log_harm,
    log_lift,
    log_not_dropped,
    log_not_helped,
)
from cortex.judgement.mixture import log_mean_exp
from cortex.judgement.policy import Direction
from cortex.judgement.rounds import log_mean_above, log_no_mean_change
from cortex.model.experiments import Policy, TaskRole, TaskSpec
from cortex.model.trials import Pair

FAILING = ((0.03, 0.4), (0.2, 0.2), (0.4, 0.2), (0.7, 0.1), (0.95, 0.1))
USUAL = ((0.03, 0.05), (0.3, 0.05), (0.6, 0.2), (0.85, 0.25), (0.98, 0.45))
PASSING = ((0.05, 0.03), (0.5, 0.02), (0.8, 0.03), (0.97, 0.92))
"""Rates expected before the first pair: of a theme's tasks, of any, of those that passed."""

TRIALS_BEFORE_UNUSED = 2
"""With the text, of each task, before text that never loaded is called unused."""

ALONE = 0.8
"""Weight of trials with the text alone in the evidence that guarded tasks do not drop."""


@dataclass(frozen=True, slots=True)
class State:
    """The numbers that rulings and the choice of the next task rest on."""

    policy: Policy
    task_counts: tuple[Counts, ...]
    """Of all tasks that can load the text."""
    target: tuple[Counts, ...]
    """Tasks on which it has to help, the theme's or else all, as far as they ran. Without those
    that it does not concern; E+ and harm count even these, because loading may go with passing,
    and leaving out what did not load would then select by outcome."""
    themed: bool
    """The text was made for some of the tasks."""
    trials: int
    """Run so far, of pairs and alone."""
    log_lift: float
    log_harm: float
    log_futility: float
    """Against "it helps by delta or more on average over the target"."""
    log_mean_kept: float
    """Against "tasks that it was not made for drop by tau or more on average"."""
    log_no_loss: float
    """Of an exchange: against "the target drops by delta or more on average"."""

    @property
    def reached(self) -> tuple[Counts, ...]:
        """Tasks in which the text loaded at least once."""
        return tuple(counts for counts in self.task_counts if counts.reached)

    @property
    def lift(self) -> float:
        """Mean of the tasks' differences of pass rates."""
        counted = [counts for counts in self.target if counts.pairs]
        if not counted:
            return 0.0
        return sum((t.with_ - t.without) / t.pairs for t in counted) / len(counted)

    @property
    def enough(self) -> float:
        """Threshold of the lift and of harm, as a logarithm."""
        return log(1 / self.policy.alpha)

    @property
    def enough_to_keep(self) -> float:
        """Threshold of the lift for a keep, which earlier candidates may raise."""
        return log(1 / (self.policy.keep_alpha or self.policy.alpha))

    @property
    def never_loaded(self) -> tuple[Counts, ...]:
        """Tasks that ran often enough without loading the text: it does not concern them."""
        return tuple(counts for counts in self.task_counts if _is_never_loaded(counts))

    def guarded(self, direction: Direction) -> tuple[Counts, ...]:
        """Return tasks that must not get worse by the change.

        For an addition those that the text was not made for and that do not fail without it
        anyway; else all. Tasks that the text does not concern are left out.
        """
        never_loaded = {id(counts) for counts in self.never_loaded}
        trials_with = [counts for counts in self.task_counts if id(counts) not in never_loaded]
        if direction is not Direction.ADD:
            return tuple(trials_with)
        if not self.themed:
            return tuple(counts for counts in trials_with if 2 * counts.without > counts.pairs)
        return tuple(
            counts
            for counts in trials_with
            if counts.spec.role is not TaskRole.THEME and not _lost(counts)
        )

    def is_cleared(self, counts: Counts, direction: Direction) -> bool:
        """Whether a noticeable change for the worse is refuted on one task."""
        policy = self.policy
        if direction is Direction.REMOVE:
            evidence = log_not_helped(counts.cells, policy.prune_task_tau, counts.single_arm)
            return evidence >= log(1 / policy.prune_task_alpha)
        evidence = log_not_dropped(counts.cells, policy.task_tau, counts.single_arm)
        return evidence >= log(1 / policy.task_alpha)

    def is_condemned(self, counts: Counts, among: int = 1) -> bool:
        """Whether harm is shown on one task, corrected for so many that are looked at."""
        suspicious = counts.only_without > counts.only_with
        return suspicious and log_broken(counts.cells) >= log(among / self.policy.alarm)


def state_of(
    tasks: Sequence[TaskSpec],
    pairs: Sequence[Pair],
    policy: Policy,
    direction: Direction = Direction.ADD,
) -> State:
    """Count the pairs and weigh them."""
    if not tasks:
        raise UsageError("an experiment needs at least one task")
    task_counts = tuple(count(tasks, pairs).values())
    exchanges = direction.exchanges
    themed = not exchanges and any(counts.spec.role is TaskRole.THEME for counts in task_counts)
    wanted = [t for t in task_counts if t.spec.role is TaskRole.THEME or not themed]
    outside = [t for t in task_counts if themed and t.spec.role is not TaskRole.THEME]
    trials_with = [counts for counts in wanted if not _is_never_loaded(counts)]
    run = [counts.history for counts in trials_with]
    return State(
        policy=policy,
        task_counts=task_counts,
        target=tuple(counts for counts in trials_with if counts.run),
        themed=themed,
        trials=sum(counts.trials for counts in task_counts),
        log_lift=log_lift(wanted),
        log_harm=log_harm(outside, wanted),
        log_futility=log_no_mean_change(run, policy.delta, FAILING if themed else USUAL),
        log_no_loss=log_no_mean_change(run, -policy.delta, USUAL) if exchanges else 0.0,
        log_mean_kept=_log_mean_kept([t for t in outside if t.reached and not _lost(t)], policy),
    )


def _log_mean_kept(guarded: Sequence[Counts], policy: Policy) -> float:
    """Return log E against "the mean drop over these tasks is tau or more".

    A mean drop of tau leaves a mean rate of 1 - tau with the text at most: most of the weight
    looks at the trials with it, which need no counterpart, the rest at pairs.
    """
    alone = log_mean_above([t.with_history for t in guarded], 1 - policy.tau, PASSING)
    paired = log_no_mean_change([t.history for t in guarded], -policy.tau, PASSING)
    return log_mean_exp([(ALONE, alone), (1 - ALONE, paired)])


def is_safe(state: State, direction: Direction) -> bool:
    """Whether every guarded task is cleared and, for an addition, their mean drop refuted."""
    guarded = state.guarded(direction)
    if not all(state.is_cleared(counts, direction) for counts in guarded):
        return False
    outside = state.themed and direction is Direction.ADD and guarded
    return not outside or state.log_mean_kept >= log(1 / state.policy.guard_alpha)


def never_loads(state: State) -> bool:
    """Whether the text reached no trial although its tasks ran, or no task can load it."""
    return not state.reached and all(
        t.trials_with >= TRIALS_BEFORE_UNUSED for t in state.task_counts
    )


def _is_never_loaded(counts: Counts) -> bool:
    return counts.trials_with >= TRIALS_BEFORE_UNUSED and not counts.reached


def _lost(counts: Counts) -> bool:
    """Whether a task fails without the text anyway: it has nothing to lose.

    Tasks that stay have passed without at least once, which can only make a drop look larger.
    """
    tried = counts.pairs + counts.without_passed + counts.without_failed
    return tried >= TRIALS_BEFORE_UNUSED and counts.without + counts.without_passed == 0
