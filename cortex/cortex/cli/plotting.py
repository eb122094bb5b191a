"""Plot the trajectory of the evidence, in the terminal or into a file."""

from pathlib import Path

from cortex.artifacts import atomic
from cortex.commands.evidence import Evidence
from cortex.errors import UsageError
from cortex.presenting.chart import chart

FORMATS = (".svg", ".png")


def in_terminal(evidence: Evidence, width: int | None = None) -> str:
    """Return the plot as text with colours, at the width of the terminal, in at most 20 lines."""
    from cortex.cli.plot_terminal import draw

    return draw(chart(evidence), width)


def write(evidence: Evidence, path: Path) -> None:
    """Write the figure, replacing a file atomically. Raises UsageError for another format or a
    place that cannot be written, MachineError when the plotting library is missing."""
    if path.suffix.lower() not in FORMATS:
        raise UsageError(f"{path}: name a file that ends with {' or '.join(FORMATS)}")
    if not path.absolute().parent.is_dir():
        raise UsageError(f"{path}: its folder does not exist")
    from cortex.cli.plot_figure import render

    atomic.write(path.absolute(), render(chart(evidence), path.suffix.lower().lstrip(".")))
