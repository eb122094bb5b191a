"""How a verdict came about, by the numbers of the gate."""

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
def test_every_point_is_what_the_gate_said_then(direction: Direction) -> None:
    pairs = [*PAIRS[:10], Pair("a", None, True, True)]
    path = evidence_trajectory(direction, TASKS, pairs, POLICY)
    assert [point.trials for point in path] == [*range(2, 21, 2), 21]
    for number, point in enumerate(path, 1):
        found = judge(direction, TASKS, pairs[:number], POLICY)
        values = (found.e_value, found.harm_e_value, found.futility_e_value)
        logs = [pytest.approx(log10(value), abs=1e-4) for value in values]
        assert astuple(point)[1:] == (found.lift, *found.interval, *logs)


def test_a_long_path_stays_short_and_ends_at_the_end() -> None:
    path = evidence_trajectory(Direction.ADD, TASKS, PAIRS, POLICY, most=40)
    trials = [point.trials for point in path]
    assert len(path) == 40
    assert trials == sorted(set(trials))
    assert trials[-1] == 600
    assert evidence_trajectory(Direction.ADD, TASKS, [], POLICY) == ()


def test_thresholds_are_those_of_the_direction() -> None:
    added = thresholds(Direction.ADD, Policy(keep_alpha=0.01))
    assert astuple(added) == pytest.approx((100, 20, 5, 0.05, 0.25))
    removed = thresholds(Direction.REMOVE, Policy())
    assert astuple(removed) == pytest.approx((20, 20, 20, 0.05, 0.25))
