"""The list on the left and the views on the right."""

from math import ceil, floor
from typing import Any

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static, TabbedContent, TabPane
from textual.widgets.option_list import Option
from textual_plotext import PlotextPlot

from cortex.presenting.chart import Chart, exponent_of, tick
from cortex.presenting.plain import plain
from cortex.presenting.styles import style
from cortex_tui.details import Details
from cortex_tui.lists import KeyList, KeyScroll
from cortex_tui.snapshot import Item, Snapshot

VIEWS = ("change", "evidence", "plot")


class Items(KeyList):
    """The inbox, running jobs and the harness."""

    def show(self, snapshot: Snapshot, filter_text: str) -> None:
        """List what contains `filter_text`, with the same item under the cursor as before."""
        chosen = self.chosen
        options: list[Option] = []
        sections = {
            "Inbox": snapshot.inbox,
            "Running": snapshot.running,
            "Harness": snapshot.harness,
        }
        for title, items in sections.items():
            matching = [item for item in items if filter_text.lower() in item.name.lower()]
            if matching:
                options.append(Option(Text(f" {title}", "bold dim"), disabled=True))
                options += [Option(self._line(item), id=item.key) for item in matching]
        self.clear_options()
        self.add_options(options)
        keys = [option.id for option in options if option.id]
        if keys:
            key = chosen if chosen in keys else keys[0]
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
        line.append(f" {item.state:<12} ", style=style(item.state) or "dim")
        line.append(plain(item.name))
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
            with TabPane("Text", id="change"), KeyScroll():
                yield self.change
            with TabPane("Evidence", id="evidence"), KeyScroll():
                yield self.evidence
            with TabPane("Plot", id="plot"):
                yield self.plot

    def show(self, details: Details) -> None:
        """Show an item."""
        self.summary.update(details.summary)
        self.change.update(details.change)
        self.evidence.update(details.evidence)
        draw(self.plot, details.chart)

    def next_view(self) -> None:
        """Turn to the next view."""
        at = VIEWS.index(self.tabs.active) if self.tabs.active in VIEWS else -1
        self.tabs.active = VIEWS[(at + 1) % len(VIEWS)]


def draw(widget: PlotextPlot, chart: Chart | None) -> None:
    """Draw the trajectory of the evidence."""
    plot = widget.plt
    plot.clear_figure()
    if chart is not None:
        _draw_curves(plot, chart)
    else:
        plot.title("no trial yet")
    widget.refresh()


def _draw_curves(plot: Any, chart: Chart) -> None:
    for series in chart.series:
        colour, _ = series.terminal
        plot.plot(
            list(chart.trials), list(series.logs), label=series.label, color=colour,
            marker="braille",
        )  # fmt: skip
    for value, _ in chart.limits:
        plot.hline(exponent_of(value), color="green")
    levels = [level for series in chart.series for level in series.logs]
    levels += [exponent_of(value) for value, _ in chart.limits]
    ticks = list(range(floor(min(levels)), ceil(max(levels)) + 1))
    plot.yticks(ticks, [tick(exponent) for exponent in ticks])
    plot.xlabel("trials")
    plot.title(plain(chart.title))
