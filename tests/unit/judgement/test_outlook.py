"""What would change a verdict, and how it came about, by the gate itself."""

import time

from cortex.judgement import Direction, Policy, TaskSpec, judge
from cortex.judgement.outlook import FURTHER, Course, outlook
from cortex.judgement.path import evidence_path
from cortex.model.trials import Pair
from cortex.model.verdicts import Ruling

ADD = Direction.ADD
THEME = [TaskSpec(name, "theme") for name in "abcd"]
HELPED = [Pair(name, False, True, True) for name in "abcd"]


def test_an_open_experiment_has_three_futures() -> None:
    found = outlook(ADD, THEME, HELPED[:2], Policy())
    futures = {one.course: one for one in found.futures}
    assert (futures[Course.HELPS].ruling, futures[Course.HELPS].runs) == (Ruling.KEEP, 2)
    assert futures[Course.HURTS].ruling is Ruling.BURY
    assert 2 < futures[Course.HURTS].runs <= FURTHER


def test_the_future_that_is_told_comes_true() -> None:
    seen = [Pair("a", False, True, True), Pair("b", True, True, True)]
    (helps,) = [one for one in outlook(ADD, THEME, seen, Policy()).futures if one.course == "helps"]
    for _ in range(helps.runs):
        found = judge(ADD, THEME, seen, Policy())
        assert found.ruling is None
        seen.append(Pair(found.wave[0].task_id, False, True, True))
    assert judge(ADD, THEME, seen, Policy()).ruling is helps.ruling


def test_a_ruling_says_what_undoes_it() -> None:
    found = outlook(ADD, THEME, HELPED, Policy())
    assert found.undone_by == 1
    assert found.undone_to is None
    assert found.stricter is None
    sure = outlook(ADD, THEME, HELPED * 3, Policy())
    assert sure.undone_by is None or sure.undone_by > 3
    assert sure.stricter is Ruling.KEEP


def test_an_undecided_experiment_looks_beyond_its_limit() -> None:
    found = outlook(ADD, THEME, HELPED[:2], Policy(max_pairs=2))
    assert [one.ruling for one in found.futures if one.course is Course.HELPS] == [Ruling.KEEP]


def test_the_path_ends_with_the_judgement_and_stays_short() -> None:
    pairs = [Pair("abcd"[i % 4], i % 3 == 0, i % 5 > 0, True) for i in range(300)]
    policy = Policy(max_pairs=500, max_pairs_per_task=500)
    path = evidence_path(ADD, THEME, pairs, policy)
    assert len(path) == 60
    assert [point.trials for point in path] == sorted({point.trials for point in path})
    last, found = path[-1], judge(ADD, THEME, pairs, policy)
    assert (last.trials, last.lift, (last.low, last.high)) == (600, found.lift, found.interval)
    assert evidence_path(ADD, THEME, [], policy) == ()


def test_looking_ahead_is_fast() -> None:
    pairs = [Pair(str(i % 10), i % 3 == 0, i % 4 > 0, True) for i in range(100)]
    tasks = [TaskSpec(str(i), "other") for i in range(10)]
    clock = time.perf_counter()
    outlook(Direction.REMOVE, tasks, pairs, Policy())
    evidence_path(Direction.REMOVE, tasks, pairs, Policy())
    assert time.perf_counter() - clock < 0.5
