"""Averages of e-values, kept as logarithms."""

from collections.abc import Sequence
from math import exp, log


def log_mean_exp(weighted: Sequence[tuple[float, float]]) -> float:
    """Return log(sum of w * exp(l)) over pairs (w, l), w > 0, without overflow."""
    top = max([value for _, value in weighted])
    return top + log(sum([w * exp(value - top) for w, value in weighted]))
