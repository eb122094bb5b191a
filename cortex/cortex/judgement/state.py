"""The statistics that rulings and scheduling are computed from."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from cortex.judgement.counts import Counts, count
from cortex.judgement.evidence import (
    log_guarded_harm,
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
"""Priors of pass rates: of a theme's tasks, of any task, of tasks that pass without the text."""

TRIALS_BEFORE_UNUSED = 2
"""Trials with the text, of each task, before text that never loaded is ruled unused."""

SINGLE_ARM_WEIGHT = 0.8
"""Weight of trials with the text alone in the mixture against a mean drop of guarded tasks."""


@dataclass(frozen=True, slots=True)
class GateState:
    """The statistics that rulings and scheduling are computed from."""

    policy: Policy
    task_counts: tuple[Counts, ...]
    """Counts of all tasks that can load the text."""
    target: tuple[Counts, ...]
    """Tasks on which it has to help: those of the theme, else all, that ran and load the text. E+
    and harm include tasks that never load it: loading may correlate with passing, so excluding
    them would select by outcome."""
    themed: bool
    """Whether the text was written for some of the tasks."""
    trials: int
    """Trials so far, in pairs and single-arm."""
    log_lift: float
    log_harm: float
    log_futility: float
    """Null: it helps by delta or more on average over the target."""
    log_no_mean_drop: float
    """Null: tasks outside of the target drop by tau or more on average."""
    log_no_loss: float
    """Of an exchange; null: the target drops by delta or more on average."""

    @property
    def loaded_tasks(self) -> tuple[Counts, ...]:
        """Tasks on which the text loaded at least once, or may have."""
        return tuple(counts for counts in self.task_counts if counts.may_have_loaded)

    @property
    def lift(self) -> float:
        """Mean over tasks of the pass rate with minus without."""
        counted = [counts for counts in self.target if counts.pairs]
        if not counted:
            return 0.0
        return sum((t.passes_with - t.passes_without) / t.pairs for t in counted) / len(counted)

    @property
    def log_threshold(self) -> float:
        """Log threshold of the lift and of harm."""
        return log(1 / self.policy.alpha)

    @property
    def log_keep_threshold(self) -> float:
        """Log threshold of the lift for a keep, which earlier candidates may raise."""
        return log(1 / (self.policy.keep_alpha or self.policy.alpha))

    @property
    def never_loaded(self) -> tuple[Counts, ...]:
        """Tasks on which the text never loaded in enough trials."""
        return tuple(counts for counts in self.task_counts if _never_loaded_on(counts))

    def guarded(self, direction: Direction) -> tuple[Counts, ...]:
        """Return the tasks that the change must not make worse.

        For an addition: tasks outside of the target, except those that fail without the text
        anyway; otherwise all. Tasks that never load the text are excluded.
        """
        never_loaded = {id(counts) for counts in self.never_loaded}
        concerned = [counts for counts in self.task_counts if id(counts) not in never_loaded]
        if direction is not Direction.ADD:
            return tuple(concerned)
        if not self.themed:
            return tuple(counts for counts in concerned if 2 * counts.passes_without > counts.pairs)
        return tuple(
            counts
            for counts in concerned
            if counts.spec.role is not TaskRole.THEME and not _fails_anyway(counts)
        )

    def is_cleared(self, counts: Counts, direction: Direction) -> bool:
        """Whether a large change for the worse is rejected on a task."""
        policy = self.policy
        if direction is Direction.REMOVE:
            evidence = log_not_helped(counts.cells, policy.prune_task_tau, counts.single_arm)
            return evidence >= log(1 / policy.prune_task_alpha)
        evidence = log_not_dropped(counts.cells, policy.task_tau, counts.single_arm)
        return evidence >= log(1 / policy.task_alpha)

    def is_condemned(self, counts: Counts, among: int = 1) -> bool:
        """Whether harm is shown on a task, Bonferroni-corrected for `among` tasks."""
        suspicious = counts.only_without > counts.only_with
        return suspicious and log_guarded_harm(counts.cells) >= log(among / self.policy.alarm)


def gate_state(
    tasks: Sequence[TaskSpec],
    pairs: Sequence[Pair],
    policy: Policy,
    direction: Direction = Direction.ADD,
) -> GateState:
    """Return the counts and e-values of an experiment. Raises ValueError without tasks."""
    if not tasks:
        raise ValueError("an experiment needs at least one task")
    task_counts = tuple(count(tasks, pairs).values())
    exchanges = direction.exchanges
    themed = not exchanges and any(counts.spec.role is TaskRole.THEME for counts in task_counts)
    target = [t for t in task_counts if t.spec.role is TaskRole.THEME or not themed]
    outside = [t for t in task_counts if themed and t.spec.role is not TaskRole.THEME]
    concerned = [counts for counts in target if not _never_loaded_on(counts)]
    histories = [counts.history for counts in concerned]
    return GateState(
        policy=policy,
        task_counts=task_counts,
        target=tuple(counts for counts in concerned if counts.runs),
        themed=themed,
        trials=sum(counts.trials for counts in task_counts),
        log_lift=log_lift(target),
        log_harm=log_harm(outside, target),
        log_futility=log_no_mean_change(histories, policy.delta, FAILING if themed else USUAL),
        log_no_loss=log_no_mean_change(histories, -policy.delta, USUAL) if exchanges else 0.0,
        log_no_mean_drop=_log_no_mean_drop(
            [t for t in outside if t.may_have_loaded and not _fails_anyway(t)], policy
        ),
    )


def _log_no_mean_drop(guarded: Sequence[Counts], policy: Policy) -> float:
    """Return log E against "the mean drop over these tasks is tau or more".

    A mean drop of tau bounds the mean rate with the text by 1 - tau, so most of the weight of the
    mixture goes to trials with the text, which need no counterpart, the rest to pairs.
    """
    single_arm = log_mean_above([t.with_history for t in guarded], 1 - policy.tau, PASSING)
    paired = log_no_mean_change([t.history for t in guarded], -policy.tau, PASSING)
    return log_mean_exp([(SINGLE_ARM_WEIGHT, single_arm), (1 - SINGLE_ARM_WEIGHT, paired)])


def is_safe(state: GateState, direction: Direction) -> bool:
    """Whether every guarded task is cleared and, for an addition, their mean drop rejected."""
    guarded = state.guarded(direction)
    if not all(state.is_cleared(counts, direction) for counts in guarded):
        return False
    outside = state.themed and direction is Direction.ADD and guarded
    return not outside or state.log_no_mean_drop >= log(1 / state.policy.guard_alpha)


def never_loads(state: GateState) -> bool:
    """Whether the text loaded in no trial although its tasks ran, or no task can load it."""
    return not state.loaded_tasks and all(
        t.trials_with >= TRIALS_BEFORE_UNUSED for t in state.task_counts
    )


def _never_loaded_on(counts: Counts) -> bool:
    return counts.trials_with >= TRIALS_BEFORE_UNUSED and not counts.may_have_loaded


def _fails_anyway(counts: Counts) -> bool:
    """Whether a task never passed without the text, so that it cannot drop.

    Tasks that remain passed without at least once, which can only make a drop look larger.
    """
    trials = counts.pairs + counts.without_passed + counts.without_failed
    return trials >= TRIALS_BEFORE_UNUSED and counts.passes_without + counts.without_passed == 0
