"""One candidate through the shipping decision rule, on published outcomes in a random order.

Known are counts per sweep, task and arm. Which trial came first, which two make a pair and, where
only a total is published, in which of them the text loaded is drawn anew for each resample.
"""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import fmean

from benchmarks.reference.candidates import Candidate, Sweep
from cortex.judgement import Judgement, Policy, TaskSpec, judge
from cortex.model.experiments import TaskRole
from cortex.model.trials import BOTH, Arm, Pair, Run

POLICY = Policy()
UNDECIDED = "undecided"

Loaded = bool | None

Slot = tuple[str, int]
"""Task and number of a trial with the text."""


@dataclass(slots=True)
class Left:
    """Published trials of one task that are not used yet, next one last."""

    without: list[bool] = field(default_factory=list)
    with_: list[tuple[bool, Loaded]] = field(default_factory=list)

    def has(self, run: Run) -> bool:
        """Whether the run can be answered by what is left."""
        return (Arm.WITHOUT not in run.arms or bool(self.without)) and (
            Arm.WITH not in run.arms or bool(self.with_)
        )

    def take(self, run: Run) -> Pair:
        """Use up the next trials."""
        without = self.without.pop() if Arm.WITHOUT in run.arms else None
        if Arm.WITH not in run.arms:
            return Pair(run.task_id, without, None, False)
        passed, loaded = self.with_.pop()
        return Pair(run.task_id, without, passed, loaded)


@dataclass(frozen=True, slots=True)
class Resample:
    """How one order of the published trials ends."""

    ruling: str
    pairs: tuple[Pair, ...]
    judgement: Judgement

    @property
    def trials(self) -> int:
        """Trials used."""
        return sum(len(pair.arms) for pair in self.pairs)


@dataclass(frozen=True, slots=True)
class Replayed:
    """All resamples of one candidate."""

    candidate: Candidate
    resamples: tuple[Resample, ...]

    @property
    def shares(self) -> dict[str, float]:
        """Ruling -> share of resamples, the largest first."""
        counts = Counter(one.ruling for one in self.resamples)
        return {ruling: n / len(self.resamples) for ruling, n in counts.most_common()}

    @property
    def modal(self) -> str:
        """The most frequent ruling."""
        return next(iter(self.shares))

    @property
    def mean_trials(self) -> float:
        """Trials used until the verdict, or all that help when there is none."""
        return fmean(one.trials for one in self.resamples)

    @property
    def typical(self) -> Resample:
        """The resample of the modal ruling whose evidence for a lift is the median."""
        mine = [one for one in self.resamples if one.ruling == self.modal]
        return sorted(mine, key=lambda one: one.judgement.e_value)[len(mine) // 2]


def replay(candidate: Candidate, resamples: int, seed: int, *, visible: bool = False) -> Replayed:
    """Run every resample; the same seed gives the same result.

    With `visible` a skill counts as loaded when its description was visible, opened or not.
    """
    draws = [random.Random(f"{seed} {candidate.id} {number}") for number in range(resamples)]
    return Replayed(candidate, tuple(_once(candidate, draw, visible) for draw in draws))


def _once(candidate: Candidate, draw: random.Random, visible: bool) -> Resample:
    specs = specs_of(candidate)
    left = shuffled(candidate, draw, visible=visible)
    pairs: list[Pair] = []
    while True:
        judgement = judge(candidate.direction, specs, pairs, POLICY, len(specs))
        run = _next(judgement.batch, specs, left) if judgement.ruling is None else None
        if run is None:
            return Resample(str(judgement.ruling or UNDECIDED), tuple(pairs), judgement)
        pairs.append(left[run.task_id].take(run))


def specs_of(candidate: Candidate) -> list[TaskSpec]:
    """Return the tasks; where the text was visible nowhere, its trials still have to show that."""
    nowhere = not any(candidate.tasks.values())
    return [
        TaskSpec(
            task,
            TaskRole.THEME if task in candidate.theme else TaskRole.OTHER,
            can_load=nowhere or seen,
        )
        for task, seen in candidate.tasks.items()
    ]


def _next(batch: Sequence[Run], specs: Sequence[TaskSpec], left: dict[str, Left]) -> Run | None:
    """Return the first run that the scheduler asks for and the lab ran, else what is left over.

    That may lie on tasks that the scheduler would have asked for later or never, and may be half
    of a pair that it asks for.
    """
    tasks = [
        one.id for one in sorted(specs, key=lambda s: s.role is not TaskRole.THEME) if one.can_load
    ]
    rest = [Run(task, arms) for arms in (BOTH, *((arm,) for arm in BOTH)) for task in tasks]
    return next((run for run in (*batch, *rest) if left[run.task_id].has(run)), None)


def shuffled(candidate: Candidate, draw: random.Random, *, visible: bool) -> dict[str, Left]:
    """Return the trials of each task: sweeps in their order, trials of a sweep in a random one."""
    left: dict[str, Left] = {task: Left() for task in candidate.tasks}
    for sweep in reversed(candidate.sweeps):
        loads = _loads(candidate, sweep, draw, visible=visible)
        for one in sweep.counts:
            without = [number < one.without for number in range(one.runs)]
            with_ = loads[one.task]
            draw.shuffle(without)
            draw.shuffle(with_)
            left[one.task].without += without
            left[one.task].with_ += with_
    return left


def _loads(
    candidate: Candidate, sweep: Sweep, draw: random.Random, *, visible: bool
) -> dict[str, list[tuple[bool, Loaded]]]:
    """Return outcome and load of the trials with the text, by task.

    A rule that is said to reach a task loaded there at least once; more is not assumed.
    """
    passed = {one.task: [n < one.with_ for n in range(one.runs)] for one in sweep.counts}
    loaded: dict[str, list[Loaded]] = {task: [False] * len(runs) for task, runs in passed.items()}
    silent = [(task, passed[task].index(outcome)) for task, outcome in sweep.silent]
    reached = [one.task for one in sweep.counts if one.exposed]
    slots = [(task, n) for task in reached for n in range(len(passed[task]))]
    free = [slot for slot in slots if slot not in silent]
    draw.shuffle(free)
    total = sweep.visible if visible else sweep.loads
    known = total is not None or visible or candidate.kind == "rule"
    for task, number in _spread(free, total, each=candidate.kind == "rule"):
        loaded[task][number] = True if known else None
    return {task: list(zip(passed[task], loaded[task], strict=True)) for task in passed}


def _spread(free: list[Slot], total: int | None, *, each: bool) -> list[Slot]:
    """Return `total` of the slots (None: all); with `each` one of every task comes first."""
    first = set({task: (task, number) for task, number in free}.values()) if each else set()
    return sorted(free, key=lambda slot: slot not in first)[:total]
