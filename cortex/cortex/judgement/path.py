"""How the evidence of an experiment grew, pair by pair: what a plot of it shows."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log10

from cortex.judgement.policy import Direction, Policy, TaskSpec
from cortex.judgement.verdict import judge
from cortex.model.trials import Pair

LOWEST = 1e-12
"""Of an e-value in a plot."""


@dataclass(frozen=True, slots=True)
class Point:
    """The evidence after some trials; e-values as decimal logarithms."""

    trials: int
    lift: float
    low: float
    high: float
    """Bounds of the lift, valid at every point at once."""
    log_e: float
    """For "it helps"."""
    log_harm: float
    log_futility: float
    """Against "it helps by delta or more"."""


def evidence_path(
    direction: Direction,
    tasks: Sequence[TaskSpec],
    pairs: Sequence[Pair],
    policy: Policy,
    most: int = 60,
) -> tuple[Point, ...]:
    """Return the evidence along an experiment, at up to `most` moments and always at the last."""
    total = len(pairs)
    counts = sorted({round(total * step / most) for step in range(1, most + 1)} | {total})
    return tuple(_point(direction, tasks, pairs[:count], policy) for count in counts if count)


def _point(
    direction: Direction, tasks: Sequence[TaskSpec], pairs: Sequence[Pair], policy: Policy
) -> Point:
    found = judge(direction, tasks, pairs, policy)
    return Point(
        trials=sum(len(pair.arms) for pair in pairs),
        lift=found.lift,
        low=found.interval[0],
        high=found.interval[1],
        log_e=_log(found.e_value),
        log_harm=_log(found.harm_e_value),
        log_futility=_log(found.futility_e_value),
    )


def _log(value: float) -> float:
    return round(log10(max(value, LOWEST)), 4)
