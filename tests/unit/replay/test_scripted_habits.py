"""The scripted agent's habits: the right rates, by what is in its context."""

import random

import pytest

from cortex_replay.scripted.request import Habit

HABIT = Habit("clock", ("clock\\.now",), 0.05, 0.95, ("datetime is fine",), 0.1)


@pytest.mark.parametrize(
    ("context", "chance"),
    [
        ("nothing to do with it", 0.05),
        ("write clock.now() here", 0.95),
        ("datetime is fine", 0.1),
        ("write clock.now(), though datetime is fine", 0.1),
    ],
)
def test_chance_depends_on_the_context(context: str, chance: float) -> None:
    assert HABIT.chance(context) == chance


def test_seeded_draws_have_the_rate_of_the_habit() -> None:
    draws = [random.Random(f"{seed}:clock 0").random() for seed in range(4000)]
    assert abs(sum(draw < 0.05 for draw in draws) / 4000 - 0.05) < 0.012
