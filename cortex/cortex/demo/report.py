"""What the demo found, in the shape of `cortex demo --json`."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """One piece of text: what was planted, and what the loop said of it."""

    name: str
    planted: str
    """`useful`, `useless`, `harmful`, `helpful`, `dead-weight` or `never-used`."""
    verdict: str
    pairs: int
    lift: float
    e_value: float
    loaded: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Pass rates on work that no session has seen, with the harness before and after."""

    without: float
    with_: float
    tasks: int


@dataclass(frozen=True, slots=True)
class Report:
    """The whole demo."""

    seed: int
    seconds: float
    trials: int
    sessions: int
    corrections: int
    tasks: int
    candidates: tuple[Row, ...]
    existing: tuple[Row, ...]
    heldout: HeldOut

    def as_json(self) -> dict[str, object]:
        """Return the object that `--json` prints."""

        def row(one: Row) -> dict[str, object]:
            return {
                "name": one.name,
                "planted": one.planted,
                "verdict": one.verdict,
                "pairs": one.pairs,
                "lift": round(one.lift, 4),
                "e_value": round(min(one.e_value, 1e300), 4),
                "loaded": one.loaded,
            }

        return {
            "seed": self.seed,
            "seconds": round(self.seconds, 2),
            "trials": self.trials,
            "candidates": [row(one) for one in self.candidates],
            "existing": [row(one) for one in self.existing],
            "heldout": {
                "without": round(self.heldout.without, 4),
                "with": round(self.heldout.with_, 4),
                "tasks": self.heldout.tasks,
            },
        }
