"""Runs the shipping decision rule on the published outcomes of a candidate, in random order.

The counts per sweep, task and arm are known. The order of trials, their pairing and, where only a
total is published, the trials in which the text loaded are drawn for each resample.
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
class UnusedTrials:
    """Published trials of a task that are not used yet, in reverse order."""

    without: list[bool] = field(default_factory=list)
    with_: list[tuple[bool, Loaded]] = field(default_factory=list)

    def has(self, run: Run) -> bool:
        """Whether enough trials are left for the run."""
        return (Arm.WITHOUT not in run.arms or bool(self.without)) and (
            Arm.WITH not in run.arms or bool(self.with_)
        )

    def take(self, run: Run) -> Pair:
        """Return the outcomes of a run and remove its trials."""
        without = self.without.pop() if Arm.WITHOUT in run.arms else None
        if Arm.WITH not in run.arms:
            return Pair(run.task_id, without, None, False)
        passed, loaded = self.with_.pop()
        return Pair(run.task_id, without, passed, loaded)


@dataclass(frozen=True, slots=True)
class Resample:
    """The result of an order of the published trials."""

    ruling: str
    pairs: tuple[Pair, ...]
    judgement: Judgement

    @property
    def trials(self) -> int:
        """Trials used."""
        return sum(len(pair.arms) for pair in self.pairs)


@dataclass(frozen=True, slots=True)
class Replayed:
    """All resamples of a candidate."""

    candidate: Candidate
    resamples: tuple[Resample, ...]

    @property
    def shares(self) -> dict[str, float]:
        """Ruling -> share of resamples, the largest first."""
        counts = Counter(resample.ruling for resample in self.resamples)
        return {ruling: count / len(self.resamples) for ruling, count in counts.most_common()}

    @property
    def modal(self) -> str:
        """The most frequent ruling."""
        return next(iter(self.shares))

    @property
    def mean_trials(self) -> float:
        """Trials used until the verdict, or until no useful trial is left."""
        return fmean(resample.trials for resample in self.resamples)

    @property
    def typical(self) -> Resample:
        """The resample of the modal ruling whose evidence for a lift is the median."""
        modal = [resample for resample in self.resamples if resample.ruling == self.modal]
        return sorted(modal, key=lambda resample: resample.judgement.e_value)[len(modal) // 2]


def replay(candidate: Candidate, resamples: int, seed: int, *, visible: bool = False) -> Replayed:
    """Run every resample; the same seed gives the same result.

    With `visible` a skill counts as loaded when its description was visible, opened or not.
    """
    draws = [random.Random(f"{seed} {candidate.id} {number}") for number in range(resamples)]
    return Replayed(candidate, tuple(_resample(candidate, draw, visible) for draw in draws))


def _resample(candidate: Candidate, draw: random.Random, visible: bool) -> Resample:
    specs = specs_of(candidate)
    unused = shuffled(candidate, draw, visible=visible)
    pairs: list[Pair] = []
    while True:
        judgement = judge(candidate.direction, specs, pairs, POLICY, len(specs))
        run = _next(judgement.batch, specs, unused) if judgement.ruling is None else None
        if run is None:
            return Resample(str(judgement.ruling or UNDECIDED), tuple(pairs), judgement)
        pairs.append(unused[run.task_id].take(run))


def specs_of(candidate: Candidate) -> list[TaskSpec]:
    """Return the tasks; text that was visible nowhere counts as loadable, so that its tasks run."""
    nowhere = not any(candidate.tasks.values())
    return [
        TaskSpec(
            task,
            TaskRole.THEME if task in candidate.theme else TaskRole.OTHER,
            can_load=nowhere or exposed,
        )
        for task, exposed in candidate.tasks.items()
    ]


def _next(
    batch: Sequence[Run], specs: Sequence[TaskSpec], unused: dict[str, UnusedTrials]
) -> Run | None:
    """Return the first run of the batch that the lab has trials for, else any other run.

    The latter may be on a task that the scheduler would have run later or never, and may be half
    of a pair of the batch.
    """
    tasks = [
        spec.id
        for spec in sorted(specs, key=lambda spec: spec.role is not TaskRole.THEME)
        if spec.can_load
    ]
    rest = [Run(task, arms) for arms in (BOTH, *((arm,) for arm in BOTH)) for task in tasks]
    return next((run for run in (*batch, *rest) if unused[run.task_id].has(run)), None)


def shuffled(
    candidate: Candidate, draw: random.Random, *, visible: bool
) -> dict[str, UnusedTrials]:
    """Return the trials of each task: sweeps in their order, trials of a sweep in random order."""
    unused: dict[str, UnusedTrials] = {task: UnusedTrials() for task in candidate.tasks}
    for sweep in reversed(candidate.sweeps):
        loads = _loads(candidate, sweep, draw, visible=visible)
        for counts in sweep.counts:
            without = [number < counts.without for number in range(counts.runs)]
            with_ = loads[counts.task]
            draw.shuffle(without)
            draw.shuffle(with_)
            unused[counts.task].without += without
            unused[counts.task].with_ += with_
    return unused


def _loads(
    candidate: Candidate, sweep: Sweep, draw: random.Random, *, visible: bool
) -> dict[str, list[tuple[bool, Loaded]]]:
    """Return outcome and load of the trials with the text, by task.

    A rule recorded as loading on a task loaded in at least one of its trials; no more is assumed.
    """
    passed = {
        counts.task: [number < counts.with_ for number in range(counts.runs)]
        for counts in sweep.counts
    }
    loaded: dict[str, list[Loaded]] = {task: [False] * len(runs) for task, runs in passed.items()}
    not_loaded = [(task, passed[task].index(outcome)) for task, outcome in sweep.not_loaded]
    exposed = [counts.task for counts in sweep.counts if counts.exposed]
    slots = [(task, number) for task in exposed for number in range(len(passed[task]))]
    loadable = [slot for slot in slots if slot not in not_loaded]
    draw.shuffle(loadable)
    total = sweep.visible if visible else sweep.loads
    is_rule = candidate.kind == "rule"
    loads_known = total is not None or visible or is_rule
    for task, number in _choose_slots(loadable, total, each_task=is_rule):
        loaded[task][number] = True if loads_known else None
    return {task: list(zip(passed[task], loaded[task], strict=True)) for task in passed}


def _choose_slots(slots: list[Slot], total: int | None, *, each_task: bool) -> list[Slot]:
    """Return `total` of the slots (None: all); with `each_task`, every task's first slot first."""
    first = set({task: (task, number) for task, number in slots}.values()) if each_task else set()
    return sorted(slots, key=lambda slot: slot not in first)[:total]
