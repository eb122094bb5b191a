"""An oracle: it knows the true rates, and with them which verdict is right and how to show it.

It has to show the same things at the same error rates as the gate, with the likelihood ratio of the
true rates against the nearest point of each null, on the tasks where that is cheapest.
"""

import random
from collections.abc import Sequence
from math import log

from benchmarks.methods.drawing import can_load, draw_pair, target
from benchmarks.scenarios import Scenario, SimTask
from cortex.judgement import Direction, Policy
from cortex.judgement.factors import Factor, against_gap_at_least, against_gap_at_most
from cortex.judgement.rounds import ratios
from cortex.judgement.tally import Cells

POLICY = Policy()
SURE = 0.99
"""Rates nearer to 0 or 1 than this are taken as it: a likelihood ratio needs some doubt."""
MOST = 200
"""Pairs after which it gives up, as undecided."""


def simulate(scenario: Scenario, seed: str) -> tuple[str, int]:
    """Run one experiment; return its ruling and its number of trials."""
    draw = random.Random(seed)
    tasks = can_load(scenario)
    adds = scenario.direction is Direction.ADD
    if not tasks:
        return ("bury" if adds else "unused"), 0
    wanted = target(scenario)
    guarded = [task for task in tasks if adds and task not in wanted]
    gains = [task for task in wanted if task.with_ > task.without]
    harmed = [task for task in guarded or wanted if task.with_ < task.without]
    if harmed:
        return _finish("bury" if adds else "prune", _show_change(harmed, draw))
    if gains and (not adds or _mean_lift(wanted) >= POLICY.delta):
        pairs = _show_change(gains, draw)
        pairs += _protect(guarded, draw) if adds else 0
        return _finish("keep" if adds else "retain", pairs)
    alpha = POLICY.beta if adds else POLICY.alpha
    pairs = _refute_mean(wanted, POLICY.delta, alpha, draw)
    pairs = pairs if adds else max(pairs, _clear(wanted, draw, adds=False))
    return _finish("bury" if adds else "prune", pairs)


def _finish(ruling: str, pairs: int) -> tuple[str, int]:
    return (ruling if pairs < MOST else "undecided"), 2 * min(pairs, MOST)


def _mean_lift(tasks: Sequence[SimTask]) -> float:
    return sum(task.with_ - task.without for task in tasks) / len(tasks)


def _rates(task: SimTask) -> tuple[float, float]:
    with_ = task.without + task.load * (task.with_ - task.without)
    return _doubt(task.without), _doubt(with_)


def _doubt(rate: float) -> float:
    return min(SURE, max(1 - SURE, rate))


def _show_change(tasks: Sequence[SimTask], draw: random.Random) -> int:
    """Return the pairs until the task that changes most has shown it at alpha."""
    task = max(tasks, key=lambda one: abs(_rates(one)[1] - _rates(one)[0]))
    u, v = _rates(task)
    up = v > u
    factor = against_gap_at_most(0.0, u, v) if up else against_gap_at_most(0.0, v, u).mirrored()
    return _until(task, factor, POLICY.alpha, draw)


def _clear(tasks: Sequence[SimTask], draw: random.Random, *, adds: bool) -> int:
    """Return the pairs until a noticeable change for the worse is refuted on each task."""
    total = 0
    for task in tasks:
        u, v = _rates(task)
        if adds:
            factor = against_gap_at_most(-POLICY.task_tau, u, v)
            total += _until(task, factor, POLICY.task_alpha, draw)
        else:
            factor = against_gap_at_least(POLICY.prune_task_tau, u, v)
            total += _until(task, factor, POLICY.prune_task_alpha, draw)
    return total


def _until(task: SimTask, factor: Factor, alpha: float, draw: random.Random) -> int:
    evidence, pairs = 0.0, 0
    while evidence < log(1 / alpha) and pairs < MOST:
        evidence += factor.log_product(_cells(task, draw))
        pairs += 1
    return pairs


def _cells(task: SimTask, draw: random.Random) -> Cells:
    without, with_, _ = draw_pair(task, draw)
    return (
        int(without and with_),
        int(without and not with_),
        int(with_ and not without),
        int(not without and not with_),
    )


def _protect(tasks: Sequence[SimTask], draw: random.Random) -> int:
    """Return the pairs until each guarded task is cleared and their mean drop refuted.

    Both may rest on the same pairs, so the larger number is enough.
    """
    if not tasks:
        return 0
    mean = _refute_mean(tasks, -POLICY.tau, POLICY.guard_alpha, draw)
    return max(mean, _clear(tasks, draw, adds=True))


def _refute_mean(tasks: Sequence[SimTask], gap: float, alpha: float, draw: random.Random) -> int:
    """Return the pairs, in rounds, until a mean change of `gap` (a drop if < 0) is refuted."""
    rates = [_rates(task)[0] for task in tasks]
    logs = ratios(tuple(sorted(rates)), abs(gap))
    evidence, pairs = 0.0, 0
    while evidence < log(1 / alpha) and pairs < MOST:
        for task, rate in zip(tasks, rates, strict=True):
            without, with_, _ = draw_pair(task, draw)
            evidence += logs[rate][(without, with_) if gap > 0 else (with_, without)]
        pairs += len(tasks)
    return pairs
