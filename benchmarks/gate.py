"""Monte Carlo of the shipping gate and scheduler: error rates and cost, scenario by scenario.

python -m benchmarks.gate [--scenarios FILE] [--runs N] [--seed S] [--compare] [--json]
"""

import argparse
import json
import os
import platform
import random
import statistics
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from benchmarks.methods import METHODS
from benchmarks.scenarios import SCENARIOS, Scenario, SimTask, read
from cortex.errors import CortexError
from cortex.judgement import Policy, TaskSpec, judge
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
        pairs += [_run(run, scenario.tasks[int(run.task_id)], draw) for run in judgement.wave]


def _trials(pairs: list[Pair]) -> int:
    return sum(len(pair.arms) for pair in pairs)


def _run(run: Run, task: SimTask, draw: random.Random) -> Pair:
    without = draw.random() < task.without if Arm.WITHOUT in run.arms else None
    if Arm.WITH not in run.arms:
        return Pair(run.task_id, without, None, False)
    loaded = draw.random() < task.load
    rate = task.with_ if loaded else task.without
    return Pair(run.task_id, without, draw.random() < rate, loaded)


def run_chunk(job: tuple[str, Scenario, int, int, int]) -> list[tuple[str, int]]:
    """Simulate runs `start` to `end` of one scenario by one method."""
    method, scenario, seed, start, end = job
    run_one = METHODS.get(method, simulate)
    return [run_one(scenario, f"{seed} {scenario.name} {run}") for run in range(start, end)]


def compare(scenarios: tuple[Scenario, ...], runs: int, seed: int) -> list[dict[str, Any]]:
    """Return a row of each other method for each scenario."""
    return [
        row(one, run_chunk((method, one, seed, 0, runs)), method)
        for one in scenarios
        for method in METHODS
    ]


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
        **shares,
        "mean_trials": round(statistics.fmean(trials), 1),
        "p90_trials": trials[int(0.9 * (len(trials) - 1))],
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


def report(scenarios: tuple[Scenario, ...], runs: int, seed: int) -> dict[str, Any]:
    """Simulate everything on all cores."""
    jobs = [
        ("cortex", scenario, seed, start, min(start + CHUNK, runs))
        for scenario in scenarios
        for start in range(0, runs, CHUNK)
    ]
    results: dict[str, list[tuple[str, int]]] = {one.name: [] for one in scenarios}
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for job, chunk in zip(jobs, pool.map(run_chunk, jobs), strict=True):
            results[job[1].name] += chunk
    rows = [row(one, results[one.name]) for one in scenarios]
    must = [p for one, r in zip(scenarios, rows, strict=True) for p in promises(one, r)]
    must.append(_decision_time())
    return {"benchmark": "gate", "commit": _commit(), "machine": _machine(), "runs": runs,
            "rows": rows, "must": must}  # fmt: skip


def _decision_time() -> dict[str, Any]:
    draw = random.Random(1)
    specs = [TaskSpec(str(number), "other") for number in range(30)]
    pairs = [
        Pair(str(draw.randrange(30)), draw.random() < 0.6, draw.random() < 0.6, True)
        for _ in range(1000)
    ]
    times = []
    for _ in range(7):
        clock = time.perf_counter()
        judge(SCENARIOS[-1].direction, specs, pairs, POLICY, WIDTH)
        times.append(1000 * (time.perf_counter() - clock))
    measured = round(statistics.median(times), 2)
    what = "one decision with 30 tasks and 1,000 pairs, ms"
    return {"id": "decision", "what": what, "measured": measured, "limit": 5, "holds": measured < 5}


def _commit() -> str:
    done = subprocess.run(
        ["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=False,
        cwd=Path(__file__).parent,
    )  # fmt: skip
    return done.stdout.strip()


def _machine() -> dict[str, Any]:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return {
        "cores": os.cpu_count(),
        "memory_gb": round(memory),
        "python": platform.python_version(),
    }


def main() -> int:
    """Print rows and promises; exit code 1 when a promise does not hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenarios", type=Path)
    parser.add_argument("--runs", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--compare", action="store_true", help="beside the other methods")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    try:
        scenarios = read(options.scenarios) if options.scenarios else SCENARIOS
    except CortexError as error:
        sys.stderr.write(f"gate: {error}\n")
        return error.exit_code
    found = report(scenarios, options.runs, options.seed)
    if options.compare:
        found["rows"] += compare(scenarios, options.runs, options.seed)
    if options.json:
        print(json.dumps(found, indent=1))
    else:
        _print(found)
    return 0 if all(one["holds"] for one in found["must"]) else 1


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
