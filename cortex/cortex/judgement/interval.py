"""An interval for the lift that holds at any stopping time."""

from collections.abc import Sequence
from math import exp, log

from cortex.judgement.tally import Tally

STAKES = (0.1, 0.3, 0.5, 0.7, 0.85, 0.95)
"""Shares of the capital that are bet against a candidate mean."""
STEP = 0.02


def lift_interval(tallies: Sequence[Tally], alpha: float) -> tuple[float, float]:
    """Return bounds of the mean difference of pass rates over pairs, simultaneously valid.

    A candidate mean is left out when a bettor who wagers fixed shares on every pair, half of the
    money on each side, has multiplied it by 1/alpha: the hedged capital of Waudby-Smith and
    Ramdas, "Estimating means of bounded random variables by betting" (2024), with a mixture over
    stakes. Bounds are multiples of STEP, outward.
    """
    up = sum(tally.only_with for tally in tallies)
    down = sum(tally.only_without for tally in tallies)
    even = sum(tally.both + tally.neither for tally in tallies)
    if not up + down + even:
        return (-1.0, 1.0)
    steps = round(1 / STEP)
    inside = [
        number * STEP
        for number in range(-steps + 1, steps)
        if _log_capital((down, even, up), number * STEP) < log(1 / alpha)
    ]
    low, high = (inside[0], inside[-1]) if inside else ((up - down) / (up + down + even),) * 2
    return (max(-1.0, round(low - STEP, 4)), min(1.0, round(high + STEP, 4)))


def _log_capital(counts: tuple[int, int, int], mean: float) -> float:
    """Return the logarithm of the capital against `mean`, from the counts of -1, 0 and +1."""
    centre = (mean + 1) / 2
    bets = [stake / centre for stake in STAKES] + [-stake / (1 - centre) for stake in STAKES]
    logs = [
        sum(n * log(1 + bet * (y - centre)) for n, y in zip(counts, (0.0, 0.5, 1.0), strict=True))
        for bet in bets
    ]
    top = max(logs)
    return top + log(sum(exp(one - top) for one in logs) / len(logs))
