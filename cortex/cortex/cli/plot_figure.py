"""The trajectory of the evidence as a figure for print: SVG or PNG."""

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cortex.errors import MachineError
from cortex.presenting.chart import Chart, exponent_of, tick

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INK = "#222222"
QUIET = "#8A8A8A"
BLUE = "#0072B2"
LIMIT = "#007A5A"
GAP = 0.09
"""Between two labels, as a share of the axis."""
MARKED = 30
"""Up to so many points each is marked."""


def render(chart: Chart, kind: str) -> bytes:
    """Return the bytes of the figure, the same for the same picture.

    Raises MachineError when matplotlib is not installed.
    """
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError:
        raise MachineError(
            "figures need matplotlib: pip install 'cortex-harness[plot]' (or --plot alone draws "
            "in the terminal)"
        ) from None
    with mpl.rc_context(
        {
            "font.family": "sans-serif",
            "font.size": 9,
            "text.color": INK,
            "text.parse_math": False,
            "axes.edgecolor": INK,
            "axes.facecolor": "white",
            "axes.labelcolor": INK,
            "xtick.color": INK,
            "ytick.color": INK,
            "svg.hashsalt": "cortex",
        }
    ):
        figure = Figure(figsize=(6.8, 4.6), layout="constrained", facecolor="white")
        above, below = figure.subplots(2, 1, sharex=True, height_ratios=(3, 2))
        _draw_evidence(above, chart)
        _draw_rates(below, chart)
        for axes in (above, below):
            axes.spines[["top", "right"]].set_visible(False)
        figure.align_ylabels()
        content = io.BytesIO()
        metadata = {"Date": None} if kind == "svg" else {"Software": None}
        figure.savefig(content, format=kind, dpi=200, metadata=metadata)
    return content.getvalue()


def _draw_evidence(axes: "Axes", chart: Chart) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    marker = "o" if len(chart.trials) <= MARKED else ""
    axes.axhline(0, color="#C8C8C8", lw=0.8, zorder=0)
    levels = [(exponent_of(value), label) for value, label in chart.limits]
    for level, _ in levels:
        axes.axhline(level, color=LIMIT, lw=1, ls=(0, (5, 3)), zorder=1)
    for series in chart.series:
        axes.plot(
            chart.trials,
            series.logs,
            color=series.colour,
            lw=1.6,
            marker=marker,
            ms=3,
            clip_on=False,
        )
    logs = [value for series in chart.series for value in series.logs]
    axes.set_ylim(min(logs) - 0.15, max(*logs, *(level for level, _ in levels)) + 0.2)
    axes.set_xlim(0, chart.trials[-1])
    _label(
        axes,
        [(series.logs[-1], series.label, series.colour) for series in chart.series]
        + [(level, label, LIMIT) for level, label in levels],
        chart.trials[-1],
    )
    axes.yaxis.set_major_locator(MaxNLocator(nbins=6, integer=True))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: tick(round(value))))
    axes.set_ylabel("e-value (log scale)")
    axes.set_title(chart.title, fontweight="bold", loc="left", pad=10)


def _label(axes: "Axes", labels: Sequence[tuple[float, str, str]], right: float) -> None:
    """Write (height, text, colour) beside the right edge, moved apart where they would collide."""
    low, high = axes.get_ylim()
    heights = _apart([height for height, _, _ in labels], GAP * (high - low))
    for (_, text, colour), height in zip(labels, heights, strict=True):
        axes.annotate(
            text, (right, height), (8, 0), textcoords="offset points", color=colour,
            va="center", annotation_clip=False,
        )  # fmt: skip


def _apart(heights: Sequence[float], gap: float) -> list[float]:
    """Return heights, moved up as far as labels need room."""
    moved: dict[int, float] = {}
    last = float("-inf")
    for index in sorted(range(len(heights)), key=lambda position: heights[position]):
        last = max(heights[index], last + gap)
        moved[index] = last
    return [moved[index] for index in range(len(heights))]


def _draw_rates(axes: "Axes", chart: Chart) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    trials = list(chart.trials[1:])
    marker = "o" if len(trials) < MARKED else ""
    arms = (
        ("with", [point.rate_with for point in chart.points], BLUE),
        ("without", [point.rate_without for point in chart.points], QUIET),
    )
    for _, rates, colour in arms:
        axes.plot(trials, rates, color=colour, lw=1.6, marker=marker, ms=3, clip_on=False)
    axes.set(ylim=(-0.05, 1.05), yticks=(0, 0.25, 0.5, 0.75, 1), xlabel="trials")
    labels = [(rates[-1], f"{arm} {rates[-1]:.0%}", colour) for arm, rates, colour in arms]
    _label(axes, sorted(labels), chart.trials[-1])
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.0%}"))
    axes.set_ylabel("pass rate")
