"""Run every benchmark and write `docs/benchmarks.md` with the commit it measured."""

import argparse
import sys
from pathlib import Path
from typing import Any

from benchmarks import gate
from benchmarks.scenarios import SCENARIOS

PAGE = Path(__file__).parents[1] / "docs" / "benchmarks.md"


def main() -> int:
    """Return 1 when a promised figure does not hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=4000)
    found = gate.report(SCENARIOS, parser.parse_args().runs, 1, compare=False)
    PAGE.write_text(page(found), "utf-8")
    return 0 if all(one["holds"] for one in found["must"]) else 1


def page(found: dict[str, Any]) -> str:
    """Return the page as Markdown."""
    machine = found["machine"]
    head = (
        "# Benchmarks\n\n"
        f"Commit `{found['commit'][:12]}`, {machine['cores']} cores, {machine['memory_gb']} GB, "
        f"Python {machine['python']}. Made by `make bench`.\n\n"
        "## The gate\n\n"
        f"Monte Carlo of the shipping gate and scheduler, {found['runs']} runs a scenario "
        "(`benchmarks/scenarios.py`), two pairs beside each other.\n\n"
    )
    columns = ("scenario", *gate.RULINGS, "mean trials", "90% of runs within")
    rows = [
        (row["scenario"], *(_share(row[one]) for one in gate.RULINGS), row["mean_trials"],
         row["p90_trials"])
        for row in found["rows"]
    ]  # fmt: skip
    promised = [
        (one["id"], one["what"], one["measured"], "yes" if one["holds"] else "**no**")
        for one in found["must"]
    ]
    return (
        head
        + _table(columns, rows)
        + "\n### What is promised\n\n"
        + _table(("figure", "promise", "measured", "holds"), promised)
    )


def _share(value: float) -> str:
    return f"{value:.1%}" if value else ""


def _table(columns: tuple[str, ...], rows: list[tuple[Any, ...]]) -> str:
    lines = [columns, tuple("---" for _ in columns), *rows]
    return "".join("| " + " | ".join(map(str, line)) + " |\n" for line in lines)


if __name__ == "__main__":
    sys.exit(main())
