"""Monte Carlo of the shipping gate and scheduler: error rates and cost, scenario by scenario.

python -m benchmarks.gate [--scenarios FILE] [--runs N] [--seed S] [--no-compare] [--json]
"""

import argparse
import json
import os
import random
import statistics
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from math import ceil
from pathlib import Path
from typing import Any

from benchmarks import holdout, scenario_files
from benchmarks.machine import commit, machine
from benchmarks.methods import METHODS
from benchmarks.options import INTERRUPTED, Parser, leave_interrupts_alone
from benchmarks.scenarios import SCENARIOS, Scenario, SimTask
from cortex.errors import CortexError, UsageError
from cortex.judgement import Direction, Policy, TaskSpec, judge
from cortex.model.experiments import TaskRole
from cortex.model.trials import Arm, Pair, Run

WIDTH = 2
"""Pairs beside each other: a laptop."""
RULINGS = ("keep", "bury", "prune", "retain", "undecided", "unused")
CHUNK = 100
POLICY = Policy()


def simulate(scenario: Scenario, seed: str) -> tuple[str, int]:
    """Run one experiment; return its ruling and its number of trials."""
    draw = random.Random(seed)
    silent = all(task.load == 0 for task in scenario.tasks)
    specs = [
        TaskSpec(str(number), task.role, can_load=silent or task.load > 0)
        for number, task in enumerate(scenario.tasks)
    ]
    pairs: list[Pair] = []
    while True:
        judgement = judge(scenario.direction, specs, pairs, POLICY, WIDTH)
        if judgement.ruling is not None:
            return str(judgement.ruling), _trials(pairs)
        pairs += [_run(run, scenario.tasks[int(run.task_id)], draw) for run in judgement.batch]


def _trials(pairs: list[Pair]) -> int:
    return sum(len(pair.arms) for pair in pairs)


def _run(run: Run, task: SimTask, draw: random.Random) -> Pair:
    without = draw.random() < task.without if Arm.WITHOUT in run.arms else None
    if Arm.WITH not in run.arms:
        return Pair(run.task_id, without, None, False)
    loaded = draw.random() < task.load
    rate = task.with_ if loaded else task.without
    return Pair(run.task_id, without, draw.random() < rate, loaded)


Job = tuple[str, Scenario, int, int, int]
"""Method, scenario, seed, first run and the one after the last."""


def run_chunk(job: Job) -> list[tuple[str, int]]:
    """Simulate runs `start` to `end` of one scenario by one method."""
    method, scenario, seed, start, end = job
    run_one = METHODS.get(method, simulate)
    return [run_one(scenario, f"{seed} {scenario.name} {run}") for run in range(start, end)]


def methods(scenario: Scenario) -> tuple[str, ...]:
    """Return who decides the scenario; only the gate knows exchanges of text."""
    return ("cortex",) if scenario.direction.exchanges else ("cortex", *METHODS)


def runs_of(scenario: Scenario, runs: int) -> int:
    """Return how many of the runs asked for this scenario gets, at least one."""
    return max(1, round(scenario.share * runs))


def row(
    scenario: Scenario, results: list[tuple[str, int]], method: str = "cortex"
) -> dict[str, Any]:
    """Return shares of rulings and the cost."""
    counts = Counter(ruling for ruling, _ in results)
    trials = sorted(count for _, count in results)
    shares = {ruling: round(counts[ruling] / len(results), 4) for ruling in RULINGS}
    return {
        "scenario": scenario.name,
        "method": method,
        "runs": len(results),
        **shares,
        "mean_trials": round(statistics.fmean(trials), 1),
        "p90_trials": trials[ceil(0.9 * len(trials)) - 1],
    }


def promises(scenario: Scenario, measured: dict[str, Any]) -> list[dict[str, Any]]:
    """Return one entry for every promised figure."""
    must = scenario.must
    if must is None:
        return []
    figures = [(ruling, limit, False) for ruling, limit in must.at_most.items()]
    figures += [(ruling, limit, True) for ruling, limit in must.at_least.items()]
    if must.trials is not None:
        figures.append(("mean_trials", must.trials, False))
    return [
        {
            "id": f"{scenario.name}: {what}",
            "what": f"{what} {'at least' if least else 'at most'} {limit}",
            "measured": measured[what],
            "limit": limit,
            "holds": measured[what] >= limit if least else measured[what] <= limit,
        }
        for what, limit, least in figures
    ]


def report(
    scenarios: Sequence[Scenario], runs: int, seed: int, *, compare: bool = True
) -> dict[str, Any]:
    """Simulate everything on all cores: a row for each scenario and method."""
    measured_commit = commit()  # now, because the checkout can move on while this runs
    cells = [(one, who) for one in scenarios for who in (methods(one) if compare else ("cortex",))]
    jobs = [
        (who, scenario, seed, start, min(start + CHUNK, runs_of(scenario, runs)))
        for scenario, who in cells
        for start in range(0, runs_of(scenario, runs), CHUNK)
    ]
    results: dict[tuple[str, str], list[tuple[str, int]]] = {(s.name, who): [] for s, who in cells}
    for job, chunk in zip(jobs, _spread(jobs), strict=True):
        results[job[1].name, job[0]] += chunk
    rows = [row(one, results[one.name, who], who) for one, who in cells]
    ours = [(one, r) for (one, who), r in zip(cells, rows, strict=True) if who == "cortex"]
    must = [figure for one, measured in ours for figure in promises(one, measured)]
    must.append(_decision_time())
    return {"benchmark": "gate", "commit": measured_commit, "machine": machine(), "runs": runs,
            "rows": rows, "must": must}  # fmt: skip


def _spread(jobs: list[Job]) -> list[list[tuple[str, int]]]:
    """Run the jobs on all cores; an interruption ends the workers without their tracebacks."""
    with ProcessPoolExecutor(os.cpu_count(), initializer=leave_interrupts_alone) as pool:
        try:
            return list(pool.map(run_chunk, jobs))
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _decision_time() -> dict[str, Any]:
    """Measure processor time, which other work on the machine does not change much."""
    draw = random.Random(1)
    specs = [TaskSpec(str(number), TaskRole.OTHER) for number in range(30)]
    pairs = [
        Pair(str(draw.randrange(30)), draw.random() < 0.6, draw.random() < 0.6, True)
        for _ in range(1000)
    ]
    times = []
    for _ in range(7):
        clock = time.process_time()
        judge(Direction.REMOVE, specs, pairs, POLICY, WIDTH)
        times.append(1000 * (time.process_time() - clock))
    measured = round(statistics.median(times), 2)
    what = "one decision with 30 tasks and 1,000 pairs, ms"
    return {"id": "decision", "what": what, "measured": measured, "limit": 5, "holds": measured < 5}


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = Parser(prog="gate", description=__doc__)
    parser.add_argument("--scenarios", type=Path, metavar="FILE", help="instead of the shipped")
    parser.add_argument("--runs", type=int, default=4000, help="of each scenario and method")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--compare", action=argparse.BooleanOptionalAction, default=True,
        help="beside the other methods, which cost next to nothing",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    if options.runs < 1:
        raise UsageError(f"--runs: must be at least 1, not {options.runs}")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Print rows and promises; exit code 1 when a promise does not hold, 2 for wrong input."""
    try:
        options = _options(arguments)
        scenarios = _scenarios(options.scenarios)
        found = report(scenarios, options.runs, options.seed, compare=options.compare)
    except CortexError as error:
        sys.stderr.write(f"gate: {error}\n")
        return error.exit_code
    except KeyboardInterrupt:
        sys.stderr.write("gate: interrupted\n")
        return INTERRUPTED
    if options.json:
        print(json.dumps(found, indent=1))
    else:
        _print(found)
    return 0 if all(one["holds"] for one in found["must"]) else 1


def _scenarios(path: Path | None) -> tuple[Scenario, ...]:
    """Return those of the file, else the promised ones and after them the held-out tasks."""
    return scenario_files.read(path) if path else (*SCENARIOS, *holdout.shipped())


def _print(found: dict[str, Any]) -> None:
    for one in found["rows"]:
        shares = "  ".join(f"{ruling} {one[ruling]:.1%}" for ruling in RULINGS if one[ruling])
        who = f"{one['scenario']:<32} {one['method']:<10}"
        print(f"{who} {one['mean_trials']:>6} trials ({one['p90_trials']})  {shares}")
    for one in found["must"]:
        if not one["holds"]:
            print(f"does not hold: {one['id']}: {one['what']}, measured {one['measured']}")


if __name__ == "__main__":
    sys.exit(main())
