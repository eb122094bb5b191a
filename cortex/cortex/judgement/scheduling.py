"""What runs next: which tasks, and in which arms. A choice may depend on the past only."""

from collections.abc import Sequence
from math import log

from cortex.judgement.counts import Counts
from cortex.judgement.policy import Direction
from cortex.judgement.state import TRIALS_BEFORE_UNUSED, State, is_safe, state_of
from cortex.model.experiments import Policy, TaskRole, TaskSpec
from cortex.model.trials import BOTH, Arm, Pair, Run

PROMISING = log(2.0)
"""Evidence for the lift from which on the most telling tasks are repeated."""

CLOSE = 0.1
"""Gains nearer than this to the best one are as good."""

RELIABLE = 0.7
"""Expected rate from which on a trial of one arm alone says more for its price than a pair."""

ROUNDS_ALONE = 5
"""Trials alone of each guarded task, after which pairs have to show that their mean is kept."""


def next_batch(
    direction: Direction,
    tasks: Sequence[TaskSpec],
    pairs: Sequence[Pair],
    policy: Policy,
    width: int,
) -> tuple[Run, ...]:
    """Return up to `width` runs beside each other, each on another task; empty: none left.

    New tasks come before repeats. While the lift is open the target's tasks run, in pairs; once it
    is shown, the guarded ones that are not cleared, in the one arm that can clear them.
    """
    return choose(state_of(tasks, pairs, policy, direction), direction, width)


def choose(state: State, direction: Direction, width: int) -> tuple[Run, ...]:
    """Return what `next_batch` does, of a state that is known already."""
    usable = [counts for counts in state.task_counts if _usable(counts, state.policy, direction)]
    wanted = _RULES[direction](state, usable)
    room = 2 * state.policy.max_pairs - state.trials
    chosen: list[Run] = []
    for run in wanted[: max(0, width)]:
        room -= len(run.arms)
        if room >= 0:
            chosen.append(run)
    return tuple(chosen)


def _pairs(task_counts: Sequence[Counts]) -> list[Run]:
    return [Run(counts.spec.id) for counts in sorted(task_counts, key=lambda counts: counts.run)]


def _added(state: State, usable: list[Counts]) -> list[Run]:
    target = [counts for counts in usable if counts.spec.role is TaskRole.THEME or not state.themed]
    if _stuck(state, usable, Direction.ADD):
        return []
    if state.log_lift < state.enough_to_keep:
        patience = state.policy.hopeless_after
        open_target = [t for t in target if t.run < patience or state.log_lift > 0]
        promising = state.log_lift > PROMISING
        return _pairs(_most_telling(open_target) if promising else open_target)
    if is_safe(state, Direction.ADD):
        return _pairs(target)
    mine = _guarded(state, usable, Direction.ADD)
    unclear = [counts for counts in mine if not state.is_cleared(counts, Direction.ADD)]
    wanted = [counts for counts in unclear if _drops(counts)] or unclear or mine
    return [_guarding(counts) for counts in sorted(wanted, key=lambda counts: counts.run)]


def _guarding(counts: Counts) -> Run:
    """Return a trial with the text alone, while its passes say all that a pair could."""
    trials = counts.pairs + counts.with_passed + counts.with_failed
    expected = (counts.with_ + counts.with_passed + 3.0) / (trials + 3.2)
    in_vain = sum(counts.single_arm) >= ROUNDS_ALONE and not counts.with_failed
    return Run(counts.spec.id, BOTH if expected < RELIABLE or in_vain else (Arm.WITH,))


def _drops(counts: Counts) -> bool:
    return counts.only_without > counts.only_with or counts.with_failed > 0


def _removed(state: State, usable: list[Counts]) -> list[Run]:
    if _stuck(state, usable, Direction.REMOVE):
        return _pairs(_most_telling(usable)) if state.log_lift > 0 else []
    mine = _guarded(state, usable, Direction.REMOVE)
    unclear = [counts for counts in mine if not state.is_cleared(counts, Direction.REMOVE)]
    needed = [counts for counts in unclear if counts.only_with > counts.only_without]
    if needed or state.log_futility < state.enough:
        return _pairs(needed or mine)
    wanted = sorted(unclear or mine, key=lambda counts: counts.run)
    return [Run(counts.spec.id, _telling_arms(counts)) for counts in wanted]


def _exchanged(state: State, usable: list[Counts]) -> list[Run]:
    if _stuck(state, usable, Direction.MERGE):
        return []
    mine = _guarded(state, usable, Direction.MERGE)
    unclear = [counts for counts in mine if not state.is_cleared(counts, Direction.MERGE)]
    dropped = [counts for counts in unclear if counts.only_without > counts.only_with]
    if dropped or state.log_no_loss < state.enough:
        return _pairs(dropped or mine)
    wanted = sorted(unclear or mine, key=lambda counts: counts.run)
    return [_guarding(counts) for counts in wanted]


_RULES = {
    Direction.ADD: _added,
    Direction.REMOVE: _removed,
    Direction.RESCOPE: _exchanged,
    Direction.MERGE: _exchanged,
}


def _telling_arms(counts: Counts) -> tuple[Arm, ...]:
    """Return the arm that is likelier to show that a task does not need the text.

    A pass without it or a fail with it. Where neither is likely a pair says more.
    """
    passed = counts.without + counts.without_passed
    failed = counts.pairs - counts.with_ + counts.with_failed
    passes = (passed + 1) / (counts.pairs + counts.without_passed + counts.without_failed + 1.4)
    fails = (failed + 1) / (counts.pairs + counts.with_passed + counts.with_failed + 1.4)
    if max(passes, fails) < RELIABLE:
        return BOTH
    return (Arm.WITHOUT,) if passes >= fails else (Arm.WITH,)


def _guarded(state: State, usable: list[Counts], direction: Direction) -> list[Counts]:
    guarded = {counts.spec.id for counts in state.guarded(direction)}
    return [counts for counts in usable if counts.spec.id in guarded]


def _stuck(state: State, usable: list[Counts], direction: Direction) -> bool:
    """Whether some guarded task is at its limit and still unclear: more pairs change nothing."""
    free = {counts.spec.id for counts in usable}
    spent = [counts for counts in state.guarded(direction) if counts.spec.id not in free]
    return any(counts.run and not state.is_cleared(counts, direction) for counts in spent)


def _most_telling(target: list[Counts]) -> list[Counts]:
    """Return tasks that have not run yet, else those on which the text helped most so far."""
    fresh = [counts for counts in target if not counts.run]
    best = max((_gain(counts) for counts in target), default=0.0)
    return fresh or [counts for counts in target if _gain(counts) >= best - CLOSE]


def _gain(counts: Counts) -> float:
    return (counts.only_with - counts.only_without) / (counts.run + 1)


def _usable(counts: Counts, policy: Policy, direction: Direction) -> bool:
    """Whether a task may run again: not at its limit, and not one that never loads the text."""
    never_loaded = counts.trials_with >= TRIALS_BEFORE_UNUSED and not counts.reached
    removes = direction is Direction.REMOVE
    limit = policy.max_pairs_per_old_task if removes else policy.max_pairs_per_task
    return counts.run < limit and not never_loaded
