"""A verdict does not depend on how its pairs were collected."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from cortex.judgement import Direction, Judgement, Policy, TaskSpec, judge, next_batch
from cortex.model.experiments import TaskRole
from cortex.model.trials import Arm, Pair, Run

SPECS = [
    TaskSpec("a", TaskRole.THEME),
    TaskSpec("b", TaskRole.THEME, held_out=True),
    TaskSpec("c", TaskRole.PROTECTED),
    TaskSpec("d", TaskRole.OTHER),
]
RATES = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=4, max_size=4)


class Simulation:
    """Draws outcomes that depend only on the task and the number of the pair."""

    def __init__(self, rates: list[tuple[float, float]], seed: int) -> None:
        self.rates = dict(zip((spec.id for spec in SPECS), rates, strict=True))
        self.seed = seed

    def pair(self, run: Run, number: int) -> Pair:
        draw = random.Random(f"{self.seed} {run.task_id} {number}")
        without, with_ = (draw.random() < rate for rate in self.rates[run.task_id])
        return Pair(
            run.task_id,
            without if Arm.WITHOUT in run.arms else None,
            with_ if Arm.WITH in run.arms else None,
            Arm.WITH in run.arms,
        )

    def run(self, direction: Direction, width: int, start: list[Pair], batches: int) -> list[Pair]:
        """Run up to `batches` batches after the `start` pairs."""
        pairs = list(start)
        for _ in range(batches):
            if judge(direction, SPECS, pairs, Policy()).ruling is not None:
                break
            for run in next_batch(direction, SPECS, pairs, Policy(), width):
                pairs.append(self.pair(run, sum(pair.task_id == run.task_id for pair in pairs)))
        return pairs


@given(RATES, st.integers(0, 99), st.sampled_from(list(Direction)), st.integers(0, 20))
@settings(max_examples=40, deadline=None)
def test_a_resumed_experiment_ends_like_an_uninterrupted_run(
    rates: list[tuple[float, float]], seed: int, direction: Direction, cut: int
) -> None:
    simulation = Simulation(rates, seed)
    whole = simulation.run(direction, 2, [], 200)
    resumed = simulation.run(direction, 2, simulation.run(direction, 2, [], cut), 200)
    assert resumed == whole
    assert judge(direction, SPECS, whole, Policy()).ruling is not None


@given(RATES, st.integers(0, 99), st.sampled_from(list(Direction)), st.randoms())
@settings(max_examples=40, deadline=None)
def test_pairs_of_different_tasks_may_arrive_in_any_order(
    rates: list[tuple[float, float]], seed: int, direction: Direction, draw: random.Random
) -> None:
    pairs = Simulation(rates, seed).run(direction, 3, [], 8)
    slots = [pair.task_id for pair in pairs]
    draw.shuffle(slots)
    queues = {spec.id: iter([pair for pair in pairs if pair.task_id == spec.id]) for spec in SPECS}
    moved = [next(queues[name]) for name in slots]
    assert _outcome_of(judge(direction, SPECS, moved, Policy())) == _outcome_of(
        judge(direction, SPECS, pairs, Policy())
    )


def _outcome_of(judgement: Judgement) -> tuple[object, ...]:
    return (judgement.ruling, judgement.reason, round(judgement.e_value, 6), judgement.tasks)
