"""The scenarios that are promised, as data; `scenario_files` reads more of them from JSON."""

from dataclasses import dataclass

from cortex.judgement import Direction
from cortex.model.experiments import TaskRole

EVOLVED = (
    *(0.9, 0.95, 1.0, 1.0, 1.0, 1.0, 0.65, 0.85, 0.7, 0.8),
    *(1.0, 0.75, 0.3, 0.65, 0.55, 0.9, 0.6, 0.1, 1.0, 1.0),
    *(1.0, 1.0, 0.95, 1.0, 1.0, 0.45, 0.95, 0.8, 0.7, 1.0),
)
"""Pass rates of the thirty held-out tasks with the evolved harness, pooled over runs (published
with the paper's lab, samugit83/cortex, MIT, (c) 2026 Samuele Giampieri)."""


@dataclass(frozen=True, slots=True)
class SimTask:
    """True rates of one task."""

    without: float
    with_: float
    role: TaskRole
    load: float
    """Chance that the text loads in a trial with it; unloaded trials behave like without."""


@dataclass(frozen=True, slots=True)
class Must:
    """What is promised of a scenario: limits of shares and of the mean number of trials."""

    at_most: dict[str, float]
    at_least: dict[str, float]
    trials: float | None = None


@dataclass(frozen=True, slots=True)
class Scenario:
    """One world to simulate."""

    name: str
    direction: Direction
    tasks: tuple[SimTask, ...]
    must: Must | None = None
    share: float = 1.0
    """Of the runs asked for: what nothing is promised of need not be as exact."""


def _theme(without: tuple[float, ...], with_: tuple[float, ...]) -> tuple[SimTask, ...]:
    return tuple(SimTask(a, b, TaskRole.THEME, 1.0) for a, b in zip(without, with_, strict=True))


def _protected(count: int, low: float = 0.9, high: float = 0.97) -> tuple[SimTask, ...]:
    rates = [low + (high - low) * i / max(1, count - 1) for i in range(count)]
    return tuple(SimTask(rate, rate, TaskRole.PROTECTED, 1.0) for rate in rates)


def _same(rates: tuple[float, ...]) -> tuple[SimTask, ...]:
    return tuple(SimTask(rate, rate, TaskRole.OTHER, 1.0) for rate in rates)


_WEAK = (0.05, 0.1, 0.2, 0.3)
_LARGE = _theme(_WEAK, (0.97, 0.9, 0.8, 0.95))
_TWO = (SimTask(0.97, 0.97, TaskRole.PROTECTED, 1.0),) * 2
_DEAF = tuple(SimTask(0.9, 0.9, TaskRole.OTHER, 0.0) for _ in range(20))
_USELESS = (0.1, 0.2, 0.3, 0.5)


def _useless(count: int) -> Scenario:
    must = Must({"keep": 0.05}, {}, 50)
    tasks = _theme(_USELESS, _USELESS) + _protected(count)
    return Scenario(f"useless, {count} protected", Direction.ADD, tasks, must)


def _dead_weight(count: int, trials: float) -> Scenario:
    step = len(EVOLVED) // count
    tasks = _same(EVOLVED[::step][:count])
    must = Must({}, {"prune": 0.9}, trials)
    return Scenario(f"dead weight, {count} tasks", Direction.REMOVE, tasks, must)


SCENARIOS: tuple[Scenario, ...] = (
    *map(_useless, (2, 11, 22)),
    Scenario(
        "useless, four at .5",
        Direction.ADD,
        _theme((0.5,) * 4, (0.5,) * 4) + _protected(2),
        Must({"keep": 0.05}, {}, 65),
    ),
    Scenario("large effect", Direction.ADD, _LARGE + _TWO + _DEAF, Must({}, {"keep": 0.98}, 32)),
    Scenario(
        "large effect, 22 protected",
        Direction.ADD,
        _LARGE + _protected(22),
        Must({}, {"keep": 0.92}, 110),
    ),
    Scenario(
        "large effect, one of 22 broken",
        Direction.ADD,
        _LARGE + _protected(21) + (SimTask(0.97, 0.3, TaskRole.PROTECTED, 1.0),),
        Must({"keep": 0.1}, {}, 90),
    ),
    Scenario(
        "medium effect",
        Direction.ADD,
        _theme(_WEAK, (0.5, 0.5, 0.6, 0.6)) + _TWO + _DEAF,
        Must({}, {"keep": 0.9}, 70),
    ),
    Scenario(
        "mixed",
        Direction.ADD,
        (*_LARGE, *(SimTask(0.97, 0.4, TaskRole.PROTECTED, 1.0),) * 2),
        Must({"keep": 0.01}, {"bury": 0.97}, 45),
    ),
    Scenario(
        "harmful",
        Direction.ADD,
        _theme(_USELESS, (0.0, 0.0, 0.05, 0.1))
        + (SimTask(0.97, 0.5, TaskRole.PROTECTED, 1.0),) * 2,
        Must({}, {"bury": 0.99}, 35),
    ),
    _dead_weight(6, 70),
    _dead_weight(15, 85),
    _dead_weight(30, 150),
    Scenario(
        "one of 30 needs it",
        Direction.REMOVE,
        (*_same(EVOLVED[:29]), SimTask(0.2, 0.95, TaskRole.OTHER, 1.0)),
        Must({"prune": 0.08}, {}),
    ),
    Scenario(
        "helps on 3 of 8",
        Direction.REMOVE,
        (SimTask(0.2, 0.8, TaskRole.OTHER, 1.0),) * 3 + _same(EVOLVED[::6]),
        Must({"prune": 0.01}, {}),
    ),
    Scenario(
        "never loads, added",
        Direction.ADD,
        tuple(SimTask(rate, rate, TaskRole.THEME, 0.0) for rate in _USELESS),
        Must({"keep": 0.0}, {}, 16),
    ),
    Scenario(
        "never loads, removed",
        Direction.REMOVE,
        tuple(SimTask(rate, rate, TaskRole.OTHER, 0.0) for rate in _USELESS),
        Must({"prune": 0.0}, {}, 16),
    ),
)
