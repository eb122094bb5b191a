"""Pairs, counted per task: the only thing that the gate reads."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from cortex.errors import UsageError
from cortex.model.experiments import TaskSpec
from cortex.model.trials import Pair

Cells = tuple[int, int, int, int]
"""Pairs that passed in both arms, only without, only with, in none."""

Outcome = tuple[bool, bool]
"""Passed without, passed with."""

SingleArm = tuple[int, int, int, int]
"""Trials of one arm alone: without passed, without failed, with passed, with failed."""


@dataclass(slots=True)
class Counts:
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
    without_passed: int = 0
    """Of trials without that were run alone; the next three likewise."""
    without_failed: int = 0
    with_passed: int = 0
    with_failed: int = 0
    trials_with: int = 0
    """Trials with the text, alone or not: those that could have loaded it."""
    trials: int = 0
    """Run, of pairs and alone."""
    history: list[Outcome] = field(default_factory=list)
    """Of the pairs that are evidence, in order."""
    with_history: list[bool] = field(default_factory=list)
    """Of the trials with the text that are evidence, in order."""

    @property
    def cells(self) -> Cells:
        """The pairs that are evidence."""
        return (self.both, self.only_without, self.only_with, self.neither)

    @property
    def single_arm(self) -> SingleArm:
        """Trials of one arm alone that are evidence."""
        return (self.without_passed, self.without_failed, self.with_passed, self.with_failed)

    @property
    def pairs(self) -> int:
        """Pairs that are evidence."""
        return self.both + self.only_without + self.only_with + self.neither

    @property
    def run(self) -> int:
        """All pairs and single trials that were run."""
        return self.pairs + self.untriggered + sum(self.single_arm)

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
        """Count one pair, or one trial alone."""
        without, with_ = pair.without, pair.with_
        self.trials += (without is not None) + (with_ is not None)
        if with_ is not None:
            self.trials_with += 1
            self.loads += pair.loaded is True
            self.unknown_loads += pair.loaded is None
        if pair.triggered_without is False or pair.triggered_with is False:
            self.untriggered += 1
            return
        if with_ is not None:
            self.with_history.append(with_)
        if without is None or with_ is None:
            self._add_alone(pair)
        else:
            self._add_pair(without, with_)

    def _add_pair(self, without: bool, with_: bool) -> None:
        self.history.append((without, with_))
        if with_:
            self.both += without
            self.only_with += not without
        else:
            self.only_without += without
            self.neither += not without

    def _add_alone(self, pair: Pair) -> None:
        self.without_passed += pair.without is True
        self.without_failed += pair.without is False
        self.with_passed += pair.with_ is True
        self.with_failed += pair.with_ is False


def count(tasks: Sequence[TaskSpec], pairs: Iterable[Pair]) -> dict[str, Counts]:
    """Return the tally of each task that can load the text, in the order of `tasks`.

    Raises UsageError for a double task list, a pair of an unknown task and text that loaded where
    it cannot.
    """
    specs = {task.id: task for task in tasks}
    if len(specs) != len(tasks):
        raise UsageError("the experiment lists a task twice")
    task_counts = {task.id: Counts(task) for task in tasks if task.can_load}
    for pair in pairs:
        counts = task_counts.get(pair.task_id)
        if counts is not None:
            counts.add(pair)
        elif pair.task_id not in specs:
            raise UsageError(
                f"a pair belongs to {pair.task_id}, which the experiment does not list"
            )
        elif pair.loaded:
            raise UsageError(f"the text loaded on {pair.task_id}, which is said not to load it")
    return task_counts
