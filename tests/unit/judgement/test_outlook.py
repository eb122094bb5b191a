"""What would change a verdict, computed by the gate itself."""

import time
from itertools import product

import pytest

from cortex.judgement import Direction, Policy, TaskSpec, judge
from cortex.judgement.outlook import Scenario, outlook
from cortex.judgement.reversal import LOOKAHEAD
from cortex.model.experiments import TaskRole
from cortex.model.trials import Arm, Pair
from cortex.model.verdicts import Ruling

ADD, REMOVE = Direction.ADD, Direction.REMOVE
THEME = [TaskSpec(name, TaskRole.THEME) for name in "abcd"]
HELPED = [Pair(name, False, True, True) for name in "abcd"]
GUARDED = [*THEME, TaskSpec("g", TaskRole.PROTECTED), TaskSpec("h", TaskRole.PROTECTED)]


def projections(*arguments: object) -> dict[Scenario, tuple[int, int, Ruling | None]]:
    result = outlook(*arguments)  # type: ignore[arg-type]
    return {
        projection.scenario: (projection.runs, projection.discordant, projection.ruling)
        for projection in result.projections
    }


def test_an_open_experiment_has_three_projections() -> None:
    by_scenario = projections(ADD, THEME, HELPED[:2], Policy())
    assert set(by_scenario) == {Scenario.HELPS, Scenario.SAME, Scenario.HURTS}
    assert by_scenario[Scenario.HELPS] == (2, 2, Ruling.KEEP)
    runs, discordant, ruling = by_scenario[Scenario.HURTS]
    assert ruling is Ruling.BURY
    assert 2 < runs == discordant <= LOOKAHEAD
    assert by_scenario[Scenario.SAME][1] == 0


def test_a_projection_comes_true_when_its_scenario_does() -> None:
    pairs = [Pair("a", False, True, True), Pair("b", True, True, True)]
    runs, _, ruling = projections(ADD, THEME, pairs, Policy())[Scenario.HELPS]
    assert runs > 0
    for _ in range(runs):
        judgement = judge(ADD, THEME, pairs, Policy())
        assert judgement.ruling is None
        pairs.append(Pair(judgement.batch[0].task_id, False, True, True))
    assert judge(ADD, THEME, pairs, Policy()).ruling is ruling is Ruling.KEEP


def test_text_that_has_not_loaded_may_never_load() -> None:
    pairs = [Pair("a", False, False, False)]
    by_scenario = projections(ADD, THEME, pairs, Policy())
    assert by_scenario[Scenario.NEVER_LOADS][2] is Ruling.BURY
    assert Scenario.NEVER_LOADS not in projections(ADD, THEME, HELPED[:2], Policy())


def test_an_undecided_experiment_is_projected_beyond_its_limit() -> None:
    policy = Policy(max_pairs=2)
    assert judge(ADD, THEME, HELPED[:2], policy).ruling is Ruling.UNDECIDED
    assert projections(ADD, THEME, HELPED[:2], policy)[Scenario.HELPS][2] is Ruling.KEEP


def test_a_long_experiment_is_projected_as_far_as_a_short_one() -> None:
    pairs = [Pair("abcd"[i % 4], i % 5 == 0, i % 3 == 0, True) for i in range(92)]
    assert judge(ADD, THEME, pairs, Policy()).ruling is Ruling.UNDECIDED
    by_scenario = projections(ADD, THEME, pairs, Policy())
    assert by_scenario[Scenario.HELPS] == (LOOKAHEAD, LOOKAHEAD, None)
    assert by_scenario[Scenario.SAME] == (LOOKAHEAD, 0, None)
    runs, _, ruling = by_scenario[Scenario.HURTS]
    assert ruling is Ruling.BURY
    assert runs < LOOKAHEAD


def test_uncleared_tasks_are_listed_with_the_runs_that_clear_them() -> None:
    pairs = [*HELPED, *HELPED, Pair("g", True, True, True), Pair("g", True, False, True)]
    uncleared = {task.task_id: task for task in outlook(ADD, GUARDED, pairs, Policy()).uncleared}
    assert set(uncleared) == {"g", "h"}
    for name, task in uncleared.items():
        assert task.passes_to_clear is not None
        run = [
            Pair(
                name,
                True if Arm.WITHOUT in task.arms else None,
                True if Arm.WITH in task.arms else None,
                True,
            )
        ]
        for number, state in (
            (task.passes_to_clear - 1, "open"),
            (task.passes_to_clear, "cleared"),
        ):
            tasks = judge(ADD, GUARDED, pairs + run * number, Policy()).tasks
            assert {evidence.state for evidence in tasks if evidence.task_id == name} == {state}
    assert uncleared["g"].passes_to_clear > uncleared["h"].passes_to_clear  # type: ignore[operator]


def test_no_uncleared_tasks_while_the_lift_is_open() -> None:
    assert outlook(ADD, GUARDED, HELPED[:2], Policy()).uncleared == ()


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
def test_a_ruling_names_the_fewest_pairs_that_reverse_it(name: str) -> None:
    direction, tasks, pairs = RULINGS[name]
    ruling = judge(direction, tasks, pairs, Policy()).ruling
    assert ruling not in (None, Ruling.UNDECIDED)
    reversal = outlook(direction, tasks, pairs, Policy()).reversal
    assert reversal is not None
    assert reversal.passes_with is (ruling in (Ruling.BURY, Ruling.PRUNE))
    assert reversal.passes_without is not reversal.passes_with

    def ruling_after(names: tuple[str, ...], number: int) -> Ruling | None:
        added = [
            Pair(names[i % len(names)], reversal.passes_without, reversal.passes_with, True)
            for i in range(number)
        ]
        return judge(direction, tasks, [*pairs, *added], Policy()).ruling

    new_ruling = ruling_after(reversal.task_ids, reversal.pairs)
    assert new_ruling is not ruling
    assert reversal.ruling is (None if new_ruling is Ruling.UNDECIDED else new_ruling)
    task_sets = [(task.id,) for task in tasks]
    for task_ids, fewer in product(task_sets, range(1, reversal.pairs)):
        assert ruling_after(task_ids, fewer) is ruling


def test_strong_evidence_is_not_reversed_by_a_dozen_pairs() -> None:
    assert outlook(ADD, THEME, HELPED * 12, Policy()).reversal is None


def test_a_trial_that_loads_reverses_never_loaded() -> None:
    never_loaded = [Pair(name, False, False, False) for name in "abcd"] * 2
    reversal = outlook(ADD, THEME, never_loaded, Policy()).reversal
    assert reversal is not None
    assert (reversal.pairs, reversal.passes_with, reversal.passes_without) == (1, True, True)
    nowhere = [TaskSpec("a", TaskRole.THEME, can_load=False)]
    assert outlook(ADD, nowhere, [], Policy()).reversal is None


def test_stricter_error_rates_apply_to_both_levels() -> None:
    weak = outlook(ADD, THEME, HELPED, Policy(keep_alpha=0.025))
    assert (weak.stricter_alpha, round(weak.stricter_keep)) == (0.01, 200)
    assert weak.stricter_ruling is None
    assert outlook(ADD, THEME, HELPED * 3, Policy()).stricter_ruling is Ruling.KEEP


def test_the_outlook_is_fast() -> None:
    pairs = [Pair(str(i % 10), i % 3 == 0, i % 4 > 0, True) for i in range(100)]
    tasks = [TaskSpec(str(i), TaskRole.OTHER) for i in range(10)]
    outlook(REMOVE, tasks, pairs, Policy())
    clock = time.process_time()
    outlook(REMOVE, tasks, pairs, Policy())
    assert time.process_time() - clock < 0.2
