"""What runs next: which tasks, and in which arms. A choice may depend on the past only."""

from collections.abc import Sequence
from math import log

from cortex.judgement.policy import Direction, Policy, TaskSpec
from cortex.judgement.state import TRIALS_BEFORE_UNUSED, State, is_safe, state_of
from cortex.judgement.tally import Tally
from cortex.model.trials import BOTH, Arm, Pair, Run

PROMISING = log(2.0)
"""Evidence for the lift from which on the most telling tasks are repeated."""

CLOSE = 0.1
"""Gains nearer than this to the best one are as good."""

RELIABLE = 0.7
"""Expected rate from which on a trial of one arm alone says more for its price than a pair."""

ROUNDS_ALONE = 5
"""Trials alone of each guarded task, after which pairs have to show that their mean is kept."""


def next_wave(
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
    """Return what `next_wave` does, of a state that is known already."""
    usable = [tally for tally in state.tallies if _usable(tally, state.policy, direction)]
    wanted = _RULES[direction](state, usable)
    room = 2 * state.policy.max_pairs - state.trials
    chosen: list[Run] = []
    for run in wanted[: max(0, width)]:
        room -= len(run.arms)
        if room >= 0:
            chosen.append(run)
    return tuple(chosen)


def _pairs(tallies: Sequence[Tally]) -> list[Run]:
    return [Run(tally.spec.id) for tally in sorted(tallies, key=lambda tally: tally.run)]


def _added(state: State, usable: list[Tally]) -> list[Run]:
    target = [tally for tally in usable if tally.spec.role == "theme" or not state.themed]
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
    unclear = [tally for tally in mine if not state.is_cleared(tally, Direction.ADD)]
    wanted = [tally for tally in unclear if _drops(tally)] or unclear or mine
    return [_guarding(tally) for tally in sorted(wanted, key=lambda tally: tally.run)]


def _guarding(tally: Tally) -> Run:
    """Return a trial with the text alone, while its passes say all that a pair could."""
    trials = tally.pairs + tally.with_passed + tally.with_failed
    expected = (tally.with_ + tally.with_passed + 3.0) / (trials + 3.2)
    in_vain = sum(tally.singles) >= ROUNDS_ALONE and not tally.with_failed
    return Run(tally.spec.id, BOTH if expected < RELIABLE or in_vain else (Arm.WITH,))


def _drops(tally: Tally) -> bool:
    return tally.only_without > tally.only_with or tally.with_failed > 0


def _removed(state: State, usable: list[Tally]) -> list[Run]:
    if _stuck(state, usable, Direction.REMOVE):
        return _pairs(_most_telling(usable)) if state.log_lift > 0 else []
    mine = _guarded(state, usable, Direction.REMOVE)
    unclear = [tally for tally in mine if not state.is_cleared(tally, Direction.REMOVE)]
    needed = [tally for tally in unclear if tally.only_with > tally.only_without]
    if needed or state.log_futility < state.enough:
        return _pairs(needed or mine)
    wanted = sorted(unclear or mine, key=lambda tally: tally.run)
    return [Run(tally.spec.id, _telling_arms(tally)) for tally in wanted]


def _exchanged(state: State, usable: list[Tally]) -> list[Run]:
    if _stuck(state, usable, Direction.MERGE):
        return []
    mine = _guarded(state, usable, Direction.MERGE)
    unclear = [tally for tally in mine if not state.is_cleared(tally, Direction.MERGE)]
    dropped = [tally for tally in unclear if tally.only_without > tally.only_with]
    if dropped or state.log_no_loss < state.enough:
        return _pairs(dropped or mine)
    wanted = sorted(unclear or mine, key=lambda tally: tally.run)
    return [_guarding(tally) for tally in wanted]


_RULES = {
    Direction.ADD: _added,
    Direction.REMOVE: _removed,
    Direction.RESCOPE: _exchanged,
    Direction.MERGE: _exchanged,
}


def _telling_arms(tally: Tally) -> tuple[Arm, ...]:
    """Return the arm that is likelier to show that a task does not need the text.

    A pass without it or a fail with it. Where neither is likely a pair says more.
    """
    passed = tally.without + tally.without_passed
    failed = tally.pairs - tally.with_ + tally.with_failed
    passes = (passed + 1) / (tally.pairs + tally.without_passed + tally.without_failed + 1.4)
    fails = (failed + 1) / (tally.pairs + tally.with_passed + tally.with_failed + 1.4)
    if max(passes, fails) < RELIABLE:
        return BOTH
    return (Arm.WITHOUT,) if passes >= fails else (Arm.WITH,)


def _guarded(state: State, usable: list[Tally], direction: Direction) -> list[Tally]:
    guarded = {tally.spec.id for tally in state.guarded(direction)}
    return [tally for tally in usable if tally.spec.id in guarded]


def _stuck(state: State, usable: list[Tally], direction: Direction) -> bool:
    """Whether some guarded task is at its limit and still unclear: more pairs change nothing."""
    free = {tally.spec.id for tally in usable}
    spent = [tally for tally in state.guarded(direction) if tally.spec.id not in free]
    return any(tally.run and not state.is_cleared(tally, direction) for tally in spent)


def _most_telling(target: list[Tally]) -> list[Tally]:
    """Return tasks that have not run yet, else those on which the text helped most so far."""
    fresh = [tally for tally in target if not tally.run]
    best = max((_gain(tally) for tally in target), default=0.0)
    return fresh or [tally for tally in target if _gain(tally) >= best - CLOSE]


def _gain(tally: Tally) -> float:
    return (tally.only_with - tally.only_without) / (tally.run + 1)


def _usable(tally: Tally, policy: Policy, direction: Direction) -> bool:
    """Whether a task may run again: not at its limit, and not one that never loads the text."""
    silent = tally.heard >= TRIALS_BEFORE_UNUSED and not tally.reached
    removes = direction is Direction.REMOVE
    limit = policy.max_pairs_per_old_task if removes else policy.max_pairs_per_task
    return tally.run < limit and not silent
