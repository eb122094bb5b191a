"""E-processes for the *mean* change over several tasks, from rounds of a pair per task.

For a round, take an alternative in which task t passes with rate x_t in both arms, predicted from
its earlier pairs, and the point of the null "the mean change is `gap` or more" that is nearest to
it in Kullback-Leibler divergence. Their likelihood ratio is an e-variable: its logarithm is concave
in the rates, is 0 at the nearest point, and its gradient there points out of the null, which is
convex. With one multiplier m for all tasks the nearest point is in closed form:
p - x = -m p (1 - p), q - x = m q (1 - q). Half of the weight of the mixture bets fixed stakes on
the differences instead, which needs no prediction.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import exp, log, sqrt

from cortex.judgement.counts import PairOutcome
from cortex.judgement.mixture import log_mean_exp

LOWEST, HIGHEST = 0.03, 0.97
STEPS = 25
"""Predicted rates are rounded to this grid, so that equal rounds are computed once."""

STAKES = ((0.7, 0.5), (1.0, 0.5))
"""Stakes and weights of bets on the difference of a pair."""

Prior = tuple[tuple[float, float], ...]
"""Rates and weights: the prior of a task's pass rate."""


def log_no_mean_change(
    histories: Sequence[Sequence[PairOutcome]], gap: float, prior: Prior
) -> float:
    """Return log E against "the mean change over tasks is `gap` or more" (a drop when negative).

    `histories` holds the outcomes of each task in order; incomplete rounds are ignored. A task's
    rate is predicted as the posterior mean under `prior`, given its earlier pairs.
    """
    if gap < 0:
        mirrored = [[(b, a) for a, b in history] for history in histories]
        return log_no_mean_change(mirrored, -gap, prior)
    rounds = min(map(len, histories), default=0)
    log_capital = _log_capital([history[:rounds] for history in histories], gap)
    return log_mean_exp(
        [(0.5, log_capital), (0.5, _log_likelihood_ratio(histories, rounds, gap, prior))]
    )


def _log_capital(histories: Sequence[Sequence[PairOutcome]], gap: float) -> float:
    """Return the log capital of bets with fixed stakes on differences below `gap`.

    A stake s multiplies the capital by 1 + s (gap - d) for each pair with difference d. Over a
    round that is at most (1 + s (gap - mean))^n in expectation, by the AM-GM inequality.
    """
    outcomes = [outcome for history in histories for outcome in history]
    up = sum(b and not a for a, b in outcomes)
    down = sum(a and not b for a, b in outcomes)
    even = len(outcomes) - up - down
    return log_mean_exp(
        [
            (
                w,
                up * log(1 + s * (gap - 1))
                + even * log(1 + s * gap)
                + down * log(1 + s * (gap + 1)),
            )
            for s, w in STAKES
        ]
    )


def _log_likelihood_ratio(
    histories: Sequence[Sequence[PairOutcome]], rounds: int, gap: float, prior: Prior
) -> float:
    passed = [0] * len(histories)
    total = 0.0
    for number in range(rounds):
        rates = [_predict(count, 2 * number, prior) for count in passed]
        logs = log_ratios(tuple(sorted(rates)), gap)
        for task, rate in enumerate(rates):
            outcome = histories[task][number]
            total += logs[rate][outcome]
            passed[task] += sum(outcome)
    return total


def log_mean_above(histories: Sequence[Sequence[bool]], bound: float, prior: Prior) -> float:
    """Return log E against "the mean pass rate of an arm over tasks is `bound` or less".

    `histories` holds the outcomes of that arm's trials, task by task, in order.
    """
    rounds = min(map(len, histories), default=0)
    passed = [0] * len(histories)
    total = 0.0
    for number in range(rounds):
        rates = [_predict(count, number, prior) for count in passed]
        logs = _single_arm_log_ratios(tuple(sorted(rates)), bound)
        for task, rate in enumerate(rates):
            outcome = histories[task][number]
            total += logs[rate][outcome]
            passed[task] += outcome
    return total


@lru_cache(maxsize=65536)
def _predict(passed: int, trials: int, prior: Prior) -> float:
    failed = trials - passed
    logs = [log(w) + passed * log(x) + failed * log(1 - x) for x, w in prior]
    top = max(logs)
    weights = [exp(log_weight - top) for log_weight in logs]
    rate = sum(w * x for w, (x, _) in zip(weights, prior, strict=True)) / sum(weights)
    rounded = round(rate * STEPS) / STEPS
    return min(HIGHEST, max(LOWEST, rounded))


@lru_cache(maxsize=8192)
def log_ratios(rates: tuple[float, ...], gap: float) -> dict[float, dict[PairOutcome, float]]:
    """Return, for each rate, the log likelihood ratio of each outcome."""
    return {
        x: {
            (a, b): log(x / p if a else (1 - x) / (1 - p)) + log(x / q if b else (1 - x) / (1 - q))
            for a in (False, True)
            for b in (False, True)
        }
        for x, (p, q) in _nearest(rates, gap).items()
    }


@lru_cache(maxsize=8192)
def _single_arm_log_ratios(
    rates: tuple[float, ...], bound: float
) -> dict[float, tuple[float, float]]:
    """Return, for each rate, the log likelihood ratios of a fail and of a pass."""
    if sum(rates) <= bound * len(rates):
        return dict.fromkeys(rates, (0.0, 0.0))
    low, high = 1e-6, 1e4
    for _ in range(45):
        multiplier = sqrt(low * high)
        if sum(_point(rate, multiplier)[0] for rate in rates) > bound * len(rates):
            low = multiplier
        else:
            high = multiplier
    nearest = {rate: _point(rate, high)[0] for rate in rates}
    return {x: (log((1 - x) / (1 - p)), log(x / p)) for x, p in nearest.items()}


def _nearest(rates: tuple[float, ...], gap: float) -> dict[float, tuple[float, float]]:
    """Return, for each rate, its coordinates (p, q) in the nearest point of the null."""
    distinct = {rate: rates.count(rate) for rate in rates}
    low, high = 1e-6, 1e4
    points: dict[float, tuple[float, float]] = {}
    for _ in range(45):
        multiplier = sqrt(low * high)
        points = {rate: _point(rate, multiplier) for rate in distinct}
        total_gap = sum(count * (points[r][1] - points[r][0]) for r, count in distinct.items())
        if total_gap < gap * len(rates):
            low = multiplier
        else:
            high = multiplier
    return {rate: _point(rate, high) for rate in distinct}


def _point(x: float, m: float) -> tuple[float, float]:
    p = 2 * x / ((1 + m) + sqrt((1 + m) ** 2 - 4 * m * x))
    q = 2 * x / ((1 - m) + sqrt((1 - m) ** 2 + 4 * m * x))
    return p, q
