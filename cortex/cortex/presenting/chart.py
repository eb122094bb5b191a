"""The trajectory of the evidence as a chart model, which every plot draws."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log10

from cortex.commands.evidence import Evidence
from cortex.errors import UsageError
from cortex.judgement.trajectory import Point, Thresholds

LOWEST = -2.0
HIGHEST = 15.0
"""Bounds of the decimal logarithms that are drawn; values beyond are clamped."""


@dataclass(frozen=True, slots=True)
class Series:
    """A curve, from before the first trial."""

    label: str
    logs: tuple[float, ...]
    """Decimal logarithms of the e-value, for each of `Chart.trials`."""
    colour: str
    """From the palette of Okabe and Ito, which colour-blind people can tell apart."""
    terminal: tuple[str, str]
    """Colour and marker of plotext."""


@dataclass(frozen=True, slots=True)
class Chart:
    """Everything that a plot draws."""

    title: str
    trials: tuple[int, ...]
    series: tuple[Series, ...]
    limits: tuple[tuple[float, str], ...]
    """Thresholds with what they show, lowest first."""
    points: tuple[Point, ...]
    alpha: float
    delta: float


def chart(evidence: Evidence) -> Chart:
    """Return the chart of an experiment. Raises UsageError when there is no trial to draw."""
    thresholds, points = evidence.thresholds, evidence.trajectory
    if thresholds is None:
        raise UsageError("cannot draw: its trials are no longer in this database")
    if not points:
        raise UsageError("cannot draw: no pair has finished yet")
    small = f"lift < {thresholds.delta:.0%}"
    ruling = evidence.verdict.ruling if evidence.verdict else "running"
    name = evidence.candidate.artifact.name if evidence.candidate else "?"
    return Chart(
        title=f"{name}: {ruling}",
        trials=(0, *(point.trials for point in points)),
        series=(
            Series(small, _logs([p.log_futility for p in points]), "#6E6E6E", ("gray", "·")),
            Series("harms", _logs([p.log_harm for p in points]), "#D55E00", ("red", "×")),
            Series("helps", _logs([p.log_e for p in points]), "#0072B2", ("blue", "braille")),
        ),
        limits=_limits(thresholds, small),
        points=points,
        alpha=thresholds.alpha,
        delta=thresholds.delta,
    )


def _logs(values: Sequence[float]) -> tuple[float, ...]:
    return (0.0, *(min(HIGHEST, max(LOWEST, value)) for value in values))


def _limits(thresholds: Thresholds, small: str) -> tuple[tuple[float, str], ...]:
    """Return each threshold once, with what it shows where that is not all."""
    shows: dict[float, list[str]] = {}
    for value, what in (
        (thresholds.helps, "helps"),
        (thresholds.harms, "harms"),
        (thresholds.futility, small),
    ):
        shows.setdefault(round(value, 3), []).append(what)
    names = {round(1 / thresholds.alpha, 3): "1/α = "}
    if thresholds.futility != thresholds.harms:
        names.setdefault(round(thresholds.futility, 3), "1/β = ")
    labels = {value: f"{names.get(value, '')}{value:,.0f}" for value in sorted(shows)}
    if len(shows) > 1:
        labels = {value: f"{label}: {', '.join(shows[value])}" for value, label in labels.items()}
    return tuple(labels.items())


def tick(exponent: int) -> str:
    """Return the label of a power of ten; the outermost stand for all beyond."""
    beyond = {LOWEST: "≤ ", HIGHEST: "≥ "}.get(exponent, "")
    return beyond + _power(exponent)


def _power(exponent: int) -> str:
    if 0 <= exponent < 5:
        return f"{10**exponent:,}"
    if -3 < exponent < 0:
        return f"{10.0**exponent:g}"
    return "10" + str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def exponent_of(value: float) -> float:
    """Return the decimal logarithm of a threshold."""
    return log10(value)
