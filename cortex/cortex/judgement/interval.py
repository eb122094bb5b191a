"""An interval for the lift that holds at any stopping time."""

from collections.abc import Sequence
from math import log, sqrt

from cortex.judgement.tally import Tally

RHO = 0.25
"""Where the interval is tightest: at about 1 / RHO**2 pairs."""


def lift_interval(tallies: Sequence[Tally], alpha: float) -> tuple[float, float]:
    """Return bounds of the mean difference of pass rates over pairs, simultaneously valid.

    The differences of pairs lie in [-1, 1], so they are 1-sub-Gaussian around their conditional
    means; Robbins' normal mixture turns that into a confidence sequence (Howard, Ramdas, McAuliffe
    and Sekhon, 2021). For the running mean over the pairs that were run, whichever they were.
    """
    pairs = sum(tally.pairs for tally in tallies)
    if not pairs:
        return (-1.0, 1.0)
    mean = sum(tally.with_ - tally.without for tally in tallies) / pairs
    scaled = pairs * RHO**2 + 1
    width = sqrt(2 * scaled / (pairs**2 * RHO**2) * log(sqrt(scaled) / (alpha / 2)))
    return (max(-1.0, mean - width), min(1.0, mean + width))
