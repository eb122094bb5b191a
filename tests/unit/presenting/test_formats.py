"""Numbers read the same on every surface, at every size."""

import pytest

from cortex.presenting.formats import count, duration, e_value, lift, more, rate, usd


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.00001, "under 0.001"), (0.0817, "0.082"), (2.5, "2.5"), (9.96, "10"), (20.0, "20"),
        (99.6, "100"), (398.2, "398"), (12345.0, "12,345"), (999999.0, "999,999"),
        (1e6, "over 1,000,000"), (1e300, "over 1,000,000"), (float("inf"), "over 1,000,000"),
    ],
)  # fmt: skip
def test_an_e_value_has_no_exponent(value: float, text: str) -> None:
    assert e_value(value) == text


def test_a_lift_is_signed_and_never_minus_zero() -> None:
    assert [lift(value) for value in (1.0, 0.75, 0.0, -0.004, -0.5)] == [
        "+1.00", "+0.75", "+0.00", "+0.00", "-0.50",
    ]  # fmt: skip


def test_numbers_agree_with_their_nouns() -> None:
    assert [count(number, "pair") for number in (0, 1, 2, 1000)] == [
        "0 pairs", "1 pair", "2 pairs", "1,000 pairs",
    ]  # fmt: skip
    assert [more(1, "run"), more(2, "run")] == ["1 more run", "2 more runs"]


def test_rates_money_and_time() -> None:
    assert [rate(3, 4), rate(0, 0)] == ["3/4", ""]
    assert usd(0.254) == "0.25 USD"
    assert [duration(0.001), duration(0.5), duration(2.4)] == [
        "about 1 s",
        "about 30 s",
        "about 2 min",
    ]
