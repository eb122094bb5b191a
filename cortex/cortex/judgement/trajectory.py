"""How the evidence of an experiment grew, pair by pair: what a plot of it shows."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from cortex.judgement.interval import lift_interval
from cortex.judgement.policy import Direction
from cortex.judgement.state import state_of
from cortex.model.experiments import Policy, TaskSpec
from cortex.model.trials import Pair


@dataclass(frozen=True, slots=True)
class Point:
    """The evidence after some trials; e-values as decimal logarithms."""

    trials: int
    """Of both arms, in pairs and alone."""
    lift: float
    low: float
    high: float
    """Bounds of the lift, valid at every point at once."""
    log_e: float
    """For "it helps"."""
    log_harm: float
    log_futility: float
    """Against "it helps by delta or more"."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """E-values that decide."""

    helps: float
    """E+ that a keep or a retain needs."""
    harms: float
    futility: float
    """To give an addition up; to prune."""
    alpha: float
    """Of the interval."""
    delta: float
    """The lift that futility is about."""


def thresholds(direction: Direction, policy: Policy) -> Thresholds:
    """Return what each e-value has to reach (docs/gate.md)."""
    removes = direction is Direction.REMOVE
    return Thresholds(
        helps=1 / (policy.keep_alpha or policy.alpha),
        harms=1 / policy.alpha,
        futility=1 / (policy.alpha if removes else policy.beta),
        alpha=policy.alpha,
        delta=policy.delta,
    )


def evidence_trajectory(
    direction: Direction,
    tasks: Sequence[TaskSpec],
    pairs: Sequence[Pair],
    policy: Policy,
    most: int = 32,
) -> tuple[Point, ...]:
    """Return the evidence along an experiment, at up to `most` moments and always at the last.

    Of up to `most` pairs and trials alone: after each. Raises what `judge` raises.
    """
    total = len(pairs)
    counts = sorted({round(total * step / most) for step in range(1, most + 1)} - {0})
    return tuple(_point(direction, tasks, pairs[:count], policy) for count in counts)


def _point(
    direction: Direction, tasks: Sequence[TaskSpec], pairs: Sequence[Pair], policy: Policy
) -> Point:
    state = state_of(tasks, pairs, policy, direction)
    low, high = lift_interval(state.target, policy.alpha)
    return Point(
        trials=sum(len(pair.arms) for pair in pairs),
        lift=state.lift,
        low=low,
        high=high,
        log_e=_decimal(state.log_lift),
        log_harm=_decimal(state.log_harm),
        log_futility=_decimal(state.log_futility),
    )


def _decimal(natural: float) -> float:
    return round(natural / log(10), 4)
