"""The evidence path as a picture: what the plot in the terminal and the figure share."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log10

from cortex.commands.evidence import Evidence
from cortex.errors import UsageError
from cortex.judgement.trajectory import Point, Thresholds

LOWEST = -2.0
HIGHEST = 15.0
"""Of a decimal logarithm in a picture: evidence below 0.01 looks alike."""


@dataclass(frozen=True, slots=True)
class Series:
    """One curve, from before the first trial."""

    label: str
    logs: tuple[float, ...]
    """Decimal logarithms of the e-value, one for each of `Picture.trials`."""
    colour: str
    """Told apart by the colour-blind too (Okabe and Ito)."""
    terminal: tuple[str, str]
    """Colour and marker of plotext."""


@dataclass(frozen=True, slots=True)
class Picture:
    """What is drawn."""

    title: str
    trials: tuple[int, ...]
    series: tuple[Series, ...]
    limits: tuple[tuple[float, str], ...]
    """Thresholds with what they show, lowest first."""
    points: tuple[Point, ...]
    alpha: float
    delta: float


def picture(found: Evidence) -> Picture:
    """Return what there is to draw. Raises UsageError when nothing was measured, or is left."""
    limits, points = found.thresholds, found.trajectory
    if limits is None:
        raise UsageError("its trials are not in this database any more: there is nothing to draw")
    if not points:
        raise UsageError("there is no pair to draw yet")
    small = f"lift < {limits.delta:.0%}"
    ruling = found.verdict.ruling if found.verdict else "running"
    name = found.candidate.artifact.name if found.candidate else "?"
    return Picture(
        title=f"{name}: {ruling}",
        trials=(0, *(point.trials for point in points)),
        series=(
            Series(small, _logs([p.log_futility for p in points]), "#6E6E6E", ("gray", "·")),
            Series("harms", _logs([p.log_harm for p in points]), "#D55E00", ("red", "×")),
            Series("helps", _logs([p.log_e for p in points]), "#0072B2", ("blue", "braille")),
        ),
        limits=_limits(limits, small),
        points=points,
        alpha=limits.alpha,
        delta=limits.delta,
    )


def _logs(values: Sequence[float]) -> tuple[float, ...]:
    return (0.0, *(min(HIGHEST, max(LOWEST, value)) for value in values))


def _limits(limits: Thresholds, small: str) -> tuple[tuple[float, str], ...]:
    """Return each threshold once, with what it shows where that is not all."""
    shows: dict[float, list[str]] = {}
    for value, what in (
        (limits.helps, "helps"),
        (limits.harms, "harms"),
        (limits.futility, small),
    ):
        shows.setdefault(round(value, 3), []).append(what)
    names = {round(1 / limits.alpha, 3): "1/α = "}
    if limits.futility != limits.harms:
        names.setdefault(round(limits.futility, 3), "1/β = ")
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
