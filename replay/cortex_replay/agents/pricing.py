"""What a run cost, from its tokens and the prices that the person configured."""

from dataclasses import dataclass

from cortex.config import TokenPrices


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of a run; `cached_input` is a part of `input`."""

    input: int = 0
    output: int = 0
    cached_input: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.input + other.input,
            self.output + other.output,
            self.cached_input + other.cached_input,
        )


def cost_usd(usage: Usage, prices: TokenPrices | None) -> float | None:
    """Return the price of `usage`; None without prices, which stops an agent that costs money."""
    if prices is None:
        return None
    cached_price = prices.input if prices.cached_input is None else prices.cached_input
    fresh = max(0, usage.input - usage.cached_input)
    total = fresh * prices.input + usage.cached_input * cached_price + usage.output * prices.output
    return total / 1_000_000
