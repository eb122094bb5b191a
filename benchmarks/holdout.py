"""Scenarios from the published held-out tasks: the gate on effects measured in practice.

python -m benchmarks.holdout [--write]

A scenario is a run of the evolution and a family of tasks: `without` is the pass rate of the arm
without a harness, `with` that of the arm with the evolved harness. Family D passes without any
harness; every other family includes it as guarded tasks.
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
"""Share of the runs: exact to three points at 4,000 runs, below ten minutes in total."""

Passed = dict[str, dict[str, tuple[int, int]]]
"""Task -> arm -> passes and trials."""


def smoothed(passes: int, trials: int) -> float:
    """Return the rate as (passes + 1/2) / (trials + 1), the posterior mean under Jeffreys' prior.

    It is never exactly 0 or 1: five passes of five do not show a rate of 1.
    """
    return round((passes + 0.5) / (trials + 1), 4)


def build_scenarios() -> tuple[Scenario, ...]:
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
    """Return the scenarios of the file, with a quarter of the runs."""
    return tuple(replace(scenario, share=SHARE) for scenario in read(SCENARIOS))


def _scenario(run: str, family: str, tasks: Passed, control: Passed) -> Scenario:
    simulated = _tasks(tasks, TaskRole.THEME)
    if family != CONTROL:
        simulated += _tasks(control, TaskRole.PROTECTED)
    return Scenario(f"held out, {run} family {family}", Direction.ADD, simulated)


def _tasks(tasks: Passed, role: TaskRole) -> tuple[SimTask, ...]:
    complete = [arms for _, arms in sorted(tasks.items()) if all(arm in arms for arm in ARMS)]
    return tuple(
        SimTask(smoothed(*arms["none"]), smoothed(*arms["evolved"]), role, 1.0) for arms in complete
    )


def main() -> int:
    """Print or write the scenario file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"write {SCENARIOS.name}")
    text = dump(build_scenarios())
    if parser.parse_args().write:
        SCENARIOS.write_text(text, "utf-8")
    else:
        sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
