"""E-variables of a pair: functions of its two outcomes with expectation at most 1 under a null.

Let a pair pass without with rate `u` and with with rate `v`, independently. Take any alternative
(x, y) and any convex set N of null rates, and let (p, q) be the point of N nearest to it in
Kullback-Leibler divergence. Then

    f(a, b) = (x/p)^a ((1-x)/(1-p))^(1-a) (y/q)^b ((1-y)/(1-q))^(1-b)

has expectation A(u) B(v) with A and B affine, so its logarithm is concave in (u, v); at (p, q) it
is 0 with the gradient of minus the divergence, and nearest means that this gradient points out of
N. So the expectation is at most 1 on all of N (safe 2x2 test: Turner, Ly and Grünwald, "Generic
E-variables for exact sequential k-sample tests", 2024). Concavity gives more: if the same
alternative is used for several tasks, the product over a pair of each has expectation at most 1
as soon as the *mean* of their rates lies in N.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import log

from cortex.judgement.counts import Cells

TINY = 1e-9


@dataclass(frozen=True, slots=True)
class PairEVariable:
    """Logarithms of an e-variable f for (1,1), (1,0), (0,1), (0,0): without first, with second."""

    both: float
    only_without: float
    only_with: float
    neither: float

    def log_product(self, cells: Cells) -> float:
        """Return the logarithm of the product over the counted pairs."""
        return (
            cells[0] * self.both
            + cells[1] * self.only_without
            + cells[2] * self.only_with
            + cells[3] * self.neither
        )

    def mirrored(self) -> "PairEVariable":
        """Return the same e-variable with the arms exchanged."""
        return PairEVariable(self.both, self.only_with, self.only_without, self.neither)


@dataclass(frozen=True, slots=True)
class TrialEVariable:
    """Logarithms of an e-variable of a single-arm trial, when it passes and when it fails."""

    passed: float
    failed: float


def against_rate_at_most(bound: float, x: float) -> TrialEVariable:
    """Return the likelihood ratio of rate `x` against the null "the rate is at most `bound`".

    It is constantly 1 (no evidence) when `x` itself lies in the null.
    """
    if x <= bound:
        return TrialEVariable(0.0, 0.0)
    return TrialEVariable(log(x / bound), log((1 - x) / (1 - bound)))


def against_rate_at_least(bound: float, x: float) -> TrialEVariable:
    """Return the likelihood ratio of rate `x` against the null "the rate is at least `bound`"."""
    mirrored = against_rate_at_most(1 - bound, 1 - x)
    return TrialEVariable(mirrored.failed, mirrored.passed)


def against_gap_at_most(gap: float, x: float, y: float) -> PairEVariable:
    """Return f for alternative rates (x, y) against the null `v - u <= gap`, where y - x > gap."""
    p = _nearest(gap, x, y)
    return _ratio(x, y, p, p + gap)


def against_gap_at_least(gap: float, x: float, y: float) -> PairEVariable:
    """Return f for alternative rates (x, y) against the null `v - u >= gap`, where y - x < gap."""
    return against_gap_at_most(-gap, y, x).mirrored()


def _ratio(x: float, y: float, p: float, q: float) -> PairEVariable:
    a_pass, a_fail = log(x / p), log((1 - x) / (1 - p))
    b_pass, b_fail = log(y / q), log((1 - y) / (1 - q))
    return PairEVariable(a_pass + b_pass, a_pass + b_fail, a_fail + b_pass, a_fail + b_fail)


@lru_cache(maxsize=4096)
def _nearest(gap: float, x: float, y: float) -> float:
    """Return p such that (p, p + gap) is nearest to (x, y), by bisection of the derivative."""
    low, high = max(0.0, -gap) + TINY, min(1.0, 1.0 - gap) - TINY
    for _ in range(60):
        p = (low + high) / 2
        q = p + gap
        if (p - x) / (p * (1 - p)) + (q - y) / (q * (1 - q)) < 0:
            low = p
        else:
            high = p
    return (low + high) / 2
