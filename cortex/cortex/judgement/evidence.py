"""E-processes over the pairs of an experiment, as functions of the counts per task.

Each is a mixture of products of factors: fixed weights, fixed alternatives, so the order in which
pairs arrived does not matter, and a test martingale's mean stays at most 1 under its null at any
stopping time and for any choice of tasks made from the past.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, inf

from cortex.judgement.counts import Cells, Counts, SingleArm
from cortex.judgement.factors import (
    Factor,
    Single,
    against_gap_at_least,
    against_gap_at_most,
    against_rate_at_least,
    against_rate_at_most,
)
from cortex.judgement.mixture import log_mean_exp

LOW = (0.02, 0.1, 0.2, 0.35, 0.55)
LOW_WEIGHTS = (0.3, 0.25, 0.2, 0.15, 0.1)
PROFILES = (
    (0.35, 0.97, (0.85, 0.97)),
    (0.25, 0.97, (0.65, 0.85)),
    (0.20, 0.97, (0.4, 0.6)),
    (0.10, 0.25, (0.85, 0.97)),
    (0.10, 0.25, (0.45, 0.7)),
)
"""Weight, share of tasks that it concerns, rates that it reaches: what a useful text may do."""
UNCHANGED = ((0.03, 0.12), (0.25, 0.1), (0.65, 0.48), (0.94, 0.3))
"""Rate, weight: of tasks that a text does not change. Most pass nearly always or never."""
PASSING = ((0.1, 0.03), (0.5, 0.03), (0.8, 0.09), (0.9, 0.25), (0.97, 0.6))
"""The same for tasks that pass without it."""


@lru_cache(maxsize=1)
def _profiles() -> tuple[tuple[float, float, tuple[tuple[float, Factor], ...]], ...]:
    return tuple(
        (weight, share, tuple(_alternatives(high_rates))) for weight, share, high_rates in PROFILES
    )


def _alternatives(high_rates: Sequence[float]) -> Iterable[tuple[float, Factor]]:
    usable = [
        (w, x, y) for w, x in zip(LOW_WEIGHTS, LOW, strict=True) for y in high_rates if y > x + 0.1
    ]
    total = sum(w for w, _, _ in usable)
    return [(w / total, against_gap_at_most(0.0, x, y)) for w, x, y in usable]


@lru_cache(maxsize=65536)
def _task_gains(cells: Cells) -> tuple[float, ...]:
    """Return for each profile the log e-process of one task against "it is not lifted"."""
    return tuple(
        log_mean_exp(
            [(1 - share, 0.0)]
            + [(share * w, factor.log_product(cells)) for w, factor in alternatives]
        )
        for _, share, alternatives in _profiles()
    )


def _mixed(gains: Sequence[tuple[float, ...]]) -> float:
    sums = [sum(column) for column in zip(*gains, strict=True)]
    return log_mean_exp([(p[0], total) for p, total in zip(PROFILES, sums, strict=True)])


@lru_cache(maxsize=65536)
def log_harm_alone(cells: Cells) -> float:
    """Return log E of one task against "the text does not lower it"."""
    return _mixed([_task_gains(mirrored(cells))])


BROKEN = (
    *((0.05, 0.95, 0.2), (0.25, 0.95, 0.25), (0.45, 0.95, 0.2), (0.65, 0.95, 0.2)),
    *((0.1, 0.75, 0.1), (0.4, 0.75, 0.05)),
)
"""Rate with, rate without, weight: what becomes of a guarded task that a text breaks."""


@lru_cache(maxsize=1)
def _broken() -> tuple[tuple[float, Factor], ...]:
    return tuple((w, against_gap_at_most(0.0, x, y).mirrored()) for x, y, w in BROKEN)


@lru_cache(maxsize=65536)
def log_broken(cells: Cells) -> float:
    """Return log E of one guarded task against "the text does not lower it"."""
    return log_mean_exp([(w, factor.log_product(cells)) for w, factor in _broken()])


def mirrored(cells: Cells) -> Cells:
    """Return the counts with the arms exchanged."""
    return (cells[0], cells[2], cells[1], cells[3])


def log_lift(task_counts: Sequence[Counts]) -> float:
    """Return log E against "the text lifts none of these tasks"."""
    return _mixed([_task_gains(counts.cells) for counts in task_counts]) if task_counts else 0.0


def log_harm(guarded: Sequence[Counts], others: Sequence[Counts]) -> float:
    """Return log E against "the text lowers none of these tasks".

    Some of the weight looks at the guarded tasks together, some at all, most at each task alone:
    the corrected per-task alarm is inside. Which tasks are named must not depend on outcomes,
    because the weight of each one does: a task that has not run counts with its share.
    """
    everything = [*guarded, *others]
    if not everything:
        return 0.0
    gains = [_task_gains(mirrored(counts.cells)) for counts in everything]
    alone = 0.5 / len(gains)
    together = _mixed(gains[: len(guarded)]) if guarded else _mixed(gains)
    single_arm = [(alone, log_harm_alone(counts.cells)) for counts in everything]
    return log_mean_exp([(0.35, together), (0.15, _mixed(gains)), *single_arm])


@dataclass(frozen=True, slots=True)
class _Component:
    """One alternative of a mixture against "a task changes by `gap` or more": weight and factors.

    A change that large bounds the rate of each arm, so a trial of one arm alone is evidence too.
    """

    weight: float
    pair: Factor
    without: Single
    with_: Single

    def log_product(self, cells: Cells, single_arm: SingleArm) -> float:
        without, with_ = self.without, self.with_
        alone = single_arm[0] * without.passed + single_arm[1] * without.failed
        alone += single_arm[2] * with_.passed + single_arm[3] * with_.failed
        return self.pair.log_product(cells) + alone


@lru_cache(maxsize=64)
def _against_help(gap: float) -> tuple[_Component, ...]:
    return tuple(
        _Component(
            weight,
            against_gap_at_least(gap, x, x),
            against_rate_at_most(1 - gap, x),
            against_rate_at_least(gap, x),
        )
        for x, weight in UNCHANGED
    )


@lru_cache(maxsize=64)
def _against_drop(gap: float) -> tuple[_Component, ...]:
    return tuple(
        _Component(
            weight,
            against_gap_at_most(-gap, x, x),
            against_rate_at_least(gap, x),
            against_rate_at_most(1 - gap, x),
        )
        for x, weight in PASSING
    )


NO_SINGLE_ARM: SingleArm = (0, 0, 0, 0)


@lru_cache(maxsize=65536)
def log_not_helped(cells: Cells, gap: float, single_arm: SingleArm = NO_SINGLE_ARM) -> float:
    """Return log E of one task against "it passes more often with the text, by `gap` or more"."""
    parts = _against_help(gap)
    return log_mean_exp([(one.weight, one.log_product(cells, single_arm)) for one in parts])


@lru_cache(maxsize=65536)
def log_not_dropped(cells: Cells, gap: float, single_arm: SingleArm = NO_SINGLE_ARM) -> float:
    """Return log E of one task against "it passes less often with the text, by `gap` or more"."""
    parts = _against_drop(gap)
    return log_mean_exp([(one.weight, one.log_product(cells, single_arm)) for one in parts])


def capped_exp(value: float) -> float:
    """Return exp(value), finite."""
    return exp(min(value, 700.0)) if value > -inf else 0.0
