"""The fewest contrary pairs that would undo a ruling, found by asking the gate."""

from collections.abc import Sequence
from dataclasses import dataclass

from cortex.judgement.counts import count
from cortex.judgement.policy import Direction
from cortex.judgement.verdict import Judgement, judge
from cortex.model.experiments import Policy, TaskRole, TaskSpec
from cortex.model.trials import Pair
from cortex.model.verdicts import Ruling

FURTHER = 12
"""Runs that are looked ahead."""


@dataclass(frozen=True, slots=True)
class Reversal:
    """Pairs that would have to be added before the ruling is not given any more."""

    pairs: int
    task_ids: tuple[str, ...]
    """Where: all on one task, or spread evenly over these."""
    passes_with: bool
    passes_without: bool
    """How each of them turns out; equal where it is enough that the text loads."""
    ruling: Ruling | None
    """What would be said instead; None: open."""


def undoing(
    direction: Direction,
    tasks: Sequence[TaskSpec],
    pairs: Sequence[Pair],
    policy: Policy,
    now: Judgement,
) -> Reversal | None:
    """Return the cheapest way to undo the ruling `now`; None: none within FURTHER pairs.

    Tried are contrary pairs on each one task alone and, evenly, on all tasks that the text was
    made for. More pairs of a kind never strengthen what they contradict, so the number of each
    way is found by bisection. Text that never loaded needs one trial in which it does.
    """
    places = _places(tasks, pairs)
    helped = now.ruling in (Ruling.KEEP, Ruling.RETAIN)
    outcome, limit = ((True, False) if helped else (False, True)), FURTHER
    if not now.loaded:
        outcome, limit = (True, True), 1

    def after(place: Sequence[str], number: int) -> Ruling | None:
        more = [Pair(place[i % len(place)], *outcome, True) for i in range(number)]
        return judge(direction, tasks, [*pairs, *more], policy).ruling

    best: tuple[int, tuple[str, ...]] = (limit + 1, ())
    for place in places:
        fewest, most = 0, best[0] - 1
        if most < 1 or after(place, most) is now.ruling:
            continue
        while most - fewest > 1:
            middle = (most + fewest) // 2
            if after(place, middle) is now.ruling:
                fewest = middle
            else:
                most = middle
        best = (most, place)
    if not best[1]:
        return None
    becomes = after(best[1], best[0])
    return Reversal(
        pairs=best[0],
        task_ids=best[1],
        passes_with=outcome[1],
        passes_without=outcome[0],
        ruling=None if becomes is Ruling.UNDECIDED else becomes,
    )


def _places(tasks: Sequence[TaskSpec], pairs: Sequence[Pair]) -> list[tuple[str, ...]]:
    """Return where to add pairs; of tasks with equal counts only the first: they act alike."""
    alike: dict[object, str] = {}
    for counts in count(tasks, pairs).values():
        spec = counts.spec
        state = (
            counts.cells,
            counts.single_arm,
            counts.loads,
            counts.unknown_loads,
            counts.untriggered,
        )
        alike.setdefault((spec.role, spec.held_out, state), spec.id)
    theme = [task.id for task in tasks if task.role is TaskRole.THEME and task.can_load]
    about = theme or [task.id for task in tasks if task.can_load]
    single_arm = [(one,) for one in alike.values()]
    return [*single_arm, tuple(about)] if len(about) > 1 else list(single_arm)
