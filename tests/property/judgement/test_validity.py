"""Every e-variable has expectation at most 1 under its null: the basis of all error rates."""

from itertools import product
from math import exp, inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cortex.judgement import Direction, Policy, TaskSpec, judge, next_batch
from cortex.judgement.counts import Counts
from cortex.judgement.evidence import (
    _against_drop,
    _against_help,
    log_guarded_harm,
    log_harm,
    log_lift,
    log_not_dropped,
    log_not_helped,
)
from cortex.judgement.factors import PairEVariable, against_gap_at_least, against_gap_at_most
from cortex.judgement.rounds import Prior, log_mean_above, log_no_mean_change
from cortex.judgement.state import FAILING, PASSING, USUAL
from cortex.model.experiments import TaskRole
from cortex.model.trials import Pair

GRID = [i / 20 for i in range(21)]
TINY = 1e-9


def expectation(e_variable: PairEVariable, u: float, v: float) -> float:
    """Return the expectation over a pair with pass rates `u` (without) and `v` (with)."""
    return (
        u * v * exp(e_variable.both)
        + u * (1 - v) * exp(e_variable.only_without)
        + (1 - u) * v * exp(e_variable.only_with)
        + (1 - u) * (1 - v) * exp(e_variable.neither)
    )


@pytest.mark.parametrize("gap", [0.0, 0.25, 0.7, -0.7, -1 / 3])
def test_e_variables_against_a_gap_of_at_most(gap: float) -> None:
    for x, y in product((0.02, 0.1, 0.3, 0.55, 0.8, 0.97), repeat=2):
        if y - x <= gap + 1e-6:
            continue
        e_variable = against_gap_at_most(gap, x, y)
        worst = max(expectation(e_variable, u, v) for u in GRID for v in GRID if v - u <= gap)
        assert worst <= 1 + TINY


@pytest.mark.parametrize("gap", [0.25, 0.7, 0.75])
def test_e_variables_against_a_gap_of_at_least(gap: float) -> None:
    for x in (0.03, 0.2, 0.5, 0.8, 0.94):
        e_variable = against_gap_at_least(gap, x, x)
        worst = max(expectation(e_variable, u, v) for u in GRID for v in GRID if v - u >= gap)
        assert worst <= 1 + TINY


def counts(cells: tuple[int, int, int, int], role: TaskRole = TaskRole.THEME) -> Counts:
    task_counts = Counts(TaskSpec("t", role))
    task_counts.both, task_counts.only_without = cells[:2]
    task_counts.only_with, task_counts.neither = cells[2:]
    return task_counts


CELLS = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))


def cell_probabilities(u: float, v: float) -> tuple[float, float, float, float]:
    return (u * v, u * (1 - v), (1 - u) * v, (1 - u) * (1 - v))


@pytest.mark.parametrize("pairs", [1, 2, 3])
def test_mixtures_over_several_pairs_are_valid(pairs: int) -> None:
    rates = [i / 10 for i in range(11)]
    for u, v in product(rates, repeat=2):
        means = dict.fromkeys(("lift", "harm", "broken", "helped", "dropped"), 0.0)
        for outcome in product(range(4), repeat=pairs):
            weight = 1.0
            for cell in outcome:
                weight *= cell_probabilities(u, v)[cell]
            counted = tuple(outcome.count(index) for index in range(4))
            cells = (counted[0], counted[1], counted[2], counted[3])
            means["lift"] += weight * exp(log_lift([counts(cells)]))
            means["harm"] += weight * exp(log_harm([counts(cells)], []))
            means["helped"] += weight * exp(log_not_helped(cells, 0.75))
            means["dropped"] += weight * exp(log_not_dropped(cells, 0.7))
            means["broken"] += weight * exp(log_guarded_harm(cells))
        assert v > u or means["lift"] <= 1 + TINY
        assert v < u or means["harm"] <= 1 + TINY
        assert v < u or means["broken"] <= 1 + TINY
        assert v - u < 0.75 - TINY or means["helped"] <= 1 + TINY
        assert u - v < 0.7 - TINY or means["dropped"] <= 1 + TINY


def test_a_single_arm_trial_is_valid_against_every_change_that_bounds_its_rate() -> None:
    """Computes the expectation over the trial in every component, whatever the other arm does."""
    for gap, rate in product((0.25, 0.7, 0.75), GRID):
        for component in _against_help(gap) + _against_drop(gap):
            without, with_ = component.without, component.with_
            helps = component in _against_help(gap)
            if rate <= 1 - gap:
                low = without if helps else with_
                assert rate * exp(low.passed) + (1 - rate) * exp(low.failed) <= 1 + TINY
            if rate >= gap:
                high = with_ if helps else without
                assert rate * exp(high.passed) + (1 - rate) * exp(high.failed) <= 1 + TINY


@pytest.mark.parametrize("bound", [2 / 3, 0.5])
def test_rounds_of_an_arm_are_valid_for_its_mean(bound: float) -> None:
    rates = [i / 10 for i in range(11)]
    for u, v in product(rates, repeat=2):
        if (u + v) / 2 > bound:
            continue
        total = 0.0
        for outcome in product((False, True), repeat=6):
            weight = 1.0
            for number, passed in enumerate(outcome):
                rate = (u, v)[number % 2]
                weight *= rate if passed else 1 - rate
            total += weight * exp(log_mean_above([outcome[::2], outcome[1::2]], bound, PASSING))
        assert total <= 1 + 1e-6


@given(
    st.lists(st.tuples(st.sampled_from(GRID), st.sampled_from(GRID)), min_size=2, max_size=2),
    st.sampled_from([0.25, -1 / 3]),
    st.sampled_from([FAILING, USUAL, PASSING]),
)
@settings(max_examples=150, deadline=None)
def test_rounds_are_valid_for_the_mean(
    rates: list[tuple[float, float]], gap: float, prior: Prior
) -> None:
    mean = sum(v - u for u, v in rates) / len(rates)
    if (mean < gap) if gap > 0 else (mean > gap):
        return
    total = 0.0
    for outcome in product(range(4), repeat=4):
        weight = 1.0
        histories: list[list[tuple[bool, bool]]] = [[], []]
        for number, cell in enumerate(outcome):
            weight *= cell_probabilities(*rates[number % 2])[cell]
            histories[number % 2].append((cell in (0, 1), cell in (0, 2)))
        total += weight * exp(log_no_mean_change(histories, gap, prior))
    assert total <= 1 + 1e-6


PAIRS = st.lists(
    st.builds(
        Pair,
        task_id=st.sampled_from(["a", "b", "c", "d"]),
        without=st.booleans(),
        with_=st.booleans(),
        loaded=st.just(True),
    )
    | st.builds(
        Pair,
        task_id=st.sampled_from(["a", "b", "c", "d"]),
        without=st.none(),
        with_=st.booleans(),
        loaded=st.just(True),
    )
    | st.builds(
        Pair,
        task_id=st.sampled_from(["a", "b", "c", "d"]),
        without=st.booleans(),
        with_=st.none(),
        loaded=st.just(False),
    ),
    max_size=30,
)
SPECS = [
    TaskSpec("a", TaskRole.THEME),
    TaskSpec("b", TaskRole.THEME),
    TaskSpec("c", TaskRole.PROTECTED),
    TaskSpec("d", TaskRole.OTHER),
]
DIRECTIONS = st.sampled_from(list(Direction))


@given(PAIRS, DIRECTIONS)
@settings(deadline=None)
def test_names_of_tasks_do_not_matter(pairs: list[Pair], direction: Direction) -> None:
    new = {"a": "x1", "b": "x0", "c": "w", "d": "zz"}
    renamed = [TaskSpec(new[spec.id], spec.role) for spec in SPECS]
    moved = [Pair(new[pair.task_id], pair.without, pair.with_, pair.loaded) for pair in pairs]
    original, other = (
        judge(direction, SPECS, pairs, Policy()),
        judge(direction, renamed, moved, Policy()),
    )
    assert original.ruling == other.ruling
    assert original.e_value == pytest.approx(other.e_value)


@given(PAIRS, st.integers(0, 29))
@settings(deadline=None)
def test_a_pass_with_the_text_never_lowers_the_evidence_for_it(
    pairs: list[Pair], index: int
) -> None:
    if index >= len(pairs) or pairs[index].with_ is not False:
        return
    old = pairs[index]
    better = [*pairs[:index], Pair(old.task_id, old.without, True, True), *pairs[index + 1 :]]
    before, after = (judge(Direction.ADD, SPECS, trials, Policy()) for trials in (pairs, better))
    assert after.e_value >= before.e_value - TINY
    assert after.harm_e_value <= before.harm_e_value + TINY


@given(PAIRS, DIRECTIONS, st.randoms(use_true_random=False))
@settings(deadline=None)
def test_pairs_of_a_batch_may_arrive_in_any_order(
    pairs: list[Pair], direction: Direction, draw: object
) -> None:
    """The order across tasks does not matter."""
    by_task = sorted(pairs, key=lambda pair: pair.task_id)
    original, other = (judge(direction, SPECS, order, Policy()) for order in (pairs, by_task))
    assert original.ruling == other.ruling
    assert original.futility_e_value == pytest.approx(other.futility_e_value)


@given(PAIRS, DIRECTIONS, st.integers(1, 4))
@settings(deadline=None)
def test_batches_name_runnable_tasks(pairs: list[Pair], direction: Direction, width: int) -> None:
    batch = next_batch(direction, SPECS, pairs, Policy(), width)
    assert len(batch) <= width
    assert {run.task_id for run in batch} <= {"a", "b", "c", "d"}


def test_numbers_stay_finite() -> None:
    pairs = [Pair("a", False, True, True)] * 3000
    judgement = judge(
        Direction.ADD, SPECS[:1], pairs, Policy(max_pairs=5000, max_pairs_per_task=5000)
    )
    assert judgement.e_value < inf
