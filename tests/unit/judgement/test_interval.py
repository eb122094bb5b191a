"""The confidence sequence of the lift: covers at any time, and narrows."""

import random

import pytest

from cortex.judgement import TaskSpec
from cortex.judgement.counts import Counts
from cortex.judgement.interval import lift_interval
from cortex.model.experiments import TaskRole
from cortex.model.trials import Pair


def counts(both: int = 0, only_without: int = 0, only_with: int = 0, neither: int = 0) -> Counts:
    task_counts = Counts(TaskSpec("t", TaskRole.THEME))
    task_counts.both, task_counts.neither = both, neither
    task_counts.only_without, task_counts.only_with = only_without, only_with
    return task_counts


def test_without_pairs_the_interval_is_everything() -> None:
    assert lift_interval([], 0.05) == (-1.0, 1.0)


def test_it_narrows_around_the_observed_difference() -> None:
    low, high = lift_interval([counts(both=20, neither=20)], 0.05)
    assert -0.3 < low < 0 < high < 0.3
    low, high = lift_interval([counts(only_with=10)], 0.05)
    assert low > 0.2
    assert high == 1.0


@pytest.mark.parametrize(("without", "with_"), [(0.2, 0.2), (0.1, 0.9), (0.5, 0.7), (0.95, 0.5)])
def test_it_covers_the_true_lift_at_all_times(without: float, with_: float) -> None:
    draw = random.Random(f"{without} {with_}")
    missed = 0
    for _ in range(120):
        counted = counts()
        for _ in range(40):
            counted.add(Pair("t", draw.random() < without, draw.random() < with_, True))
            low, high = lift_interval([counted], 0.05)
            if not low <= with_ - without <= high:
                missed += 1
                break
    assert missed <= 6
