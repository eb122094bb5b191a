"""The trajectory of the evidence agrees with the gate at every point."""

from dataclasses import astuple
from math import log10

import pytest

from cortex.judgement import Direction, Policy, TaskSpec, judge
from cortex.judgement.trajectory import evidence_trajectory, thresholds
from cortex.model.experiments import TaskRole
from cortex.model.trials import Pair

TASKS = [TaskSpec(name, TaskRole.THEME) for name in "abcd"]
PAIRS = [Pair("abcd"[i % 4], i % 3 == 0, i % 5 > 0, True) for i in range(300)]
POLICY = Policy(max_pairs=500, max_pairs_per_task=500)


@pytest.mark.parametrize("direction", [Direction.ADD, Direction.REMOVE])
def test_every_point_matches_the_judgement_on_its_pairs(direction: Direction) -> None:
    pairs = [*PAIRS[:10], Pair("a", None, True, True)]
    trajectory = evidence_trajectory(direction, TASKS, pairs, POLICY)
    assert [point.trials for point in trajectory] == [*range(2, 21, 2), 21]
    for number, point in enumerate(trajectory, 1):
        judgement = judge(direction, TASKS, pairs[:number], POLICY)
        values = (judgement.e_value, judgement.harm_e_value, judgement.futility_e_value)
        logs = [pytest.approx(log10(value), abs=1e-4) for value in values]
        assert astuple(point)[1:7] == (judgement.lift, *judgement.interval, *logs)


def test_a_long_experiment_is_thinned_and_keeps_its_last_point() -> None:
    trajectory = evidence_trajectory(Direction.ADD, TASKS, PAIRS, POLICY, max_points=40)
    trials = [point.trials for point in trajectory]
    assert len(trajectory) == 40
    assert trials == sorted(set(trials))
    assert trials[-1] == 600
    assert evidence_trajectory(Direction.ADD, TASKS, [], POLICY) == ()


def test_thresholds_depend_on_the_direction() -> None:
    added = thresholds(Direction.ADD, Policy(keep_alpha=0.01))
    assert astuple(added) == pytest.approx((100, 20, 5, 0.05, 0.25))
    removed = thresholds(Direction.REMOVE, Policy())
    assert astuple(removed) == pytest.approx((20, 20, 20, 0.05, 0.25))


def test_points_have_the_pass_rates_of_both_arms() -> None:
    pairs = [
        Pair("a", False, True, True),
        Pair("b", True, True, True),
        Pair("c", False, True, True),
    ]
    points = evidence_trajectory(Direction.ADD, TASKS, pairs, POLICY)
    assert [point.rate_without for point in points] == pytest.approx([0, 1 / 2, 1 / 3])
    assert [point.rate_with for point in points] == [1, 1, 1]
