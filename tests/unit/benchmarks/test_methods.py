"""The simulated methods decide as described."""

import pytest
from benchmarks import gate
from benchmarks.methods import METHODS
from benchmarks.scenarios import Scenario, SimTask

from cortex.judgement import Direction
from cortex.model.experiments import TaskRole


def scenario(direction: Direction, *tasks: tuple[float, float, TaskRole, float]) -> Scenario:
    return Scenario("made", direction, tuple(SimTask(*task) for task in tasks))


HELPED = [(0.0, 1.0, TaskRole.THEME, 1.0)] * 4
USEFUL = scenario(
    Direction.ADD, *[(0.0, 1.0, TaskRole.THEME, 1.0)] * 4, (1.0, 1.0, TaskRole.PROTECTED, 1.0)
)
USELESS = scenario(Direction.ADD, *[(0.0, 0.0, TaskRole.THEME, 1.0)] * 4)
BREAKS = scenario(
    Direction.ADD, *[(0.0, 1.0, TaskRole.THEME, 1.0)] * 4, (1.0, 0.0, TaskRole.PROTECTED, 1.0)
)
NEVER_LOADS = scenario(Direction.REMOVE, *[(0.5, 0.5, TaskRole.OTHER, 0.0)] * 4)
DEAD = scenario(Direction.REMOVE, *[(1.0, 1.0, TaskRole.OTHER, 1.0)] * 4)


@pytest.mark.parametrize(
    ("method", "simulated", "expected"),
    [
        *[(name, USEFUL, "keep") for name in METHODS],
        *[(name, USELESS, "bury") for name in METHODS],
        *[(name, BREAKS, "bury") for name in METHODS],
        *[(name, NEVER_LOADS, "unused") for name in METHODS],
        ("published", DEAD, "prune"),
        ("oracle", DEAD, "prune"),
        ("fixed", DEAD, "undecided"),
    ],
)
def test_clear_cases(method: str, simulated: Scenario, expected: str) -> None:
    assert METHODS[method](simulated, "seed")[0] == expected


def test_the_published_procedure_counts_both_sweeps() -> None:
    assert METHODS["published"](USEFUL, "seed") == ("keep", 2 * 2 * 4 + 2 * 3 * 5)
    assert METHODS["published"](USELESS, "seed") == ("bury", 2 * 2 * 4)


def test_a_row_has_a_share_for_each_ruling() -> None:
    row = gate.row(USEFUL, [("keep", 10), ("bury", 30)], "fixed")
    assert (row["method"], row["keep"], row["bury"], row["prune"]) == ("fixed", 0.5, 0.5, 0.0)
    assert row["mean_trials"] == 20


@pytest.mark.parametrize(("runs", "expected"), [(1, 0), (2, 1), (10, 8), (11, 9), (4000, 3599)])
def test_p90_trials_covers_nine_of_ten_runs(runs: int, expected: int) -> None:
    row = gate.row(USEFUL, [("keep", number) for number in range(runs)])
    assert row["p90_trials"] == expected
