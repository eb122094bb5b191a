"""A confidence sequence for the lift: an interval valid at any stopping time."""

from collections.abc import Sequence
from functools import lru_cache
from math import exp, log

from cortex.judgement.counts import Counts

STAKES = (0.1, 0.3, 0.5, 0.7, 0.85, 0.95)
"""Shares of the capital that are bet against a candidate mean."""
STEP = 0.02


def lift_interval(task_counts: Sequence[Counts], alpha: float) -> tuple[float, float]:
    """Return bounds of the mean difference of pass rates over pairs, valid at all times at once.

    A candidate mean is excluded when a bettor who wagers fixed shares on every pair, half of the
    capital on each side, has multiplied it by 1/alpha: the hedged capital of Waudby-Smith and
    Ramdas, "Estimating means of bounded random variables by betting" (2024), with a mixture over
    stakes. Bounds are multiples of STEP, rounded outward.
    """
    up = sum(counts.only_with for counts in task_counts)
    down = sum(counts.only_without for counts in task_counts)
    even = sum(counts.both + counts.neither for counts in task_counts)
    return _interval((down, even, up), alpha)


@lru_cache(maxsize=65536)
def _interval(counts: tuple[int, int, int], alpha: float) -> tuple[float, float]:
    if not sum(counts):
        return (-1.0, 1.0)
    steps = round(1 / STEP)
    mean = round((counts[2] - counts[0]) / sum(counts) * steps)
    limit = log(1 / alpha)
    low = _edge(counts, mean, -steps, limit)
    high = _edge(counts, mean, steps, limit)
    return (round(low * STEP, 4), round(high * STEP, 4))


def _edge(counts: tuple[int, int, int], inside: int, outside: int, limit: float) -> int:
    """Return the candidate nearest to `inside` that is excluded, in steps; capital grows outward.

    -1 and 1 are not tried: they bound the interval in any case.
    """
    while abs(outside - inside) > 1:
        middle = (inside + outside) // 2
        if _log_capital(counts, middle * STEP) < limit:
            inside = middle
        else:
            outside = middle
    return outside


def _log_capital(counts: tuple[int, int, int], mean: float) -> float:
    """Return the logarithm of the capital against `mean`, from the counts of -1, 0 and +1."""
    logs = [counts[0] * down + counts[1] * even + counts[2] * up for down, even, up in _gains(mean)]
    top = max(logs)
    return top + log(sum(exp(log_capital - top) for log_capital in logs) / len(logs))


@lru_cache(maxsize=256)
def _gains(mean: float) -> tuple[tuple[float, float, float], ...]:
    """Return, for each bet, the log of the factor by which -1, 0 and +1 multiply the capital."""
    centre = (mean + 1) / 2
    bets = [stake / centre for stake in STAKES] + [-stake / (1 - centre) for stake in STAKES]
    return tuple(
        (log(1 - bet * centre), log(1 + bet * (0.5 - centre)), log(1 + bet * (1 - centre)))
        for bet in bets
    )
