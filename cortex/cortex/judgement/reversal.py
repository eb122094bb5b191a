"""The fewest contrary pairs that would reverse a ruling, computed by running the gate."""

from collections.abc import Sequence
from dataclasses import dataclass

from cortex.judgement.counts import count
from cortex.judgement.policy import Direction
from cortex.judgement.verdict import Judgement, judge
from cortex.model.experiments import Policy, TaskRole, TaskSpec
from cortex.model.trials import Pair
from cortex.model.verdicts import Ruling

LOOKAHEAD = 12
"""Number of hypothetical further runs."""


@dataclass(frozen=True, slots=True)
class Reversal:
    """Hypothetical pairs after which the ruling would no longer hold."""

    pairs: int
    task_ids: tuple[str, ...]
    """Tasks of these pairs: a single task, or several with the pairs spread evenly."""
    passes_with: bool
    passes_without: bool
    """Outcome of each pair; equal where loading the text alone reverses the ruling."""
    ruling: Ruling | None
    """The ruling afterwards; None: open."""


def find_reversal(
    direction: Direction,
    tasks: Sequence[TaskSpec],
    pairs: Sequence[Pair],
    policy: Policy,
    current: Judgement,
) -> Reversal | None:
    """Return the cheapest reversal of the `current` ruling; None: none within LOOKAHEAD pairs.

    Contrary pairs are tried on each task alone and, spread evenly, on all target tasks. Adding
    pairs of a kind never strengthens the ruling that they contradict, so bisection finds their
    number. Text that never loaded needs a single trial in which it loads.
    """
    supports_text = current.ruling in (Ruling.KEEP, Ruling.RETAIN)
    outcome, limit = ((True, False) if supports_text else (False, True)), LOOKAHEAD
    if not current.loaded:
        outcome, limit = (True, True), 1

    def ruling_after(task_ids: Sequence[str], number: int) -> Ruling | None:
        added = [Pair(task_ids[i % len(task_ids)], *outcome, True) for i in range(number)]
        return judge(direction, tasks, [*pairs, *added], policy).ruling

    best: tuple[int, tuple[str, ...]] = (limit + 1, ())
    for task_ids in _task_sets(tasks, pairs):
        fewest, most = 0, best[0] - 1
        if most < 1 or ruling_after(task_ids, most) is current.ruling:
            continue
        while most - fewest > 1:
            middle = (most + fewest) // 2
            if ruling_after(task_ids, middle) is current.ruling:
                fewest = middle
            else:
                most = middle
        best = (most, task_ids)
    if not best[1]:
        return None
    new_ruling = ruling_after(best[1], best[0])
    return Reversal(
        pairs=best[0],
        task_ids=best[1],
        passes_with=outcome[1],
        passes_without=outcome[0],
        ruling=None if new_ruling is Ruling.UNDECIDED else new_ruling,
    )


def _task_sets(tasks: Sequence[TaskSpec], pairs: Sequence[Pair]) -> list[tuple[str, ...]]:
    """Return the task sets to try; of tasks with equal counts only the first, as they act alike."""
    representatives: dict[object, str] = {}
    for counts in count(tasks, pairs).values():
        spec = counts.spec
        statistics = (
            counts.cells,
            counts.single_arm,
            counts.loads,
            counts.unknown_loads,
            counts.untriggered,
        )
        representatives.setdefault((spec.role, spec.held_out, statistics), spec.id)
    theme = [task.id for task in tasks if task.role is TaskRole.THEME and task.can_load]
    target = theme or [task.id for task in tasks if task.can_load]
    single_tasks = [(task_id,) for task_id in representatives.values()]
    return [*single_tasks, tuple(target)] if len(target) > 1 else list(single_tasks)
