"""The candidates that the paper's lab tried, through the shipping decision rule.

python -m benchmarks.replay_reference [--resamples N] [--seed S] [--json]

Outcomes are the published ones. Only counts per sweep, task and arm are known, so the order of
trials within a sweep is drawn anew for each resample; see `docs/reference-outcomes.md`.
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
from benchmarks.reference.comparing import removal_rows, rounded, row
from benchmarks.reference.replay import replay
from cortex.errors import CortexError, UsageError

RESAMPLES = 200


def report(resamples: int, seed: int) -> dict[str, Any]:
    """Replay every candidate on all cores."""
    measured_commit = commit()  # now, because the checkout can move on while this runs
    with ProcessPoolExecutor(os.cpu_count(), initializer=ignore_interrupts) as pool:
        try:
            rows = list(pool.map(partial(_row, resamples, seed), [*planted(), *proposed()]))
            same = list(pool.map(partial(_same, resamples, seed), same_text()))
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    silent = [one["candidate"] for one in rows if _unexplained(one)]
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
                "measured": len(silent),
                "limit": 0,
                "holds": not silent,
            }
        ],
    }


def _row(resamples: int, seed: int, candidate: Candidate) -> dict[str, Any]:
    found = replay(candidate, resamples, seed)
    skill = candidate.kind == "skill"
    return row(found, replay(candidate, resamples, seed, visible=True) if skill else None)


def _same(resamples: int, seed: int, candidate: Candidate) -> dict[str, Any]:
    found = replay(candidate, resamples, seed)
    return {
        "sweep": candidate.name,
        "tasks": len(candidate.tasks),
        "rulings": rounded(found),
        "mean_trials": round(found.mean_trials, 1),
        "published_trials": candidate.trials,
    }


def _unexplained(one: dict[str, Any]) -> bool:
    return one["agreement"] != "agrees" and not one["explanation"]


def agreements(rows: Sequence[dict[str, Any]]) -> Counter[str]:
    """Count the candidates that agree, differ or stay undecided."""
    return Counter(one["agreement"] for one in rows)


def shares(rulings: dict[str, float]) -> str:
    """Return `keep 80%, undecided 20%`."""
    return ", ".join(f"{ruling} {share:.0%}" for ruling, share in rulings.items())


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the comparison; exit code 1 when a difference is not explained, 2 for wrong input."""
    try:
        options = _options(arguments)
        found = report(options.resamples, options.seed)
    except CortexError as error:
        sys.stderr.write(f"replay_reference: {error}\n")
        return error.exit_code
    except KeyboardInterrupt:
        sys.stderr.write("replay_reference: interrupted\n")
        return INTERRUPTED
    if options.json:
        print(json.dumps(found, indent=1, ensure_ascii=False))
    else:
        _print(found)
    return 0 if all(one["holds"] for one in found["must"]) else 1


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = Parser(prog="replay_reference", description=__doc__)
    parser.add_argument("--resamples", type=int, default=RESAMPLES, help="orders a candidate")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    if options.resamples < 1:
        raise UsageError(f"--resamples: must be at least 1, not {options.resamples}")
    return options


def _print(found: dict[str, Any]) -> None:
    for one in found["rows"]:
        used = f"{one['mean_trials']:g} of {one['published_trials']} trials"
        print(
            f"{one['candidate']:<44} {one['recorded']:<6} {one['agreement']:<9} "
            f"{shares(one['rulings'])}; {used}"
        )
        if one["explanation"]:
            print(f"    {one['explanation']}")
    for one in found["same_text"]:
        print(f"the same text in both arms, {one['sweep']}: {shares(one['rulings'])}")
    counts = agreements(found["rows"])
    print(", ".join(f"{counts[name]} {name}" for name in ("agrees", "differs", "undecided")))


if __name__ == "__main__":
    sys.exit(main())
