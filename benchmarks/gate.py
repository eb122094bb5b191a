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
from benchmarks.options import INTERRUPTED, Parser, ignore_interrupts
from benchmarks.scenarios import SCENARIOS, Scenario, SimTask
from cortex.errors import CortexError, UsageError
from cortex.judgement import Direction, Policy, TaskSpec, judge
from cortex.model.experiments import TaskRole
from cortex.model.trials import Arm, Pair, Run

WIDTH = 2
"""Pairs that run in parallel: a laptop."""
RULINGS = ("keep", "bury", "prune", "retain", "undecided", "unused")
CHUNK = 100
POLICY = Policy()


def simulate(scenario: Scenario, seed: str) -> tuple[str, int]:
    """Run an experiment; return its ruling and its number of trials."""
    draw = random.Random(seed)
    never_loads = all(task.load == 0 for task in scenario.tasks)
    specs = [
        TaskSpec(str(number), task.role, can_load=never_loads or task.load > 0)
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


Chunk = tuple[str, Scenario, int, int, int]
"""Method, scenario, seed, first run, last run + 1."""


def run_chunk(chunk: Chunk) -> list[tuple[str, int]]:
    """Simulate runs `start` to `end` of a scenario by a method."""
    method, scenario, seed, start, end = chunk
    simulate_run = METHODS.get(method, simulate)
    return [simulate_run(scenario, f"{seed} {scenario.name} {run}") for run in range(start, end)]


def methods(scenario: Scenario) -> tuple[str, ...]:
    """Return the methods for a scenario; only the gate judges exchanges of text."""
    return ("cortex",) if scenario.direction.exchanges else ("cortex", *METHODS)


def runs_of(scenario: Scenario, runs: int) -> int:
    """Return this scenario's part of the requested runs, at least 1."""
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
    """Return an entry for every promised figure."""
    promise = scenario.promise
    if promise is None:
        return []
    figures = [(ruling, limit, False) for ruling, limit in promise.at_most.items()]
    figures += [(ruling, limit, True) for ruling, limit in promise.at_least.items()]
    if promise.trials is not None:
        figures.append(("mean_trials", promise.trials, False))
    return [
        {
            "id": f"{scenario.name}: {what}",
            "what": f"{what} {'at least' if is_minimum else 'at most'} {limit}",
            "measured": measured[what],
            "limit": limit,
            "holds": measured[what] >= limit if is_minimum else measured[what] <= limit,
        }
        for what, limit, is_minimum in figures
    ]


def report(
    scenarios: Sequence[Scenario], runs: int, seed: int, *, compare: bool = True
) -> dict[str, Any]:
    """Simulate everything on all cores: a row for each scenario and method."""
    measured_commit = commit()  # first, because the checkout can change while this runs
    cells = [
        (scenario, method)
        for scenario in scenarios
        for method in (methods(scenario) if compare else ("cortex",))
    ]
    chunks = [
        (method, scenario, seed, start, min(start + CHUNK, runs_of(scenario, runs)))
        for scenario, method in cells
        for start in range(0, runs_of(scenario, runs), CHUNK)
    ]
    results: dict[tuple[str, str], list[tuple[str, int]]] = {
        (scenario.name, method): [] for scenario, method in cells
    }
    for (method, scenario, *_), chunk_results in zip(chunks, _run_parallel(chunks), strict=True):
        results[scenario.name, method] += chunk_results
    rows = [row(scenario, results[scenario.name, method], method) for scenario, method in cells]
    must = [
        figure
        for (scenario, method), measured in zip(cells, rows, strict=True)
        if method == "cortex"
        for figure in promises(scenario, measured)
    ]
    must.append(_decision_time())
    return {"benchmark": "gate", "commit": measured_commit, "machine": machine(), "runs": runs,
            "rows": rows, "must": must}  # fmt: skip


def _run_parallel(chunks: list[Chunk]) -> list[list[tuple[str, int]]]:
    """Run the chunks on all cores; an interruption stops the workers without tracebacks."""
    with ProcessPoolExecutor(os.cpu_count(), initializer=ignore_interrupts) as pool:
        try:
            return list(pool.map(run_chunk, chunks))
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _decision_time() -> dict[str, Any]:
    """Measure CPU time, which depends little on other load of the machine."""
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
    what = "a decision with 30 tasks and 1,000 pairs, ms"
    return {"id": "decision", "what": what, "measured": measured, "limit": 5, "holds": measured < 5}


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = Parser(prog="gate", description=__doc__)
    parser.add_argument(
        "--scenarios",
        type=Path,
        metavar="FILE",
        help="scenarios to run instead of the shipped ones",
    )
    parser.add_argument("--runs", type=int, default=4000, help="runs of each scenario and method")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--compare", action=argparse.BooleanOptionalAction, default=True,
        help="run the other methods too, which takes little time",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    if options.runs < 1:
        raise UsageError(f"--runs: must be at least 1, not {options.runs}")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Print rows and promises; exit code 1 when a promise does not hold, 2 for invalid input."""
    try:
        options = _options(arguments)
        scenarios = _scenarios(options.scenarios)
        measured = report(scenarios, options.runs, options.seed, compare=options.compare)
    except CortexError as error:
        sys.stderr.write(f"gate: {error}\n")
        return error.exit_code
    except KeyboardInterrupt:
        sys.stderr.write("gate: interrupted\n")
        return INTERRUPTED
    if options.json:
        print(json.dumps(measured, indent=1))
    else:
        _print(measured)
    return 0 if all(figure["holds"] for figure in measured["must"]) else 1


def _scenarios(path: Path | None) -> tuple[Scenario, ...]:
    """Return the scenarios of the file, else the promised and the held-out scenarios."""
    return scenario_files.read(path) if path else (*SCENARIOS, *holdout.shipped())


def _print(measured: dict[str, Any]) -> None:
    for row in measured["rows"]:
        shares = "  ".join(f"{ruling} {row[ruling]:.1%}" for ruling in RULINGS if row[ruling])
        label = f"{row['scenario']:<32} {row['method']:<10}"
        print(f"{label} {row['mean_trials']:>6} trials ({row['p90_trials']})  {shares}")
    for figure in measured["must"]:
        if not figure["holds"]:
            print(f"not met: {figure['id']}: {figure['what']}, measured {figure['measured']}")


if __name__ == "__main__":
    sys.exit(main())
