"""Other decision methods, simulated on the same scenarios: each returns a ruling and its trials."""

from collections.abc import Callable

from benchmarks.methods import fixed, oracle, published
from benchmarks.scenarios import Scenario

METHODS: dict[str, Callable[[Scenario, str], tuple[str, int]]] = {
    "published": published.simulate,
    "fixed": fixed.simulate,
    "oracle": oracle.simulate,
}
