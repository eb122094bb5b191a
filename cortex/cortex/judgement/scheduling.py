"""Which tasks get the next pairs. A choice may depend on the past only."""

from collections.abc import Sequence

from cortex.judgement.policy import Direction, Policy, TaskSpec
from cortex.judgement.state import PAIRS_BEFORE_UNUSED, State, state_of
from cortex.judgement.tally import Tally
from cortex.model.trials import Pair


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
    state = state_of(tasks, pairs, policy)
    width = min(width, policy.max_pairs - len(pairs))
    usable = [tally for tally in state.tallies if _usable(tally, policy)]
    wanted = _wanted(state, usable, direction)
    chosen = sorted(wanted, key=lambda tally: (tally.run, _order(tasks, tally)))
    return tuple(tally.spec.id for tally in chosen[: max(0, width)])


def _wanted(state: State, usable: list[Tally], direction: Direction) -> list[Tally]:
    themed = any(tally.spec.role == "theme" for tally in state.tallies)
    target = [tally for tally in usable if tally.spec.role == "theme" or not themed]
    open_lift = state.log_lift < state.enough
    if direction is Direction.REMOVE or open_lift:
        return target or usable
    guarded = {id(tally) for tally in state.guarded(direction)}
    unclear = [
        tally
        for tally in usable
        if not tally.run or (id(tally) in guarded and not state.is_cleared(tally, direction))
    ]
    known = [tally for tally in usable if id(tally) in guarded]
    return unclear or known or target


def _usable(tally: Tally, policy: Policy) -> bool:
    """Whether a task may run again: not at its limit, and not one that never loads the text."""
    silent = tally.run >= PAIRS_BEFORE_UNUSED and not tally.reached
    return tally.run < policy.max_pairs_per_task and not silent


def _order(tasks: Sequence[TaskSpec], tally: Tally) -> int:
    return tasks.index(tally.spec)
