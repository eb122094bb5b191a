"""Scenarios made of the published held-out tasks: what the gate does where the effects are real.

python -m benchmarks.holdout [--write]

A scenario is one run of the evolution and one family of tasks: `without` is the rate of the arm
that had no harness, `with` that of the arm that had the evolved one. Family D passes without any
harness; it stands beside every other family as the tasks that must not get worse.
"""

import argparse
import json
import sys
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

from benchmarks.scenario_files import dump, read
from benchmarks.scenarios import Scenario, SimTask
from cortex.judgement import Direction
from cortex.model.experiments import TaskRole

COUNTS = Path(__file__).parent / "data" / "reference" / "holdout-pass-counts.jsonl"
SCENARIOS = Path(__file__).parent / "data" / "holdout-scenarios.json"
CONTROL = "D"
ARMS = ("none", "evolved")
SHARE = 0.25
"""Shares are then exact to three points at 4,000 runs, and the whole stays below ten minutes."""

Passed = dict[str, dict[str, tuple[int, int]]]
"""Task -> arm -> passes and trials."""


def smoothed(passes: int, trials: int) -> float:
    """Return the rate as (passes + 1/2) / (trials + 1), which is never exactly 0 or 1.

    Five trials that all pass do not show a rate of 1; the half is Jeffreys' prior.
    """
    return round((passes + 0.5) / (trials + 1), 4)


def made() -> tuple[Scenario, ...]:
    """Return a scenario for each published run and family, in that order."""
    families: dict[tuple[str, str], Passed] = defaultdict(lambda: defaultdict(dict))
    for line in COUNTS.read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["arm"] in ARMS:
            arms = families[row["run"], row["family"]][row["task"]]
            passes, trials = arms.get(row["arm"], (0, 0))
            arms[row["arm"]] = (passes + row["passes"], trials + row["k"])
    return tuple(
        _scenario(run, family, tasks, families[run, CONTROL])
        for (run, family), tasks in sorted(families.items())
    )


def shipped() -> tuple[Scenario, ...]:
    """Return the scenarios of the file, to be run a quarter as often as the promised ones."""
    return tuple(replace(one, share=SHARE) for one in read(SCENARIOS))


def _scenario(run: str, family: str, tasks: Passed, control: Passed) -> Scenario:
    simulated = _tasks(tasks, TaskRole.THEME)
    if family != CONTROL:
        simulated += _tasks(control, TaskRole.PROTECTED)
    return Scenario(f"held out, {run} family {family}", Direction.ADD, simulated)


def _tasks(tasks: Passed, role: TaskRole) -> tuple[SimTask, ...]:
    both = [arms for _, arms in sorted(tasks.items()) if all(arm in arms for arm in ARMS)]
    return tuple(
        SimTask(smoothed(*arms["none"]), smoothed(*arms["evolved"]), role, 1.0) for arms in both
    )


def main() -> int:
    """Print the file, or write it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"write {SCENARIOS.name}")
    text = dump(made())
    if parser.parse_args().write:
        SCENARIOS.write_text(text, "utf-8")
    else:
        sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
