"""The scenarios with promises, as data; `scenario_files` reads others from JSON."""

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
    """True rates of a simulated task."""

    without: float
    with_: float
    role: TaskRole
    load: float
    """Probability that the text loads in a trial with it; otherwise the rate is `without`."""


@dataclass(frozen=True, slots=True)
class Promise:
    """Limits of the shares of rulings and of the mean number of trials."""

    at_most: dict[str, float]
    at_least: dict[str, float]
    trials: float | None = None


@dataclass(frozen=True, slots=True)
class Scenario:
    """An experiment to simulate."""

    name: str
    direction: Direction
    tasks: tuple[SimTask, ...]
    promise: Promise | None = None
    share: float = 1.0
    """Share of the requested runs: scenarios without promises need less precision."""


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
_NEVER_LOADING = tuple(SimTask(0.9, 0.9, TaskRole.OTHER, 0.0) for _ in range(20))
_USELESS = (0.1, 0.2, 0.3, 0.5)


def _useless(count: int) -> Scenario:
    promise = Promise({"keep": 0.05}, {}, 50)
    tasks = _theme(_USELESS, _USELESS) + _protected(count)
    return Scenario(f"useless, {count} protected", Direction.ADD, tasks, promise)


def _dead_weight(count: int, trials: float) -> Scenario:
    step = len(EVOLVED) // count
    tasks = _same(EVOLVED[::step][:count])
    promise = Promise({}, {"prune": 0.9}, trials)
    return Scenario(f"dead weight, {count} tasks", Direction.REMOVE, tasks, promise)


SCENARIOS: tuple[Scenario, ...] = (
    *map(_useless, (2, 11, 22)),
    Scenario(
        "useless, four at .5",
        Direction.ADD,
        _theme((0.5,) * 4, (0.5,) * 4) + _protected(2),
        Promise({"keep": 0.05}, {}, 65),
    ),
    Scenario(
        "large effect",
        Direction.ADD,
        _LARGE + _TWO + _NEVER_LOADING,
        Promise({}, {"keep": 0.98}, 32),
    ),
    Scenario(
        "large effect, 22 protected",
        Direction.ADD,
        _LARGE + _protected(22),
        Promise({}, {"keep": 0.92}, 110),
    ),
    Scenario(
        "large effect, one of 22 broken",
        Direction.ADD,
        _LARGE + _protected(21) + (SimTask(0.97, 0.3, TaskRole.PROTECTED, 1.0),),
        Promise({"keep": 0.1}, {}, 90),
    ),
    Scenario(
        "medium effect",
        Direction.ADD,
        _theme(_WEAK, (0.5, 0.5, 0.6, 0.6)) + _TWO + _NEVER_LOADING,
        Promise({}, {"keep": 0.9}, 70),
    ),
    Scenario(
        "mixed",
        Direction.ADD,
        (*_LARGE, *(SimTask(0.97, 0.4, TaskRole.PROTECTED, 1.0),) * 2),
        Promise({"keep": 0.01}, {"bury": 0.97}, 45),
    ),
    Scenario(
        "harmful",
        Direction.ADD,
        _theme(_USELESS, (0.0, 0.0, 0.05, 0.1))
        + (SimTask(0.97, 0.5, TaskRole.PROTECTED, 1.0),) * 2,
        Promise({}, {"bury": 0.99}, 35),
    ),
    _dead_weight(6, 70),
    _dead_weight(15, 85),
    _dead_weight(30, 150),
    Scenario(
        "one of 30 needs it",
        Direction.REMOVE,
        (*_same(EVOLVED[:29]), SimTask(0.2, 0.95, TaskRole.OTHER, 1.0)),
        Promise({"prune": 0.08}, {}),
    ),
    Scenario(
        "helps on 3 of 8",
        Direction.REMOVE,
        (SimTask(0.2, 0.8, TaskRole.OTHER, 1.0),) * 3 + _same(EVOLVED[::6]),
        Promise({"prune": 0.01}, {}),
    ),
    Scenario(
        "never loads, added",
        Direction.ADD,
        tuple(SimTask(rate, rate, TaskRole.THEME, 0.0) for rate in _USELESS),
        Promise({"keep": 0.0}, {}, 16),
    ),
    Scenario(
        "never loads, removed",
        Direction.REMOVE,
        tuple(SimTask(rate, rate, TaskRole.OTHER, 0.0) for rate in _USELESS),
        Promise({"prune": 0.0}, {}, 16),
    ),
)
