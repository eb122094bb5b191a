"""Exact bounds of a binomial rate."""

from math import comb

import pytest

from cortex.judgement.binomial import at_least, at_most, clopper_pearson, upper_bound


@pytest.mark.parametrize(
    ("hits", "runs", "low", "high"),
    [
        (81, 263, 0.2527, 0.3676),
        (15, 148, 0.0578, 0.1617),
        (0, 20, 0.0, 0.1684),
        (1, 29, 0.0009, 0.1776),
        (29, 29, 0.8806, 1.0),
    ],
)
def test_known_intervals(hits: int, runs: int, low: float, high: float) -> None:
    """Examples of Newcombe, "Two-sided confidence intervals for the single proportion" (1998).

    The last is .025 ** (1 / 29).
    """
    assert clopper_pearson(hits, runs) == pytest.approx((low, high), abs=5e-5)


def test_zero_hits_have_a_closed_form_bound() -> None:
    assert upper_bound(0, 24) == pytest.approx(1 - 0.05 ** (1 / 24))
    assert clopper_pearson(0, 24)[1] == pytest.approx(1 - 0.025 ** (1 / 24))
    assert clopper_pearson(0, 0) == (0.0, 1.0)
    assert upper_bound(3, 3) == 1.0


@pytest.mark.parametrize("rate", [0.01, 0.05, 0.3, 0.5, 0.93])
@pytest.mark.parametrize("runs", [1, 7, 24])
def test_the_true_rate_is_covered_at_the_nominal_confidence(runs: int, rate: float) -> None:
    probabilities = [comb(runs, k) * rate**k * (1 - rate) ** (runs - k) for k in range(runs + 1)]
    inside = [
        low <= rate <= high for low, high in (clopper_pearson(k, runs) for k in range(runs + 1))
    ]
    below = [rate <= upper_bound(k, runs) for k in range(runs + 1)]
    for covered in (inside, below):
        assert (
            sum(
                probability
                for probability, holds in zip(probabilities, covered, strict=True)
                if holds
            )
            >= 0.95
        )


def test_tail_probabilities_are_complementary() -> None:
    assert at_most(3, 9, 0.2) + at_least(4, 9, 0.2) == pytest.approx(1.0)
    assert at_least(0, 5, 0.0) == at_most(5, 5, 1.0) == 1.0
    assert at_most(4, 5, 1.0) == at_least(1, 5, 0.0) == 0.0


def test_many_runs_do_not_overflow() -> None:
    low, high = clopper_pearson(250, 5000)
    assert 0.04 < low < 0.05 < high < 0.06


@pytest.mark.parametrize(("hits", "runs", "confidence"), [(2, 1, 0.95), (-1, 3, 0.95), (0, 3, 1.0)])
def test_impossible_counts_are_rejected(hits: int, runs: int, confidence: float) -> None:
    with pytest.raises(ValueError, match="no rate"):
        clopper_pearson(hits, runs, confidence)
