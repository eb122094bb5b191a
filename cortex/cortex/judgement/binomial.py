"""Exact (Clopper-Pearson) bounds of a binomial rate."""

from collections.abc import Callable
from math import exp, lgamma, log

STEPS = 60
"""Bisection steps; each halves the interval, so bounds are exact to the last digits."""


def clopper_pearson(hits: int, runs: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return an interval for the rate of `hits` in `runs` that covers it at `confidence` or more.

    Each side leaves out the rates under which a result at least as extreme has a chance of
    (1 - confidence) / 2 or less (Clopper and Pearson, "The use of confidence or fiducial limits
    illustrated in the case of the binomial", 1934). Without runs it is (0, 1). Raises ValueError
    for impossible counts.
    """
    _check(hits, runs, confidence)
    tail = (1 - confidence) / 2
    return (_lower(hits, runs, tail), _upper(hits, runs, tail))


def upper_bound(hits: int, runs: int, confidence: float = 0.95) -> float:
    """Return the one-sided upper bound of the rate at this confidence."""
    _check(hits, runs, confidence)
    return _upper(hits, runs, 1 - confidence)


def at_most(hits: int, runs: int, rate: float) -> float:
    """Return the probability of `hits` or fewer in `runs`."""
    return _sum(range(hits + 1), runs, rate)


def at_least(hits: int, runs: int, rate: float) -> float:
    """Return the probability of `hits` or more in `runs`."""
    return _sum(range(hits, runs + 1), runs, rate)


def _check(hits: int, runs: int, confidence: float) -> None:
    if not 0 <= hits <= runs or not 0 < confidence < 1:
        raise ValueError(f"no rate of {hits} in {runs} at {confidence}")


def _lower(hits: int, runs: int, chance: float) -> float:
    if hits == 0:
        return 0.0
    return _bisect(lambda rate: at_least(hits, runs, rate) < chance)[0]


def _upper(hits: int, runs: int, chance: float) -> float:
    if hits == runs:
        return 1.0
    return _bisect(lambda rate: at_most(hits, runs, rate) > chance)[1]


def _bisect(holds: Callable[[float], bool]) -> tuple[float, float]:
    """Return bounds below and above the rate at which `holds` turns from true to false."""
    low, high = 0.0, 1.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        if holds(middle):
            low = middle
        else:
            high = middle
    return low, high


def _sum(counts: range, runs: int, rate: float) -> float:
    if not 0 < rate < 1:
        return float((runs if rate >= 1 else 0) in counts)
    return min(1.0, sum(exp(_log_chance(count, runs, rate)) for count in counts))


def _log_chance(count: int, runs: int, rate: float) -> float:
    ways = lgamma(runs + 1) - lgamma(count + 1) - lgamma(runs - count + 1)
    return ways + count * log(rate) + (runs - count) * log(1 - rate)
