"""Adaptive allocation: which tasks run next, in which arms. Choices depend on the past only."""

from collections.abc import Sequence
from math import log

from cortex.judgement.counts import Counts
from cortex.judgement.policy import Direction
from cortex.judgement.state import TRIALS_BEFORE_UNUSED, GateState, gate_state, is_safe
from cortex.model.experiments import Policy, TaskRole, TaskSpec
from cortex.model.trials import BOTH, Arm, Pair, Run

PROMISING = log(2.0)
"""Log E for the lift from which on the most informative tasks are repeated."""

TIE = 0.1
"""Gains within this of the best count as equal."""

RELIABLE = 0.7
"""Expected pass rate from which on a single-arm trial is more informative per trial than a pair."""

MAX_SINGLE_TRIALS = 5
"""Single-arm trials of each guarded task, after which pairs are run to reject a mean drop."""


def next_batch(
    direction: Direction,
    tasks: Sequence[TaskSpec],
    pairs: Sequence[Pair],
    policy: Policy,
    width: int,
) -> tuple[Run, ...]:
    """Return up to `width` runs to execute in parallel, on distinct tasks; empty: none left.

    New tasks come before repeats. While the lift is open, target tasks run in pairs; after that,
    guarded tasks that are not cleared run in the arm that can clear them.
    """
    return choose_batch(gate_state(tasks, pairs, policy, direction), direction, width)


def choose_batch(state: GateState, direction: Direction, width: int) -> tuple[Run, ...]:
    """Return the next batch of a state that is already computed."""
    usable = [counts for counts in state.task_counts if _usable(counts, state.policy, direction)]
    queue = _RULES[direction](state, usable)
    trials_left = 2 * state.policy.max_pairs - state.trials
    chosen: list[Run] = []
    for run in queue[: max(0, width)]:
        trials_left -= len(run.arms)
        if trials_left >= 0:
            chosen.append(run)
    return tuple(chosen)


def _pairs(task_counts: Sequence[Counts]) -> list[Run]:
    return [Run(counts.spec.id) for counts in sorted(task_counts, key=lambda counts: counts.runs)]


def _queue_addition(state: GateState, usable: list[Counts]) -> list[Run]:
    target = [counts for counts in usable if counts.spec.role is TaskRole.THEME or not state.themed]
    if _is_blocked(state, usable, Direction.ADD):
        return []
    if state.log_lift < state.log_keep_threshold:
        limit = state.policy.hopeless_after
        open_target = [t for t in target if t.runs < limit or state.log_lift > 0]
        promising = state.log_lift > PROMISING
        return _pairs(_most_informative(open_target) if promising else open_target)
    if is_safe(state, Direction.ADD):
        return _pairs(target)
    guarded = _guarded(state, usable, Direction.ADD)
    uncleared = [counts for counts in guarded if not state.is_cleared(counts, Direction.ADD)]
    suspects = [counts for counts in uncleared if _may_drop(counts)]
    queue = sorted(suspects or uncleared or guarded, key=lambda counts: counts.runs)
    return [_guard_run(counts) for counts in queue]


def _guard_run(counts: Counts) -> Run:
    """Return a single-arm trial with the text while its pass would clear as much as a pair."""
    trials = counts.pairs + counts.with_passed + counts.with_failed
    expected = (counts.passes_with + counts.with_passed + 3.0) / (trials + 3.2)
    exhausted = sum(counts.single_arm) >= MAX_SINGLE_TRIALS and not counts.with_failed
    return Run(counts.spec.id, BOTH if expected < RELIABLE or exhausted else (Arm.WITH,))


def _may_drop(counts: Counts) -> bool:
    return counts.only_without > counts.only_with or counts.with_failed > 0


def _queue_removal(state: GateState, usable: list[Counts]) -> list[Run]:
    if _is_blocked(state, usable, Direction.REMOVE):
        return _pairs(_most_informative(usable)) if state.log_lift > 0 else []
    guarded = _guarded(state, usable, Direction.REMOVE)
    uncleared = [counts for counts in guarded if not state.is_cleared(counts, Direction.REMOVE)]
    needed = [counts for counts in uncleared if counts.only_with > counts.only_without]
    if needed or state.log_futility < state.log_threshold:
        return _pairs(needed or guarded)
    queue = sorted(uncleared or guarded, key=lambda counts: counts.runs)
    return [Run(counts.spec.id, _informative_arms(counts)) for counts in queue]


def _queue_exchange(state: GateState, usable: list[Counts]) -> list[Run]:
    if _is_blocked(state, usable, Direction.MERGE):
        return []
    guarded = _guarded(state, usable, Direction.MERGE)
    uncleared = [counts for counts in guarded if not state.is_cleared(counts, Direction.MERGE)]
    dropped = [counts for counts in uncleared if counts.only_without > counts.only_with]
    if dropped or state.log_no_loss < state.log_threshold:
        return _pairs(dropped or guarded)
    queue = sorted(uncleared or guarded, key=lambda counts: counts.runs)
    return [_guard_run(counts) for counts in queue]


_RULES = {
    Direction.ADD: _queue_addition,
    Direction.REMOVE: _queue_removal,
    Direction.RESCOPE: _queue_exchange,
    Direction.MERGE: _queue_exchange,
}


def _informative_arms(counts: Counts) -> tuple[Arm, ...]:
    """Return the arm that is likelier to show that a task does not need the text.

    That is a pass without it or a fail with it. When neither is likely, return both.
    """
    passed = counts.passes_without + counts.without_passed
    failed = counts.pairs - counts.passes_with + counts.with_failed
    passes = (passed + 1) / (counts.pairs + counts.without_passed + counts.without_failed + 1.4)
    fails = (failed + 1) / (counts.pairs + counts.with_passed + counts.with_failed + 1.4)
    if max(passes, fails) < RELIABLE:
        return BOTH
    return (Arm.WITHOUT,) if passes >= fails else (Arm.WITH,)


def _guarded(state: GateState, usable: list[Counts], direction: Direction) -> list[Counts]:
    guarded = {counts.spec.id for counts in state.guarded(direction)}
    return [counts for counts in usable if counts.spec.id in guarded]


def _is_blocked(state: GateState, usable: list[Counts], direction: Direction) -> bool:
    """Whether a guarded task is at its limit and not cleared: no keep or prune can follow."""
    usable_ids = {counts.spec.id for counts in usable}
    exhausted = [counts for counts in state.guarded(direction) if counts.spec.id not in usable_ids]
    return any(counts.runs and not state.is_cleared(counts, direction) for counts in exhausted)


def _most_informative(target: list[Counts]) -> list[Counts]:
    """Return tasks that have not run yet, else those on which the text helped most so far."""
    unrun = [counts for counts in target if not counts.runs]
    best = max((_gain(counts) for counts in target), default=0.0)
    return unrun or [counts for counts in target if _gain(counts) >= best - TIE]


def _gain(counts: Counts) -> float:
    return (counts.only_with - counts.only_without) / (counts.runs + 1)


def _usable(counts: Counts, policy: Policy, direction: Direction) -> bool:
    """Whether a task may run again: below its limit, and not a task that never loads the text."""
    never_loaded = counts.trials_with >= TRIALS_BEFORE_UNUSED and not counts.may_have_loaded
    removes = direction is Direction.REMOVE
    limit = policy.max_pairs_per_old_task if removes else policy.max_pairs_per_task
    return counts.runs < limit and not never_loaded
