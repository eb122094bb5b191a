"""The result of the demo, as printed by `cortex demo --json`."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """A planted text and its verdict."""

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
    """Pass rates on held-out work, with the harness before and after."""

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

        def row_json(row: Row) -> dict[str, object]:
            return {
                "name": row.name,
                "planted": row.planted,
                "verdict": row.verdict,
                "pairs": row.pairs,
                "lift": round(row.lift, 4),
                "e_value": round(min(row.e_value, 1e300), 4),
                "loaded": row.loaded,
            }

        return {
            "seed": self.seed,
            "seconds": round(self.seconds, 2),
            "trials": self.trials,
            "candidates": [row_json(row) for row in self.candidates],
            "existing": [row_json(row) for row in self.existing],
            "heldout": {
                "without": round(self.heldout.without, 4),
                "with": round(self.heldout.with_, 4),
                "tasks": self.heldout.tasks,
            },
        }
