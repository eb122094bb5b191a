"""A fixed-sample test at the same error rate: the exact sign test.

All tasks that load the text get the same number of pairs. When the text changes nothing, a
discordant pair favours either arm with equal probability, whatever the tasks' rates are. The test
can show a lift or a harm, but not their absence, so it never prunes.
"""

import random
from math import comb

from benchmarks.methods.drawing import DrawnPair, can_load, draw_pair
from benchmarks.scenarios import Scenario
from cortex.judgement import Direction, Policy
from cortex.model.experiments import TaskRole

PAIRS = 10
"""Per task: power 0.9 for a mean lift of 1/3 on four tasks."""
POLICY = Policy()


def simulate(scenario: Scenario, seed: str) -> tuple[str, int]:
    """Run an experiment; return its ruling and its number of trials."""
    draw = random.Random(seed)
    tasks = can_load(scenario)
    adds = scenario.direction is Direction.ADD
    if not tasks:
        return ("bury" if adds else "unused"), 0
    drawn = [[draw_pair(task, draw) for _ in range(PAIRS)] for task in tasks]
    themed = any(task.role is TaskRole.THEME for task in tasks)
    target = [
        d for t, d in zip(tasks, drawn, strict=True) if t.role is TaskRole.THEME or not themed
    ]
    guarded = [
        d for t, d in zip(tasks, drawn, strict=True) if themed and t.role is not TaskRole.THEME
    ]
    helps = _sign_test(target, better=True) <= POLICY.alpha
    corrected = POLICY.alpha / max(1, len(guarded))
    harms = _sign_test(guarded or target, better=False) <= POLICY.alpha
    harms = harms or any(_sign_test([pairs], better=False) <= corrected for pairs in guarded)
    trials = 2 * PAIRS * len(tasks)
    if adds:
        return ("keep" if helps and not harms else "bury"), trials
    return ("retain" if helps else "prune" if harms else "undecided"), trials


def _sign_test(tasks: list[list[DrawnPair]], *, better: bool) -> float:
    """Return the one-sided p-value of "with passes more often" (`better`) or less often."""
    up = sum(with_ and not without for pairs in tasks for without, with_, _ in pairs)
    down = sum(without and not with_ for pairs in tasks for without, with_, _ in pairs)
    hits, total = (up if better else down), up + down
    return sum(comb(total, k) for k in range(hits, total + 1)) / 2.0**total
