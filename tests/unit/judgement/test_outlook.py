"""What would change a verdict, by the gate itself."""

import time
from itertools import product

import pytest

from cortex.judgement import Direction, Policy, TaskSpec, judge
from cortex.judgement.outlook import Course, outlook
from cortex.judgement.reversal import FURTHER
from cortex.model.experiments import TaskRole
from cortex.model.trials import Arm, Pair
from cortex.model.verdicts import Ruling

ADD, REMOVE = Direction.ADD, Direction.REMOVE
THEME = [TaskSpec(name, TaskRole.THEME) for name in "abcd"]
HELPED = [Pair(name, False, True, True) for name in "abcd"]
GUARDED = [*THEME, TaskSpec("g", TaskRole.PROTECTED), TaskSpec("h", TaskRole.PROTECTED)]


def futures(*arguments: object) -> dict[Course, tuple[int, int, Ruling | None]]:
    found = outlook(*arguments)  # type: ignore[arg-type]
    return {one.course: (one.runs, one.telling, one.ruling) for one in found.futures}


def test_an_open_experiment_has_three_futures() -> None:
    found = futures(ADD, THEME, HELPED[:2], Policy())
    assert set(found) == {Course.HELPS, Course.SAME, Course.HURTS}
    assert found[Course.HELPS] == (2, 2, Ruling.KEEP)
    runs, telling, ruling = found[Course.HURTS]
    assert ruling is Ruling.BURY
    assert 2 < runs == telling <= FURTHER
    assert found[Course.SAME][1] == 0


def test_the_future_that_is_told_comes_true() -> None:
    seen = [Pair("a", False, True, True), Pair("b", True, True, True)]
    runs, _, ruling = futures(ADD, THEME, seen, Policy())[Course.HELPS]
    assert runs > 0
    for _ in range(runs):
        found = judge(ADD, THEME, seen, Policy())
        assert found.ruling is None
        seen.append(Pair(found.batch[0].task_id, False, True, True))
    assert judge(ADD, THEME, seen, Policy()).ruling is ruling is Ruling.KEEP


def test_text_that_has_not_loaded_yet_may_stay_silent() -> None:
    seen = [Pair("a", False, False, False)]
    found = futures(ADD, THEME, seen, Policy())
    assert found[Course.SILENT][2] is Ruling.BURY
    assert Course.SILENT not in futures(ADD, THEME, HELPED[:2], Policy())


def test_an_undecided_experiment_looks_beyond_its_limit() -> None:
    policy = Policy(max_pairs=2)
    assert judge(ADD, THEME, HELPED[:2], policy).ruling is Ruling.UNDECIDED
    assert futures(ADD, THEME, HELPED[:2], policy)[Course.HELPS][2] is Ruling.KEEP


def test_a_long_experiment_is_looked_ahead_as_far_as_a_short_one() -> None:
    pairs = [Pair("abcd"[i % 4], i % 5 == 0, i % 3 == 0, True) for i in range(92)]
    assert judge(ADD, THEME, pairs, Policy()).ruling is Ruling.UNDECIDED
    found = futures(ADD, THEME, pairs, Policy())
    assert found[Course.HELPS] == (FURTHER, FURTHER, None)
    assert found[Course.SAME] == (FURTHER, 0, None)
    runs, _, ruling = found[Course.HURTS]
    assert ruling is Ruling.BURY
    assert runs < FURTHER


def test_guarded_tasks_in_the_way_are_named_with_the_runs_that_clear_them() -> None:
    seen = [*HELPED, *HELPED, Pair("g", True, True, True), Pair("g", True, False, True)]
    found = {one.task_id: one for one in outlook(ADD, GUARDED, seen, Policy()).unclear}
    assert set(found) == {"g", "h"}
    for name, one in found.items():
        assert one.clean is not None
        run = [
            Pair(
                name,
                True if Arm.WITHOUT in one.arms else None,
                True if Arm.WITH in one.arms else None,
                True,
            )
        ]
        for number, state in ((one.clean - 1, "open"), (one.clean, "cleared")):
            tasks = judge(ADD, GUARDED, seen + run * number, Policy()).tasks
            assert {task.state for task in tasks if task.task_id == name} == {state}
    assert found["g"].clean > found["h"].clean  # type: ignore[operator]


def test_nothing_is_in_the_way_while_the_lift_is_open() -> None:
    assert outlook(ADD, GUARDED, HELPED[:2], Policy()).unclear == ()


RULINGS = {
    "keep": (ADD, THEME, HELPED * 2),
    "keep beside guarded tasks": (
        ADD,
        GUARDED,
        HELPED * 3 + [Pair(name, True, True, True) for name in "gh"] * 6,
    ),
    "useless": (ADD, THEME, [Pair(name, True, True, True) for name in "abcd"] * 5),
    "harmful": (ADD, THEME, [Pair(name, True, False, True) for name in "abcd"] * 3),
    "retain": (REMOVE, [TaskSpec(n, TaskRole.OTHER) for n in "abcd"], HELPED * 2),
    "prune": (
        REMOVE,
        [TaskSpec(n, TaskRole.OTHER) for n in "abcd"],
        [Pair(name, True, True, True) for name in "abcd"] * 5,
    ),
}


@pytest.mark.parametrize("name", RULINGS)
def test_a_ruling_names_the_fewest_pairs_that_undo_it(name: str) -> None:
    direction, tasks, pairs = RULINGS[name]
    ruling = judge(direction, tasks, pairs, Policy()).ruling
    assert ruling not in (None, Ruling.UNDECIDED)
    found = outlook(direction, tasks, pairs, Policy()).undoing
    assert found is not None
    assert found.passes_with is (ruling in (Ruling.BURY, Ruling.PRUNE))
    assert found.passes_without is not found.passes_with

    def after(names: tuple[str, ...], number: int) -> Ruling | None:
        more = [
            Pair(names[i % len(names)], found.passes_without, found.passes_with, True)
            for i in range(number)
        ]
        return judge(direction, tasks, [*pairs, *more], Policy()).ruling

    then = after(found.task_ids, found.pairs)
    assert then is not ruling
    assert found.ruling is (None if then is Ruling.UNDECIDED else then)
    places = [(task.id,) for task in tasks]
    for place, fewer in product(places, range(1, found.pairs)):
        assert after(place, fewer) is ruling


def test_strong_evidence_is_not_undone_by_a_dozen_pairs() -> None:
    assert outlook(ADD, THEME, HELPED * 12, Policy()).undoing is None


def test_one_trial_that_loads_undoes_never_loaded() -> None:
    never_loaded = [Pair(name, False, False, False) for name in "abcd"] * 2
    found = outlook(ADD, THEME, never_loaded, Policy()).undoing
    assert found is not None
    assert (found.pairs, found.passes_with, found.passes_without) == (1, True, True)
    nowhere = [TaskSpec("a", TaskRole.THEME, can_load=False)]
    assert outlook(ADD, nowhere, [], Policy()).undoing is None


def test_stricter_error_rates_are_tried_on_both_levels() -> None:
    weak = outlook(ADD, THEME, HELPED, Policy(keep_alpha=0.025))
    assert (weak.stricter_alpha, round(weak.stricter_keep)) == (0.01, 200)
    assert weak.stricter is None
    assert outlook(ADD, THEME, HELPED * 3, Policy()).stricter is Ruling.KEEP


def test_looking_ahead_is_fast() -> None:
    pairs = [Pair(str(i % 10), i % 3 == 0, i % 4 > 0, True) for i in range(100)]
    tasks = [TaskSpec(str(i), TaskRole.OTHER) for i in range(10)]
    outlook(REMOVE, tasks, pairs, Policy())
    clock = time.process_time()
    outlook(REMOVE, tasks, pairs, Policy())
    assert time.process_time() - clock < 0.2
