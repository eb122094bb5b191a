"""Pairs, counted per task: the only thing that the gate reads."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cortex.errors import UsageError
from cortex.judgement.policy import TaskSpec
from cortex.model.trials import Pair

Cells = tuple[int, int, int, int]
"""Pairs that passed in both arms, only without, only with, in none."""


@dataclass(slots=True)
class Tally:
    """The pairs of one task, counted."""

    spec: TaskSpec
    both: int = 0
    only_without: int = 0
    only_with: int = 0
    neither: int = 0
    loads: int = 0
    unknown_loads: int = 0
    untriggered: int = 0
    """Pairs in which the load condition was not met in both arms: run, but no evidence."""

    @property
    def cells(self) -> Cells:
        """The pairs that are evidence."""
        return (self.both, self.only_without, self.only_with, self.neither)

    @property
    def pairs(self) -> int:
        """Pairs that are evidence."""
        return self.both + self.only_without + self.only_with + self.neither

    @property
    def run(self) -> int:
        """All pairs that were run."""
        return self.pairs + self.untriggered

    @property
    def without(self) -> int:
        """Passes without."""
        return self.both + self.only_without

    @property
    def with_(self) -> int:
        """Passes with."""
        return self.both + self.only_with

    @property
    def reached(self) -> bool:
        """Whether the text reached the model at least once, or may have."""
        return self.loads + self.unknown_loads > 0

    def add(self, pair: Pair) -> None:
        """Count one pair."""
        self.loads += pair.loaded is True
        self.unknown_loads += pair.loaded is None
        if pair.triggered_without is False or pair.triggered_with is False:
            self.untriggered += 1
        elif pair.with_:
            self.both += pair.without
            self.only_with += not pair.without
        else:
            self.only_without += pair.without
            self.neither += not pair.without


def count(tasks: Sequence[TaskSpec], pairs: Iterable[Pair]) -> dict[str, Tally]:
    """Return the tally of each task that can load the text, in the order of `tasks`.

    Raises UsageError for a double task list, a pair of an unknown task and text that loaded where
    it cannot.
    """
    specs = {task.id: task for task in tasks}
    if len(specs) != len(tasks):
        raise UsageError("the experiment lists a task twice")
    tallies = {task.id: Tally(task) for task in tasks if task.can_load}
    for pair in pairs:
        tally = tallies.get(pair.task_id)
        if tally is not None:
            tally.add(pair)
        elif pair.task_id not in specs:
            raise UsageError(
                f"a pair belongs to {pair.task_id}, which the experiment does not list"
            )
        elif pair.loaded:
            raise UsageError(f"the text loaded on {pair.task_id}, which is said not to load it")
    return tallies
