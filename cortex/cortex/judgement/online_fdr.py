"""Online FDR control: the expected share of false keeps among all candidates of a repository.

e-LOND (Xu and Ramdas, "Online multiple testing with e-values", AISTATS 2024): test number t may be
rejected when its e-value reaches 1 / (q g_t (R + 1)), where the g_t sum to at most 1 and R counts
the other rejections. Each false rejection then adds at most q g_t E[e_t (R + 1) / max(R_end, 1)],
and R_end is at least R + 1 once t is rejected, so the false discovery rate is at most q.

The argument assumes nothing about the dependence between tests or about when R is read: tests may
overlap, be resumed, and be decided with all keeps so far. A keep that is undone later still counts
as a rejection. The online e-BH procedure of Fischer, Xu and Ramdas has more power, but only by
reversing earlier decisions.
"""

from cortex.model.experiments import Level

FIRST_SHARE = 0.25
"""Share of the first test: with q = 0.2 its level is alpha = 0.05."""
_OFFSET = 0.8
_POWER = -1.5
_TAIL_SUM = 1.31132
"""Sum of (t + _OFFSET) ** _POWER over t = 2, 3, …, rounded up."""


def share(number: int) -> float:
    """Return the share g_t of the bound spent on test `number`, from 1; all shares sum to 1."""
    if number < 1:
        raise ValueError(f"test number must be at least 1, not {number}")
    return (
        FIRST_SHARE if number == 1 else (1 - FIRST_SHARE) * (number + _OFFSET) ** _POWER / _TAIL_SUM
    )


def level(number: int, kept: int, bound: float, alpha: float) -> Level:
    """Return the level of test `number` when `kept` others are kept; at most `alpha`."""
    if not 0 < bound < 1:
        raise ValueError(f"false_keeps must be between 0 and 1, not {bound}")
    return Level(number, kept, bound, min(alpha, bound * share(number) * (kept + 1)))
