"""The interval of the lift: it covers at any time, and it narrows."""

import random

import pytest

from cortex.judgement import TaskSpec
from cortex.judgement.counts import Counts
from cortex.judgement.interval import lift_interval
from cortex.model.experiments import TaskRole
from cortex.model.trials import Pair


def counts(both: int = 0, only_without: int = 0, only_with: int = 0, neither: int = 0) -> Counts:
    made = Counts(TaskSpec("t", TaskRole.THEME))
    made.both, made.only_without, made.only_with, made.neither = (
        both,
        only_without,
        only_with,
        neither,
    )
    return made


def test_nothing_is_known_without_pairs() -> None:
    assert lift_interval([], 0.05) == (-1.0, 1.0)


def test_it_narrows_around_what_was_seen() -> None:
    low, high = lift_interval([counts(both=20, neither=20)], 0.05)
    assert -0.3 < low < 0 < high < 0.3
    low, high = lift_interval([counts(only_with=10)], 0.05)
    assert low > 0.2
    assert high == 1.0


@pytest.mark.parametrize(("without", "with_"), [(0.2, 0.2), (0.1, 0.9), (0.5, 0.7), (0.95, 0.5)])
def test_it_covers_the_truth_at_every_moment(without: float, with_: float) -> None:
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
