"""An oracle: it knows the true rates, and with them the right verdict and the best test.

It must reject the same nulls at the same error rates as the gate, by the likelihood ratio of the
true rates against the nearest point of each null, on the tasks where that is cheapest. It may run
single-arm trials where they are cheaper, as the gate may.
"""

import random
from collections.abc import Sequence
from math import log

from benchmarks.methods.drawing import can_load, draw_pair, target
from benchmarks.scenarios import Scenario, SimTask
from cortex.judgement import Direction, Policy
from cortex.judgement.counts import Cells
from cortex.judgement.factors import (
    PairEVariable,
    TrialEVariable,
    against_gap_at_least,
    against_gap_at_most,
    against_rate_at_least,
    against_rate_at_most,
)
from cortex.judgement.rounds import log_ratios

POLICY = Policy()
SURE = 0.99
"""Rates are clipped to [1 - SURE, SURE], so that likelihood ratios stay finite."""
MAX_TRIALS = 400
"""Trials after which it stops as undecided."""


def simulate(scenario: Scenario, seed: str) -> tuple[str, int]:
    """Run an experiment; return its ruling and its number of trials."""
    draw = random.Random(seed)
    tasks = can_load(scenario)
    adds = scenario.direction is Direction.ADD
    if not tasks:
        return ("bury" if adds else "unused"), 0
    target_tasks = target(scenario)
    guarded = [task for task in tasks if adds and task not in target_tasks]
    gains = [task for task in target_tasks if task.with_ > task.without]
    harmed = [task for task in guarded or target_tasks if task.with_ < task.without]
    if harmed:
        return _finish("bury" if adds else "prune", _show_change(harmed, draw))
    if gains and (not adds or _mean_lift(target_tasks) >= POLICY.delta):
        trials = _show_change(gains, draw)
        trials += _protect(guarded, draw) if adds and guarded else 0
        return _finish("keep" if adds else "retain", trials)
    if adds:
        return _finish("bury", _reject_help(target_tasks, POLICY.beta, draw))
    return _finish("prune", _reject_help(target_tasks, POLICY.alpha, draw, clear=True))


def _finish(ruling: str, trials: int) -> tuple[str, int]:
    return (ruling if trials < MAX_TRIALS else "undecided"), min(trials, MAX_TRIALS)


def _mean_lift(tasks: Sequence[SimTask]) -> float:
    return sum(task.with_ - task.without for task in tasks) / len(tasks)


def _rates(task: SimTask) -> tuple[float, float]:
    with_ = task.without + task.load * (task.with_ - task.without)
    return _clip(task.without), _clip(with_)


def _clip(rate: float) -> float:
    return min(SURE, max(1 - SURE, rate))


def _show_change(tasks: Sequence[SimTask], draw: random.Random) -> int:
    """Return the trials until the task with the largest change has shown it at alpha."""
    task = max(tasks, key=lambda task: abs(_rates(task)[1] - _rates(task)[0]))
    u, v = _rates(task)
    up = v > u
    factor = against_gap_at_most(0.0, u, v) if up else against_gap_at_most(0.0, v, u).mirrored()
    evidence, trials = 0.0, 0
    while evidence < log(1 / POLICY.alpha) and trials < MAX_TRIALS:
        evidence += factor.log_product(_cells(task, draw))
        trials += 2
    return trials


def _cells(task: SimTask, draw: random.Random) -> Cells:
    without, with_, _ = draw_pair(task, draw)
    return (
        int(without and with_),
        int(without and not with_),
        int(with_ and not without),
        int(not without and not with_),
    )


class _Clearing:
    """Rejects a change for the worse on a task, in the cheapest way at its true rates."""

    def __init__(self, task: SimTask, *, adds: bool) -> None:
        u, v = _rates(task)
        gap = POLICY.task_tau if adds else POLICY.prune_task_tau
        self.task = task
        self.log_needed = log(1 / (POLICY.task_alpha if adds else POLICY.prune_task_alpha))
        self.pair = against_gap_at_most(-gap, u, v) if adds else against_gap_at_least(gap, u, v)
        high, low = (u, v) if adds else (v, u)
        options = [
            (against_rate_at_least(gap, high), high),
            (against_rate_at_most(1 - gap, low), low),
        ]
        self.single_arm, self.rate = max(options, key=lambda option: _growth(*option))
        self.single_arm_is_cheaper = (
            _growth(self.single_arm, self.rate) >= _pair_growth(self.pair, u, v) / 2
        )

    def count_pair(self, cells: Cells) -> None:
        """Count a pair that was run for another test."""
        self.log_needed -= self.pair.log_product(cells)

    def finish(self, draw: random.Random) -> int:
        """Return the trials until it is cleared."""
        trials = 0
        while self.log_needed > 0 and trials < MAX_TRIALS:
            if self.single_arm_is_cheaper:
                passed = draw.random() < self.rate
                self.log_needed -= self.single_arm.passed if passed else self.single_arm.failed
                trials += 1
            else:
                self.count_pair(_cells(self.task, draw))
                trials += 2
        return trials


def _growth(single_arm: TrialEVariable, rate: float) -> float:
    return rate * single_arm.passed + (1 - rate) * single_arm.failed


def _pair_growth(pair: PairEVariable, u: float, v: float) -> float:
    return (
        u * v * pair.both
        + u * (1 - v) * pair.only_without
        + (1 - u) * v * pair.only_with
        + (1 - u) * (1 - v) * pair.neither
    )


def _protect(tasks: Sequence[SimTask], draw: random.Random) -> int:
    """Return the trials until each guarded task is cleared and their mean drop rejected.

    Both may use the same trials, so the larger number is enough.
    """
    clearing_trials = sum(_Clearing(task, adds=True).finish(draw) for task in tasks)
    rates = [_rates(task)[1] for task in tasks]
    bound = 1 - POLICY.tau
    mean = sum(rates) / len(rates)
    if mean <= bound:
        return max(clearing_trials, _reject_drop_in_pairs(tasks, draw))
    single_arm = against_rate_at_most(bound, mean)
    evidence, trials = 0.0, 0
    while evidence < log(1 / POLICY.guard_alpha) and trials < MAX_TRIALS:
        for rate in rates:
            evidence += single_arm.passed if draw.random() < rate else single_arm.failed
        trials += len(tasks)
    return max(clearing_trials, trials)


def _reject_drop_in_pairs(tasks: Sequence[SimTask], draw: random.Random) -> int:
    rates = [_rates(task)[0] for task in tasks]
    logs = log_ratios(tuple(sorted(rates)), POLICY.tau)
    evidence, trials = 0.0, 0
    while evidence < log(1 / POLICY.guard_alpha) and trials < MAX_TRIALS:
        for task, rate in zip(tasks, rates, strict=True):
            without, with_, _ = draw_pair(task, draw)
            evidence += logs[rate][(with_, without)]
        trials += 2 * len(tasks)
    return trials


def _reject_help(
    tasks: Sequence[SimTask], alpha: float, draw: random.Random, *, clear: bool = False
) -> int:
    """Return the trials, in rounds of pairs, until a mean lift of delta is rejected.

    With `clear`, also those until no task can need the text.
    """
    clearing = [_Clearing(task, adds=False) for task in tasks] if clear else []
    rates = [_rates(task)[0] for task in tasks]
    logs = log_ratios(tuple(sorted(rates)), POLICY.delta)
    evidence, trials = 0.0, 0
    while evidence < log(1 / alpha) and trials < MAX_TRIALS:
        for number, (task, rate) in enumerate(zip(tasks, rates, strict=True)):
            cells = _cells(task, draw)
            outcome = (bool(cells[0] or cells[1]), bool(cells[0] or cells[2]))
            evidence += logs[rate][outcome]
            if clear:
                clearing[number].count_pair(cells)
        trials += 2 * len(tasks)
    return trials + sum(task_clearing.finish(draw) for task_clearing in clearing)
