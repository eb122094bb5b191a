"""The published procedure of the paper's lab, reimplemented from its description.

Adding: a screen of 2 runs per arm on the theme's tasks; with a gain, 3 runs per arm on all tasks
and five gates over the tasks that loaded the text; if only single tasks fail, they are rerun.
Removing: 3 runs per arm on the tasks that load it, and three gates.
(github.com/samugit83/cortex, MIT, (c) 2026 Samuele Giampieri)
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.methods.drawing import can_load, draw_pair, target
from benchmarks.scenarios import Scenario, SimTask
from cortex.judgement import Direction

SCREEN, CONFIRM = 2, 3
TOLERANCE = 0.34
MIN_NET_RUNS = 2


@dataclass(frozen=True, slots=True)
class TaskSweep:
    """Counts of a task that was run a few times in both arms."""

    task: SimTask
    runs: int
    base: int
    changed: int
    loads: int

    @property
    def drops_too_far(self) -> bool:
        """Whether the pass rate drops by more than TOLERANCE."""
        return (self.base - self.changed) / self.runs > TOLERANCE

    @property
    def breaks(self) -> bool:
        """Whether a task that always passed now fails at least once."""
        return self.base == self.runs and self.changed < self.runs


def simulate(scenario: Scenario, seed: str) -> tuple[str, int]:
    """Run an experiment; return its ruling and its number of trials."""
    draw = random.Random(seed)
    adds = scenario.direction is Direction.ADD
    return _add(scenario, draw) if adds else _remove(scenario, draw)


def _sweep(tasks: Sequence[SimTask], runs: int, adds: bool, draw: random.Random) -> list[TaskSweep]:
    sweeps = []
    for task in tasks:
        drawn = [draw_pair(task, draw) for _ in range(runs)]
        without, with_, loads = (sum(column) for column in zip(*drawn, strict=True))
        base, changed = (without, with_) if adds else (with_, without)
        sweeps.append(TaskSweep(task, runs, base, changed, loads))
    return sweeps


def _gain(sweeps: Sequence[TaskSweep]) -> int:
    return sum(max(0, sweep.changed - sweep.base) for sweep in sweeps)


def _add(scenario: Scenario, draw: random.Random) -> tuple[str, int]:
    theme = target(scenario) or list(scenario.tasks)
    screened = _sweep(theme, SCREEN, True, draw)
    trials = 2 * SCREEN * len(theme)
    if not _gain(screened) or not any(sweep.loads for sweep in screened):
        return "bury", trials
    sweeps = _sweep(scenario.tasks, CONFIRM, True, draw)
    trials += 2 * CONFIRM * len(sweeps)
    exposed = [sweep for sweep in sweeps if sweep.loads]
    if not _gain(exposed) or sum(sweep.changed - sweep.base for sweep in exposed) < MIN_NET_RUNS:
        return "bury", trials
    dropped = [sweep.task for sweep in exposed if sweep.drops_too_far]
    broken = [sweep.task for sweep in exposed if sweep.breaks and not sweep.drops_too_far]
    rechecked = _sweep(dropped, CONFIRM, True, draw), _sweep(broken, CONFIRM, True, draw)
    trials += 2 * CONFIRM * (len(dropped) + len(broken))
    fails = any(sweep.drops_too_far or sweep.breaks for sweep in rechecked[0])
    fails = fails or any(sweep.breaks for sweep in rechecked[1])
    return "bury" if fails else "keep", trials


def _remove(scenario: Scenario, draw: random.Random) -> tuple[str, int]:
    sweeps = _sweep(can_load(scenario) or scenario.tasks, CONFIRM, False, draw)
    trials = 2 * CONFIRM * len(sweeps)
    exposed = [sweep for sweep in sweeps if sweep.loads]
    if not exposed:
        return "unused", trials
    costs = sum(sweep.changed - sweep.base for sweep in exposed) <= -MIN_NET_RUNS
    costs = costs or any(sweep.drops_too_far or sweep.breaks for sweep in exposed)
    return "retain" if costs else "prune", trials
