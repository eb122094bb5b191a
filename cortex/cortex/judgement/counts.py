"""Outcomes counted per task: the sufficient statistics of the gate."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from cortex.model.experiments import TaskSpec
from cortex.model.trials import Pair

Cells = tuple[int, int, int, int]
"""The 2x2 table of pairs: passed in both arms, only without, only with, in neither."""

PairOutcome = tuple[bool, bool]
"""Passed without, passed with."""

SingleArm = tuple[int, int, int, int]
"""Single-arm trials: without passed, without failed, with passed, with failed."""


@dataclass(slots=True)
class Counts:
    """Counts of the pairs and single-arm trials of a task."""

    spec: TaskSpec
    both: int = 0
    only_without: int = 0
    only_with: int = 0
    neither: int = 0
    loads: int = 0
    unknown_loads: int = 0
    untriggered: int = 0
    """Pairs in which the load condition was not met in both arms: excluded from the evidence."""
    without_passed: int = 0
    """Single-arm trials, as are the next three."""
    without_failed: int = 0
    with_passed: int = 0
    with_failed: int = 0
    trials_with: int = 0
    """Trials with the text, in pairs and single: those that could have loaded it."""
    trials: int = 0
    """All trials, in pairs and single."""
    history: list[PairOutcome] = field(default_factory=list)
    """Outcomes of the pairs that are evidence, in order."""
    with_history: list[bool] = field(default_factory=list)
    """Outcomes of the trials with the text that are evidence, in order."""

    @property
    def cells(self) -> Cells:
        """The pairs that are evidence."""
        return (self.both, self.only_without, self.only_with, self.neither)

    @property
    def single_arm(self) -> SingleArm:
        """Single-arm trials that are evidence."""
        return (self.without_passed, self.without_failed, self.with_passed, self.with_failed)

    @property
    def pairs(self) -> int:
        """Pairs that are evidence."""
        return self.both + self.only_without + self.only_with + self.neither

    @property
    def runs(self) -> int:
        """All pairs and single-arm trials."""
        return self.pairs + self.untriggered + sum(self.single_arm)

    @property
    def passes_without(self) -> int:
        """Pairs that passed without."""
        return self.both + self.only_without

    @property
    def passes_with(self) -> int:
        """Pairs that passed with."""
        return self.both + self.only_with

    @property
    def may_have_loaded(self) -> bool:
        """Whether the text loaded in at least one trial, or may have."""
        return self.loads + self.unknown_loads > 0

    def add(self, pair: Pair) -> None:
        """Count a pair or a single-arm trial."""
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
            self._add_single(pair)
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

    def _add_single(self, pair: Pair) -> None:
        self.without_passed += pair.without is True
        self.without_failed += pair.without is False
        self.with_passed += pair.with_ is True
        self.with_failed += pair.with_ is False


def count(tasks: Sequence[TaskSpec], pairs: Iterable[Pair]) -> dict[str, Counts]:
    """Return the counts of each task that can load the text, in the order of `tasks`.

    Raises ValueError for a task listed twice, a pair of an unknown task, and text that loaded on a
    task marked as unable to load it.
    """
    specs = {task.id: task for task in tasks}
    if len(specs) != len(tasks):
        raise ValueError("the experiment lists a task twice")
    task_counts = {task.id: Counts(task) for task in tasks if task.can_load}
    for pair in pairs:
        counts = task_counts.get(pair.task_id)
        if counts is not None:
            counts.add(pair)
        elif pair.task_id not in specs:
            raise ValueError(
                f"a pair belongs to {pair.task_id}, which is not a task of the experiment"
            )
        elif pair.loaded:
            raise ValueError(
                f"the text loaded on {pair.task_id}, which is marked as unable to load it"
            )
    return task_counts
