"""The list on the left and the views on the right."""

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.widgets import OptionList, Static, TabbedContent, TabPane
from textual.widgets.option_list import Option
from textual_plotext import PlotextPlot

from cortex.judgement.trajectory import Point
from cortex_tui.details import STYLES, Details
from cortex_tui.snapshot import Item, Snapshot

VIEWS = ("change", "evidence", "plot")
LOWEST = -2.0
"""Of the plot: evidence below 0.01 looks alike."""


class Items(OptionList):
    """What waits, what runs, and the harness."""

    def show(self, snapshot: Snapshot, wanted: str) -> None:
        """List what contains `wanted`, with the same item under the cursor as before."""
        chosen = self.chosen
        options: list[Option] = []
        sections = {
            "Waiting": snapshot.waiting,
            "Running": snapshot.running,
            "Harness": snapshot.harness,
        }
        for title, items in sections.items():
            fitting = [one for one in items if wanted.lower() in one.name.lower()]
            if fitting:
                options.append(Option(Text(f" {title}", "bold dim"), disabled=True))
                options += [Option(self._line(one), id=one.key) for one in fitting]
        self.clear_options()
        self.add_options(options)
        known = [one.id for one in options if one.id]
        if known:
            key = chosen if chosen in known else known[0]
            self.highlighted = self.get_option_index(str(key))

    @property
    def chosen(self) -> str | None:
        """The key of the item under the cursor."""
        if self.highlighted is None:
            return None
        return self.get_option_at_index(self.highlighted).id

    @staticmethod
    def _line(item: Item) -> Text:
        line = Text(no_wrap=True, overflow="ellipsis")
        line.append(f" {item.note:<10} ", style=STYLES.get(item.note, "dim"))
        line.append(item.name)
        return line


class Views(Vertical):
    """A summary, and below it the change, the evidence or the plot."""

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's name
        """Make the parts; they are kept, so that late results find them whatever is on top."""
        super().__init__(id=id)
        self.summary = Static(id="summary")
        self.change = Static(id="change-text")
        self.evidence = Static(id="evidence-text")
        self.plot = PlotextPlot(id="drawn")
        self.tabs = TabbedContent(id="views")

    def compose(self) -> ComposeResult:
        """Build the views."""
        yield self.summary
        with self.tabs:
            with TabPane("Text", id="change"), VerticalScroll(can_focus=True):
                yield self.change
            with TabPane("Evidence", id="evidence"), VerticalScroll(can_focus=True):
                yield self.evidence
            with TabPane("Plot", id="plot"):
                yield self.plot

    def show(self, details: Details) -> None:
        """Show one item."""
        self.summary.update(details.summary)
        self.change.update(details.change)
        self.evidence.update(details.evidence)
        draw(self.plot, details)

    def next_view(self) -> None:
        """Turn to the next view."""
        at = VIEWS.index(self.tabs.active) if self.tabs.active in VIEWS else -1
        self.tabs.active = VIEWS[(at + 1) % len(VIEWS)]


def draw(widget: PlotextPlot, details: Details) -> None:
    """Plot how the evidence grew."""
    from math import log10

    plot = widget.plt
    plot.clear_figure()
    if details.path:
        _draw_lines(plot, details.path, log10(details.needed))
    else:
        plot.title("no trial yet")
    widget.refresh()


def _draw_lines(plot: object, path: tuple[Point, ...], needed: float) -> None:
    trials = [point.trials for point in path]
    for name, label, colour in (
        ("log_e", "helps", "blue"), ("log_harm", "harms", "red"),
        ("log_futility", "helps by less than δ", "gray"),
    ):  # fmt: skip
        values = [max(LOWEST, getattr(point, name)) for point in path]
        plot.plot(trials, values, label=label, color=colour, marker="braille")  # type: ignore[attr-defined]
    plot.hline(needed, color="green")  # type: ignore[attr-defined]
    top = int(max(needed, *(point.log_e for point in path))) + 2
    ticks = list(range(int(LOWEST), top))
    plot.yticks(ticks, [f"{10.0**tick:g}" for tick in ticks])  # type: ignore[attr-defined]
    plot.xlabel("trials")  # type: ignore[attr-defined]
