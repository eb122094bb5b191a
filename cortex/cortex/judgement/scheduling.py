"""Which tasks get the next pairs. A choice may depend on the past only."""

from collections.abc import Sequence
from math import log

from cortex.judgement.policy import Direction, Policy, TaskSpec
from cortex.judgement.state import PAIRS_BEFORE_UNUSED, State, is_safe, state_of
from cortex.judgement.tally import Tally
from cortex.model.trials import Pair

PROMISING = log(2.0)
"""Evidence for the lift from which on the most telling tasks are repeated."""

CLOSE = 0.1
"""Gains nearer than this to the best one are as good."""


def next_wave(
    direction: Direction,
    tasks: Sequence[TaskSpec],
    pairs: Sequence[Pair],
    policy: Policy,
    width: int,
) -> tuple[str, ...]:
    """Return the ids of up to `width` tasks to run as pairs beside each other; empty: none left.

    New tasks come before repeats. While the lift is open the target's tasks run; once it is shown,
    the guarded ones that are not cleared.
    """
    return choose(state_of(tasks, pairs, policy), direction, width)


def choose(state: State, direction: Direction, width: int) -> tuple[str, ...]:
    """Return what `next_wave` does, of a state that is known already."""
    width = min(width, state.policy.max_pairs - state.pairs)
    usable = [tally for tally in state.tallies if _usable(tally, state.policy, direction)]
    wanted = _wanted(state, usable, direction)
    chosen = sorted(wanted, key=lambda tally: tally.run)
    return tuple(tally.spec.id for tally in chosen[: max(0, width)])


def _wanted(state: State, usable: list[Tally], direction: Direction) -> list[Tally]:
    target = [tally for tally in usable if tally.spec.role == "theme" or not state.themed]
    guarded = {tally.spec.id for tally in state.guarded(direction)}
    mine = [tally for tally in usable if tally.spec.id in guarded]
    unclear = [tally for tally in mine if not state.is_cleared(tally, direction)]
    if _stuck(state, usable, direction):
        retains = direction is Direction.REMOVE and state.log_lift > 0
        return _most_telling(target) if retains else []
    if direction is Direction.REMOVE:
        return [t for t in unclear if t.only_with > t.only_without] or unclear or mine
    if state.log_lift < state.enough:
        patience = state.policy.hopeless_after
        open_target = [t for t in target if t.run < patience or state.log_lift > 0]
        return _most_telling(open_target) if state.log_lift > PROMISING else open_target
    if is_safe(state, direction):
        return target
    return [t for t in unclear if t.only_without > t.only_with] or unclear or mine


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
    silent = tally.run >= PAIRS_BEFORE_UNUSED and not tally.reached
    adds = direction is Direction.ADD
    limit = policy.max_pairs_per_task if adds else policy.max_pairs_per_old_task
    return tally.run < limit and not silent
