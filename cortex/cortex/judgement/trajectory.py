"""The trajectory of the evidence over an experiment, for plots."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from cortex.judgement.counts import Counts
from cortex.judgement.interval import lift_interval
from cortex.judgement.policy import Direction
from cortex.judgement.state import gate_state
from cortex.model.experiments import Policy, TaskSpec
from cortex.model.trials import Arm, Pair


@dataclass(frozen=True, slots=True)
class Point:
    """The evidence after a number of trials; e-values as decimal logarithms."""

    trials: int
    """Trials of both arms, in pairs and single-arm."""
    lift: float
    low: float
    high: float
    """Bounds of the lift, valid at all points at once."""
    log_e: float
    """E+, the evidence for a lift."""
    log_harm: float
    log_futility: float
    """Against "it helps by delta or more"."""
    rate_without: float
    """Pass rate without the text, over the pairs of the target tasks; likewise the next."""
    rate_with: float


@dataclass(frozen=True, slots=True)
class Thresholds:
    """E-values at which the gate decides."""

    helps: float
    """E+ of a keep or a retain."""
    harms: float
    futility: float
    """Stopping an addition for futility, or pruning."""
    alpha: float
    """Error rate of the interval."""
    delta: float
    """Smallest lift worth having: the null of futility."""


def thresholds(direction: Direction, policy: Policy) -> Thresholds:
    """Return the decision thresholds (docs/gate.md)."""
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
    max_points: int = 32,
) -> tuple[Point, ...]:
    """Return the evidence along an experiment, at up to `max_points` points, the last included.

    Short experiments have a point after every pair or single-arm trial. Raises what `judge` raises.
    """
    total = len(pairs)
    counts = sorted({round(total * step / max_points) for step in range(1, max_points + 1)} - {0})
    return tuple(_point(direction, tasks, pairs[:count], policy) for count in counts)


def _point(
    direction: Direction, tasks: Sequence[TaskSpec], pairs: Sequence[Pair], policy: Policy
) -> Point:
    state = gate_state(tasks, pairs, policy, direction)
    low, high = lift_interval(state.target, policy.alpha)
    return Point(
        trials=sum(len(pair.arms) for pair in pairs),
        lift=state.lift,
        low=low,
        high=high,
        log_e=_decimal(state.log_lift),
        log_harm=_decimal(state.log_harm),
        log_futility=_decimal(state.log_futility),
        rate_without=_rate(state.target, Arm.WITHOUT),
        rate_with=_rate(state.target, Arm.WITH),
    )


def _rate(target: Sequence[Counts], arm: Arm) -> float:
    pairs = sum(counts.pairs for counts in target)
    with_ = arm is Arm.WITH
    passes = (counts.passes_with if with_ else counts.passes_without for counts in target)
    return sum(passes) / pairs if pairs else 0.0


def _decimal(natural: float) -> float:
    return round(natural / log(10), 4)
