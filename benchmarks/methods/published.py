"""The published procedure of the paper's lab, written anew from its description.

Adding: a screen of 2 runs an arm on the theme's tasks; with a gain, 3 runs an arm on all tasks and
five gates over the tasks that loaded the text; if only single tasks fail, they are run once more.
Removing: 3 runs an arm on the tasks that load it, and three gates.
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
class Swept:
    """One task, run a few times in both arms."""

    task: SimTask
    runs: int
    base: int
    changed: int
    loads: int

    @property
    def drops_too_far(self) -> bool:
        """Whether the share of passes falls by more than is tolerated."""
        return (self.base - self.changed) / self.runs > TOLERANCE

    @property
    def breaks(self) -> bool:
        """Whether a task that always passed does not any more."""
        return self.base == self.runs and self.changed < self.runs


def simulate(scenario: Scenario, seed: str) -> tuple[str, int]:
    """Run one experiment; return its ruling and its number of trials."""
    draw = random.Random(seed)
    adds = scenario.direction is Direction.ADD
    return _add(scenario, draw) if adds else _remove(scenario, draw)


def _sweep(tasks: Sequence[SimTask], runs: int, adds: bool, draw: random.Random) -> list[Swept]:
    swept = []
    for task in tasks:
        drawn = [draw_pair(task, draw) for _ in range(runs)]
        without, with_, loads = (sum(column) for column in zip(*drawn, strict=True))
        base, changed = (without, with_) if adds else (with_, without)
        swept.append(Swept(task, runs, base, changed, loads))
    return swept


def _gain(swept: Sequence[Swept]) -> int:
    return sum(max(0, one.changed - one.base) for one in swept)


def _add(scenario: Scenario, draw: random.Random) -> tuple[str, int]:
    theme = target(scenario) or list(scenario.tasks)
    screened = _sweep(theme, SCREEN, True, draw)
    trials = 2 * SCREEN * len(theme)
    if not _gain(screened) or not any(one.loads for one in screened):
        return "bury", trials
    swept = _sweep(scenario.tasks, CONFIRM, True, draw)
    trials += 2 * CONFIRM * len(swept)
    exposed = [one for one in swept if one.loads]
    if not _gain(exposed) or sum(one.changed - one.base for one in exposed) < MIN_NET_RUNS:
        return "bury", trials
    dropped = [one.task for one in exposed if one.drops_too_far]
    broken = [one.task for one in exposed if one.breaks and not one.drops_too_far]
    again = _sweep(dropped, CONFIRM, True, draw), _sweep(broken, CONFIRM, True, draw)
    trials += 2 * CONFIRM * (len(dropped) + len(broken))
    fails = any(one.drops_too_far or one.breaks for one in again[0])
    fails = fails or any(one.breaks for one in again[1])
    return "bury" if fails else "keep", trials


def _remove(scenario: Scenario, draw: random.Random) -> tuple[str, int]:
    swept = _sweep(can_load(scenario) or scenario.tasks, CONFIRM, False, draw)
    trials = 2 * CONFIRM * len(swept)
    exposed = [one for one in swept if one.loads]
    if not exposed:
        return "unused", trials
    costs = sum(one.changed - one.base for one in exposed) <= -MIN_NET_RUNS
    costs = costs or any(one.drops_too_far or one.breaks for one in exposed)
    return "retain" if costs else "prune", trials
