"""Loading may correlate with passing: that must not count as evidence."""

import random

import pytest

from cortex.judgement import Direction, Policy, TaskSpec, judge, next_batch
from cortex.model.experiments import TaskRole
from cortex.model.trials import Pair
from cortex.model.verdicts import Ruling

ADD, REMOVE = Direction.ADD, Direction.REMOVE
THEME = [TaskSpec(str(number), TaskRole.THEME) for number in range(10)]


def run_useless(seed: int, rate: float) -> Ruling:
    """Judge text that changes nothing, of an agent that passes exactly when it loads the text."""
    draw = random.Random(seed)
    pairs: list[Pair] = []
    while True:
        ruling = judge(ADD, THEME, pairs, Policy()).ruling
        if ruling is not None:
            return ruling
        for run in next_batch(ADD, THEME, pairs, Policy(), 2):
            loads = draw.random() < rate
            pairs.append(Pair(run.task_id, draw.random() < rate, loads, loads))


def test_useless_text_is_not_kept_when_loading_correlates_with_passing() -> None:
    runs = 300
    kept = sum(run_useless(seed, 0.3) is Ruling.KEEP for seed in range(runs))
    assert kept <= Policy().alpha * runs


def test_tasks_that_did_not_load_count_against_the_lift() -> None:
    helped = [Pair(name, False, True, True) for name in "012"]
    not_loaded = [Pair(name, True, False, False) for name in "345678"]
    only_helped = judge(ADD, THEME, helped, Policy())
    assert judge(ADD, THEME, helped + not_loaded, Policy()).e_value < only_helped.e_value / 2


@pytest.mark.parametrize("direction", [ADD, REMOVE])
@pytest.mark.parametrize("outcome", [(False, True), (True, False), (True, True)])
def test_no_ruling_before_the_text_loads(direction: Direction, outcome: tuple[bool, bool]) -> None:
    pairs = [Pair(task.id, *outcome, False) for task in THEME]
    assert judge(direction, THEME, pairs, Policy()).ruling is None


def test_no_futility_before_each_task_of_the_theme_ran() -> None:
    many = [TaskSpec(str(number), TaskRole.THEME) for number in range(40)]
    pairs = [Pair(task.id, False, False, True) for task in many[:30]]
    assert judge(ADD, many, pairs, Policy()).ruling is None
    rest = [Pair(task.id, False, False, True) for task in many[30:]]
    assert judge(ADD, many, pairs + rest, Policy()).ruling is Ruling.BURY


def test_tasks_without_pairs_keep_their_share_of_the_harm_test() -> None:
    pairs = [Pair("0", True, False, True)] * 2
    few, many = (judge(ADD, THEME[:count], pairs, Policy()).harm_e_value for count in (1, 10))
    assert few > many > 1


def test_a_load_on_a_task_that_cannot_load_is_rejected() -> None:
    specs = [THEME[0], TaskSpec("unloadable", TaskRole.OTHER, can_load=False)]
    with pytest.raises(ValueError, match="unloadable"):
        judge(ADD, specs, [Pair("unloadable", True, True, True)], Policy())
