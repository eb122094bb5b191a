"""Across candidates: the expected share of false keeps over a repository's lifetime.

e-LOND (Xu and Ramdas, "Online multiple testing with e-values", AISTATS 2024): test number t may be
rejected when its e-value reaches 1 / (q g_t (R + 1)), where the g_t sum to at most 1 and R counts
the other rejections. Each false rejection then adds at most q g_t E[e_t (R + 1) / max(R_end, 1)],
and R_end is at least R + 1 once t is rejected, so the expected share of false ones is at most q.

That argument asks nothing of how the tests depend on each other, nor of when R is read: tests may
overlap, be resumed, and be decided with all keeps so far. A keep that is taken back later still
counts as one. The online e-BH procedure of Fischer, Xu and Ramdas rejects more, but only by
reversing earlier refusals.
"""

from cortex.errors import UsageError
from cortex.model.experiments import Level

FIRST = 0.25
"""Share of the first candidate: with q = 0.2 it needs no more than alpha = 0.05 asks for anyway."""
_OFFSET = 0.8
_POWER = -1.5
_REST = 1.31132
"""Sum of (t + _OFFSET) ** _POWER over t = 2, 3, …, rounded up."""


def share(number: int) -> float:
    """Return the part of the bound that belongs to test `number`, from 1; all parts sum to 1."""
    if number < 1:
        raise UsageError(f"tests are counted from 1, not {number}")
    return FIRST if number == 1 else (1 - FIRST) * (number + _OFFSET) ** _POWER / _REST


def level(number: int, kept: int, bound: float, alpha: float) -> Level:
    """Return the level of test `number` when `kept` others are kept; never looser than `alpha`."""
    if not 0 < bound < 1:
        raise UsageError(f"the bound of false keeps must lie between 0 and 1, not {bound}")
    return Level(number, kept, bound, min(alpha, bound * share(number) * (kept + 1)))
