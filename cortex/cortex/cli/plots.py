"""The evidence path as a picture: in the terminal, or as SVG or PNG."""

import io
import shutil
from collections.abc import Sequence
from pathlib import Path

from cortex.artifacts import atomic
from cortex.commands.evidence import Evidence
from cortex.errors import MachineError, UsageError
from cortex.judgement.path import Point

FORMATS = (".svg", ".png")
SERIES = (
    ("log_e", "it helps", "#0072B2", "blue"),
    ("log_harm", "it harms", "#D55E00", "red"),
    ("log_futility", "it helps by less than δ", "#777777", "gray"),
)
"""Field, label, colour of the figure (told apart by the colour-blind too), of the terminal."""
LINES = 18


def in_terminal(found: Evidence, width: int | None = None) -> str:
    """Return the plot as text with colours, at most as wide as the terminal."""
    import plotext

    points = _points(found)
    trials = [point.trials for point in points]
    plotext.clear_figure()
    plotext.theme("clear")
    plotext.plotsize(min(width or shutil.get_terminal_size().columns, 110), LINES)
    for field, label, _, colour in SERIES:
        values = [max(-2.0, getattr(point, field)) for point in points]
        plotext.plot(trials, values, label=label, color=colour, marker="braille")
    needed = _needed(found)
    plotext.plot([0, trials[-1]], [needed, needed], label="enough", color="green", marker=".")
    ticks = range(-2, int(max(needed, *(point.log_e for point in points))) + 2)
    plotext.yticks(list(ticks), [_power(tick) for tick in ticks])
    plotext.xlabel("trials")
    plotext.title(f"evidence about {found.candidate.artifact.name}")
    return str(plotext.build())


def write(found: Evidence, path: Path) -> None:
    """Write the figure. Raises UsageError for another format or a place that cannot be written,
    MachineError when the plotting library is missing."""
    if path.suffix.lower() not in FORMATS:
        raise UsageError(f"{path}: name a file that ends with {' or '.join(FORMATS)}")
    if not path.absolute().parent.is_dir():
        raise UsageError(f"{path}: its folder does not exist")
    content = _figure(found, path.suffix.lower().lstrip("."))
    try:
        atomic.write(path.absolute(), content)
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror or error}") from None


def _figure(found: Evidence, kind: str) -> bytes:
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError:
        raise MachineError(
            "figures need matplotlib: pip install 'cortex-harness[plot]' (or --plot alone draws "
            "in the terminal)"
        ) from None
    points = _points(found)
    with mpl.rc_context({"font.size": 9, "svg.hashsalt": "cortex", "svg.fonttype": "none"}):
        figure = Figure(figsize=(6.4, 4.4), layout="constrained", facecolor="white")
        above, below = figure.subplots(2, 1, sharex=True, height_ratios=(3, 2))
        _draw_evidence(above, points, _needed(found))
        _draw_lift(below, points)
        name, verdict = found.candidate.artifact.name, found.verdict
        above.set_title(
            f"{name}: {verdict.ruling if verdict else 'running'}", fontweight="bold", loc="left"
        )
        content = io.BytesIO()
        metadata = {"Date": None} if kind == "svg" else None
        figure.savefig(content, format=kind, dpi=160, metadata=metadata)
    return content.getvalue()


def _draw_evidence(axes: "object", points: Sequence[Point], needed: float) -> None:
    from matplotlib.axes import Axes
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    assert isinstance(axes, Axes)
    trials = [point.trials for point in points]
    for field, label, colour, _ in SERIES:
        values = [max(-2.0, getattr(point, field)) for point in points]
        axes.step([0, *trials], [0.0, *values], where="post", color=colour, label=label, lw=1.6)
    axes.axhline(needed, color="#009E73", lw=1, ls="--")
    axes.annotate(
        f"enough: {10**needed:.0f}", (0, needed), (2, 3), textcoords="offset points",
        color="#009E73", fontsize=8,
    )  # fmt: skip
    axes.axhline(0, color="#bbbbbb", lw=0.8)
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: _power(round(value))))
    axes.set_ylabel("e-value")
    axes.legend(
        frameon=False, fontsize=8, ncols=3, loc="lower right", bbox_to_anchor=(1, 1), borderpad=0
    )
    axes.spines[["top", "right"]].set_visible(False)


def _draw_lift(axes: "object", points: Sequence[Point]) -> None:
    from matplotlib.axes import Axes

    assert isinstance(axes, Axes)
    trials = [point.trials for point in points]
    axes.fill_between(
        trials, [point.low for point in points], [point.high for point in points], step="post",
        color="#0072B2", alpha=0.15, lw=0,
    )  # fmt: skip
    axes.step(trials, [point.lift for point in points], where="post", color="#0072B2", lw=1.6)
    axes.axhline(0, color="#bbbbbb", lw=0.8)
    axes.set(ylim=(-1.05, 1.05), xlabel="trials", ylabel="lift")
    axes.spines[["top", "right"]].set_visible(False)


def _points(found: Evidence) -> Sequence[Point]:
    if not found.path:
        raise UsageError("there is no pair to draw yet")
    return found.path


def _needed(found: Evidence) -> float:
    from math import log10

    return log10(found.needed)


def _power(exponent: int) -> str:
    return f"{10**exponent:,}" if exponent >= 0 else f"{10.0**exponent:g}"
