"""The evidence path as a figure for print: SVG or PNG."""

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cortex.cli.plots import Picture, exponent_of, tick
from cortex.errors import MachineError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INK = "#222222"
QUIET = "#8A8A8A"
BLUE = "#0072B2"
LIMIT = "#007A5A"
GAP = 0.075
"""Between two labels, as a share of the axis."""
MARKED = 30
"""Up to so many points each is marked."""


def render(shown: Picture, kind: str) -> bytes:
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
        _draw_evidence(above, shown)
        _draw_lift(below, shown)
        for axes in (above, below):
            axes.spines[["top", "right"]].set_visible(False)
        figure.align_ylabels()
        content = io.BytesIO()
        metadata = {"Date": None} if kind == "svg" else {"Software": None}
        figure.savefig(content, format=kind, dpi=200, metadata=metadata)
    return content.getvalue()


def _draw_evidence(axes: "Axes", shown: Picture) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    marker = "o" if len(shown.trials) <= MARKED else ""
    axes.axhline(0, color="#C8C8C8", lw=0.8, zorder=0)
    levels = [(exponent_of(value), label) for value, label in shown.limits]
    for level, _ in levels:
        axes.axhline(level, color=LIMIT, lw=1, ls=(0, (5, 3)), zorder=1)
    for one in shown.series:
        axes.plot(
            shown.trials, one.logs, color=one.colour, lw=1.6, marker=marker, ms=3, clip_on=False
        )
    logs = [value for one in shown.series for value in one.logs]
    axes.set_ylim(min(logs) - 0.15, max(*logs, *(level for level, _ in levels)) + 0.2)
    axes.set_xlim(0, shown.trials[-1])
    _label(
        axes,
        [(one.logs[-1], one.label, one.colour) for one in shown.series]
        + [(level, label, LIMIT) for level, label in levels],
        shown.trials[-1],
    )
    axes.yaxis.set_major_locator(MaxNLocator(nbins=6, integer=True))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: tick(round(value))))
    axes.set_ylabel("e-value (log scale)")
    axes.set_title(shown.title, fontweight="bold", loc="left", pad=10)


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
    for index in sorted(range(len(heights)), key=lambda one: heights[one]):
        last = max(heights[index], last + gap)
        moved[index] = last
    return [moved[index] for index in range(len(heights))]


def _draw_lift(axes: "Axes", shown: Picture) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    trials = list(shown.trials[1:])
    marker = "o" if len(trials) < MARKED else ""
    low, high = [one.low for one in shown.points], [one.high for one in shown.points]
    axes.axhline(0, color="#C8C8C8", lw=0.8, zorder=0)
    axes.axhline(shown.delta, color=QUIET, lw=0.8, ls=(0, (1, 2)), zorder=0)
    axes.fill_between([0, *trials], [-1, *low], [1, *high], color=BLUE, alpha=0.16, lw=0)
    axes.plot(
        trials, [one.lift for one in shown.points], color=BLUE, lw=1.6, marker=marker, ms=3,
        clip_on=False,
    )  # fmt: skip
    last = shown.points[-1]
    axes.annotate(
        f"lift {last.lift:+.2f}\n{last.low:+.2f} to {last.high:+.2f}".replace("-", "−"),
        (shown.trials[-1], last.lift), (8, 0), textcoords="offset points", color=BLUE,
        va="top" if last.lift > 0.7 else "bottom" if last.lift < -0.7 else "center",
        annotation_clip=False,
    )  # fmt: skip
    axes.annotate(
        f"δ = {shown.delta:.0%}", (0, shown.delta), (4, 2), textcoords="offset points",
        color=QUIET, fontsize=8,
    )  # fmt: skip
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: _signed(value)))
    axes.set(
        ylim=(-1.05, 1.05),
        yticks=(-1, -0.5, 0, 0.5, 1),
        xlabel="trials",
        ylabel=f"lift, {1 - shown.alpha:.0%} interval",
    )


def _signed(value: float) -> str:
    return "0" if not value else f"{value:+.1f}".replace("-", "−")
