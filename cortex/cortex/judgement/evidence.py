"""E-processes over the trials of an experiment, as functions of the counts per task.

Each is a mixture, with fixed weights over fixed alternatives, of products of e-variables. So its
value does not depend on the order of the pairs, and it is a test martingale: its expectation under
the null is at most 1 at any stopping time and for any predictable choice of tasks.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, inf

from cortex.judgement.counts import Cells, Counts, SingleArm
from cortex.judgement.factors import (
    PairEVariable,
    TrialEVariable,
    against_gap_at_least,
    against_gap_at_most,
    against_rate_at_least,
    against_rate_at_most,
)
from cortex.judgement.mixture import log_mean_exp

LOW_RATES = (0.02, 0.1, 0.2, 0.35, 0.55)
LOW_RATE_WEIGHTS = (0.3, 0.25, 0.2, 0.15, 0.1)
PROFILES = (
    (0.35, 0.97, (0.85, 0.97)),
    (0.25, 0.97, (0.65, 0.85)),
    (0.20, 0.97, (0.4, 0.6)),
    (0.10, 0.25, (0.85, 0.97)),
    (0.10, 0.25, (0.45, 0.7)),
)
"""Alternatives for a useful text: weight, share of tasks it changes, pass rates it raises to."""
UNCHANGED = ((0.03, 0.12), (0.25, 0.1), (0.65, 0.48), (0.94, 0.3))
"""Pass rate and weight of tasks that a text does not change; most pass nearly always or never."""
PASSING = ((0.1, 0.03), (0.5, 0.03), (0.8, 0.09), (0.9, 0.25), (0.97, 0.6))
"""The same for tasks that pass without the text."""


@lru_cache(maxsize=1)
def _profiles() -> tuple[tuple[float, float, tuple[tuple[float, PairEVariable], ...]], ...]:
    return tuple(
        (weight, share, tuple(_alternatives(high_rates))) for weight, share, high_rates in PROFILES
    )


def _alternatives(high_rates: Sequence[float]) -> Iterable[tuple[float, PairEVariable]]:
    usable = [
        (w, x, y)
        for w, x in zip(LOW_RATE_WEIGHTS, LOW_RATES, strict=True)
        for y in high_rates
        if y > x + 0.1
    ]
    total = sum(w for w, _, _ in usable)
    return [(w / total, against_gap_at_most(0.0, x, y)) for w, x, y in usable]


@lru_cache(maxsize=65536)
def _task_gains(cells: Cells) -> tuple[float, ...]:
    """Return, for each profile, log E of a task against "the text does not lift it"."""
    return tuple(
        log_mean_exp(
            [(1 - share, 0.0)]
            + [(share * w, factor.log_product(cells)) for w, factor in alternatives]
        )
        for _, share, alternatives in _profiles()
    )


def _mix_profiles(gains: Sequence[tuple[float, ...]]) -> float:
    sums = [sum(column) for column in zip(*gains, strict=True)]
    return log_mean_exp([(p[0], total) for p, total in zip(PROFILES, sums, strict=True)])


@lru_cache(maxsize=65536)
def log_task_harm(cells: Cells) -> float:
    """Return log E of a task against "the text does not lower it"."""
    return _mix_profiles([_task_gains(mirrored(cells))])


BREAKS = (
    *((0.05, 0.95, 0.2), (0.25, 0.95, 0.25), (0.45, 0.95, 0.2), (0.65, 0.95, 0.2)),
    *((0.1, 0.75, 0.1), (0.4, 0.75, 0.05)),
)
"""Alternatives for a guarded task that a text breaks: rate with, rate without, weight."""


@lru_cache(maxsize=1)
def _break_alternatives() -> tuple[tuple[float, PairEVariable], ...]:
    return tuple((w, against_gap_at_most(0.0, x, y).mirrored()) for x, y, w in BREAKS)


@lru_cache(maxsize=65536)
def log_guarded_harm(cells: Cells) -> float:
    """Return log E of a guarded task against "the text does not lower it" (uncorrected)."""
    return log_mean_exp([(w, factor.log_product(cells)) for w, factor in _break_alternatives()])


def mirrored(cells: Cells) -> Cells:
    """Return the counts with the arms exchanged."""
    return (cells[0], cells[2], cells[1], cells[3])


def log_lift(task_counts: Sequence[Counts]) -> float:
    """Return log E against "the text lifts none of these tasks"."""
    return (
        _mix_profiles([_task_gains(counts.cells) for counts in task_counts]) if task_counts else 0.0
    )


def log_harm(guarded: Sequence[Counts], others: Sequence[Counts]) -> float:
    """Return log E against "the text lowers none of these tasks".

    A mixture: part of the weight goes to the guarded tasks together, part to all tasks, and half
    is split evenly over single tasks, which is a per-task test corrected for multiplicity. The
    task list must not depend on outcomes: a task without pairs keeps its share of the weight.
    """
    all_tasks = [*guarded, *others]
    if not all_tasks:
        return 0.0
    gains = [_task_gains(mirrored(counts.cells)) for counts in all_tasks]
    task_weight = 0.5 / len(gains)
    together = _mix_profiles(gains[: len(guarded)]) if guarded else _mix_profiles(gains)
    by_task = [(task_weight, log_task_harm(counts.cells)) for counts in all_tasks]
    return log_mean_exp([(0.35, together), (0.15, _mix_profiles(gains)), *by_task])


@dataclass(frozen=True, slots=True)
class _MixtureComponent:
    """An alternative in a mixture against "a task changes by `gap` or more".

    A change that large bounds the rate of each arm, so single-arm trials are evidence too.
    """

    weight: float
    pair: PairEVariable
    without: TrialEVariable
    with_: TrialEVariable

    def log_product(self, cells: Cells, single_arm: SingleArm) -> float:
        without, with_ = self.without, self.with_
        log_single = single_arm[0] * without.passed + single_arm[1] * without.failed
        log_single += single_arm[2] * with_.passed + single_arm[3] * with_.failed
        return self.pair.log_product(cells) + log_single


@lru_cache(maxsize=64)
def _against_help(gap: float) -> tuple[_MixtureComponent, ...]:
    return tuple(
        _MixtureComponent(
            weight,
            against_gap_at_least(gap, x, x),
            against_rate_at_most(1 - gap, x),
            against_rate_at_least(gap, x),
        )
        for x, weight in UNCHANGED
    )


@lru_cache(maxsize=64)
def _against_drop(gap: float) -> tuple[_MixtureComponent, ...]:
    return tuple(
        _MixtureComponent(
            weight,
            against_gap_at_most(-gap, x, x),
            against_rate_at_least(gap, x),
            against_rate_at_most(1 - gap, x),
        )
        for x, weight in PASSING
    )


NO_SINGLE_ARM: SingleArm = (0, 0, 0, 0)


def _mix_components(
    components: Sequence[_MixtureComponent], cells: Cells, single_arm: SingleArm
) -> float:
    return log_mean_exp(
        [(component.weight, component.log_product(cells, single_arm)) for component in components]
    )


@lru_cache(maxsize=65536)
def log_not_helped(cells: Cells, gap: float, single_arm: SingleArm = NO_SINGLE_ARM) -> float:
    """Return log E of a task against "it passes more often with the text, by `gap` or more"."""
    return _mix_components(_against_help(gap), cells, single_arm)


@lru_cache(maxsize=65536)
def log_not_dropped(cells: Cells, gap: float, single_arm: SingleArm = NO_SINGLE_ARM) -> float:
    """Return log E of a task against "it passes less often with the text, by `gap` or more"."""
    return _mix_components(_against_drop(gap), cells, single_arm)


def capped_exp(value: float) -> float:
    """Return exp(value), finite."""
    return exp(min(value, 700.0)) if value > -inf else 0.0
