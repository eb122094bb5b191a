"""Runs the shipping decision rule on the candidates of the paper's lab.

python -m benchmarks.replay_reference [--resamples N] [--seed S] [--json]

The outcomes are the published ones. Only counts per sweep, task and arm are known, so the order of
trials within a sweep is drawn for each resample; see `docs/reference-outcomes.md`.
"""

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any

from benchmarks.machine import commit, machine
from benchmarks.options import INTERRUPTED, Parser, ignore_interrupts
from benchmarks.reference.candidates import Candidate, planted, proposed, same_text
from benchmarks.reference.comparing import removal_rows, rounded
from benchmarks.reference.comparing import row as comparison_row
from benchmarks.reference.replay import replay
from cortex.errors import CortexError, UsageError

RESAMPLES = 200


def report(resamples: int, seed: int) -> dict[str, Any]:
    """Replay every candidate on all cores."""
    measured_commit = commit()  # first, because the checkout can change while this runs
    with ProcessPoolExecutor(os.cpu_count(), initializer=ignore_interrupts) as pool:
        try:
            rows = list(pool.map(partial(_row, resamples, seed), [*planted(), *proposed()]))
            same = list(pool.map(partial(_same, resamples, seed), same_text()))
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    unexplained = [row["candidate"] for row in rows if _is_unexplained(row)]
    return {
        "benchmark": "replay_reference",
        "commit": measured_commit,
        "machine": machine(),
        "resamples": resamples,
        "seed": seed,
        "rows": rows,
        "same_text": same,
        "removals": removal_rows(),
        "must": [
            {
                "id": "explained",
                "what": "candidates that differ without an explanation",
                "measured": len(unexplained),
                "limit": 0,
                "holds": not unexplained,
            }
        ],
    }


def _row(resamples: int, seed: int, candidate: Candidate) -> dict[str, Any]:
    replayed = replay(candidate, resamples, seed)
    is_skill = candidate.kind == "skill"
    if_visible = replay(candidate, resamples, seed, visible=True) if is_skill else None
    return comparison_row(replayed, if_visible)


def _same(resamples: int, seed: int, candidate: Candidate) -> dict[str, Any]:
    replayed = replay(candidate, resamples, seed)
    return {
        "sweep": candidate.name,
        "tasks": len(candidate.tasks),
        "rulings": rounded(replayed),
        "mean_trials": round(replayed.mean_trials, 1),
        "published_trials": candidate.trials,
    }


def _is_unexplained(row: dict[str, Any]) -> bool:
    return row["agreement"] != "agrees" and not row["explanation"]


def agreements(rows: Sequence[dict[str, Any]]) -> Counter[str]:
    """Count the candidates that agree, differ or stay undecided."""
    return Counter(row["agreement"] for row in rows)


def shares(rulings: dict[str, float]) -> str:
    """Return `keep 80%, undecided 20%`."""
    return ", ".join(f"{ruling} {share:.0%}" for ruling, share in rulings.items())


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the comparison; exit code 1 when a difference is not explained, 2 for invalid input."""
    try:
        options = _options(arguments)
        measured = report(options.resamples, options.seed)
    except CortexError as error:
        sys.stderr.write(f"replay_reference: {error}\n")
        return error.exit_code
    except KeyboardInterrupt:
        sys.stderr.write("replay_reference: interrupted\n")
        return INTERRUPTED
    if options.json:
        print(json.dumps(measured, indent=1, ensure_ascii=False))
    else:
        _print(measured)
    return 0 if all(figure["holds"] for figure in measured["must"]) else 1


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = Parser(prog="replay_reference", description=__doc__)
    parser.add_argument(
        "--resamples", type=int, default=RESAMPLES, help="orders of the trials of each candidate"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    if options.resamples < 1:
        raise UsageError(f"--resamples: must be at least 1, not {options.resamples}")
    return options


def _print(measured: dict[str, Any]) -> None:
    for row in measured["rows"]:
        used = f"{row['mean_trials']:g} of {row['published_trials']} trials"
        print(
            f"{row['candidate']:<44} {row['recorded']:<6} {row['agreement']:<9} "
            f"{shares(row['rulings'])}; {used}"
        )
        if row["explanation"]:
            print(f"    {row['explanation']}")
    for row in measured["same_text"]:
        print(f"the same text in both arms, {row['sweep']}: {shares(row['rulings'])}")
    counts = agreements(measured["rows"])
    print(", ".join(f"{counts[name]} {name}" for name in ("agrees", "differs", "undecided")))


if __name__ == "__main__":
    sys.exit(main())
