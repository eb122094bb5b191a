"""Levels across candidates: their sum, their floor, and the share of false keeps."""

import random
import statistics
from math import exp

import pytest

from cortex.judgement.counts import Counts
from cortex.judgement.evidence import log_lift
from cortex.judgement.online_fdr import level, share
from cortex.model.experiments import TaskRole, TaskSpec

BOUND = 0.2


def test_all_shares_sum_to_at_most_1() -> None:
    tests = 20_000
    total = sum(share(number) for number in range(1, tests + 1))
    tail = 0.75 * 2 * (tests + 0.8) ** -0.5 / 1.31132
    assert 0.9999 < total + tail <= 1.0


def test_the_first_test_has_level_alpha() -> None:
    assert level(1, 0, BOUND, 0.05).alpha == 0.05
    assert level(1, 9, BOUND, 0.05).alpha == 0.05


def test_keeps_raise_later_levels_and_other_tests_lower_them() -> None:
    needed = [1 / level(number, 0, BOUND, 0.05).alpha for number in (1, 2, 5, 10, 20)]
    assert needed == sorted(needed)
    assert level(10, 5, BOUND, 0.05).alpha > level(10, 0, BOUND, 0.05).alpha


@pytest.mark.parametrize("bound", [0.0, 1.0, -1.0])
def test_impossible_bounds_are_rejected(bound: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        level(1, 0, bound, 0.05)
    with pytest.raises(ValueError, match="at least 1"):
        share(0)


def highest_e_value(draw: random.Random, without: float, with_: float) -> float:
    """Return the highest E+ along an experiment on four tasks: the worst stopping time."""
    task_counts = [Counts(TaskSpec(str(number), TaskRole.THEME)) for number in range(4)]
    best = 1.0
    for _ in range(10):
        for counts in task_counts:
            counts._add_pair(draw.random() < without, draw.random() < with_)
            best = max(best, exp(min(log_lift(task_counts), 300)))
    return best


def false_share(e_values: list[float], useless: list[bool]) -> float:
    kept = false = 0
    for number, (e_value, is_useless) in enumerate(zip(e_values, useless, strict=True), 1):
        if e_value >= 1 / level(number, kept, BOUND, 1.0).alpha:
            kept += 1
            false += is_useless
    return false / max(1, kept)


def test_the_share_of_false_keeps_stays_below_the_bound() -> None:
    draw = random.Random(4)
    shares = []
    for _ in range(120):
        useless = [draw.random() < 0.7 for _ in range(25)]
        e_values = [
            highest_e_value(draw, 0.3, 0.3 if is_useless else 0.9) for is_useless in useless
        ]
        shares.append(false_share(e_values, useless))
    assert statistics.fmean(shares) <= BOUND


@pytest.mark.parametrize("high", [20, 100, 1000])
def test_it_does_when_all_useless_texts_share_an_e_value(high: int) -> None:
    """It is `high` or 0 with a mean of 1: the strongest dependence between nulls."""
    draw = random.Random(high)
    useless = [number % 3 > 0 for number in range(30)]
    shares = []
    for _ in range(20_000):
        shared = high if draw.random() < 1 / high else 0.0
        e_values = [shared if is_useless else 1e9 for is_useless in useless]
        shares.append(false_share(e_values, useless))
    error = statistics.stdev(shares) / len(shares) ** 0.5
    assert statistics.fmean(shares) <= BOUND + 3 * error
