"""The trajectory of the evidence drawn with characters."""

import shutil

from cortex.presenting.chart import Chart, exponent_of, tick

LINES = 18
LIMIT = ("green", "-")
"""Colour and marker of a threshold."""


def draw(chart: Chart, width: int | None = None) -> str:
    """Return the plot and, below it, which curve and which line is what."""
    import plotext

    width = width or shutil.get_terminal_size().columns
    plotext.clear_figure()
    plotext.theme("clear")
    plotext.plotsize(max(40, width), LINES)
    last = chart.trials[-1]
    for value, _ in chart.limits:
        level = exponent_of(value)
        plotext.plot([0, last], [level, level], color=LIMIT[0], marker=LIMIT[1])
    for series in chart.series:
        colour, marker = series.terminal
        plotext.plot(list(chart.trials), list(series.logs), color=colour, marker=marker)
    low, high = _range(chart)
    plotext.ylim(low, high)
    ticks = _ticks(chart, low, high)
    plotext.yticks(list(ticks), list(ticks.values()))
    plotext.xlim(0, last)
    plotext.xlabel("trials")
    plotext.title(f"e-values about {chart.title}")
    return str(plotext.build()).rstrip("\n") + "\n" + _legend(chart, plotext.colorize)


def _range(chart: Chart) -> tuple[float, float]:
    logs = [value for series in chart.series for value in series.logs]
    levels = [exponent_of(value) for value, _ in chart.limits]
    return min(logs) - 0.15, max(*logs, *levels) + 0.25


def _ticks(chart: Chart, low: float, high: float) -> dict[float, str]:
    """Return thresholds from above, then powers of ten, each unless it is beside another."""
    wanted: list[tuple[float, str]] = [
        (exponent_of(value), f"{value:,.0f}") for value, _ in reversed(chart.limits)
    ]
    powers = [exponent for exponent in range(round(low), int(high) + 1) if low <= exponent]
    wanted += [(exponent, tick(exponent)) for exponent in powers]
    row = (high - low) / (LINES - 5)
    ticks: dict[float, str] = {}
    for level, label in wanted:
        if all(abs(level - other) > row for other in ticks):
            ticks[level] = label
    return dict(sorted(ticks.items()))


def _legend(chart: Chart, colorize: "object") -> str:
    assert callable(colorize)
    parts = []
    for series in reversed(chart.series):
        colour, marker = series.terminal
        sign = "⠤⠒" if marker == "braille" else marker * 2
        parts.append(f"{colorize(sign, colour)} {series.label}")
    limits = "; ".join(label for _, label in chart.limits)
    shows = f"{colorize(LIMIT[1] * 2, LIMIT[0])} threshold: {limits}"
    return "  ".join(parts) + "\n" + shows
