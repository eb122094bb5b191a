"""The app: keys to actions, results to widgets. Reading and writing happen in worker threads."""

from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import ClassVar

from rich.text import Text
from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Footer, Input, OptionList, Static

from cortex.artifacts import graveyard
from cortex.commands import changes as changes
from cortex.commands import queue
from cortex.commands.changes import AppliedChange
from cortex.commands.context import Context
from cortex.commands.feed import Feed
from cortex.config import load_config
from cortex.errors import CortexError
from cortex.model.verdicts import Ruling
from cortex.presenting.formats import count, usd
from cortex.presenting.plain import plain
from cortex_tui.details import Details, details_of
from cortex_tui.dialogs import BudgetDialog, ConfirmDialog, GraveyardDialog, HelpDialog
from cortex_tui.messages import Detailed, Done, Failed, Listed
from cortex_tui.snapshot import Item, Snapshot, take
from cortex_tui.widgets import Items, Views

POLL_S = 0.2
EMPTY = """\
Nothing here yet.

Cortex learns from what you correct. In this repository:

  cortex ingest              read your sessions (free)
  cortex evolve --budget 5   propose a rule and test it
  cortex prune               test the rules you have

This screen updates by itself."""

Action = Callable[[Context], Done]


class CortexApp(App[None]):
    """Review the inbox and the harness with their evidence, and decide."""

    CSS_PATH = Path(__file__).with_name("app.tcss")
    TITLE = "Cortex"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "accept", "accept"),
        Binding("b", "bury", "bury"),
        Binding("p", "prune", "prune"),
        Binding("r", "restore", "restore"),
        Binding("u", "undo", "undo"),
        Binding("t", "test", "test"),
        Binding("d", "view", "view"),
        # With priority, so that what is typed next is part of the filter and never an action.
        Binding("slash", "filter", "filter", key_display="/", priority=True),
        Binding("escape", "unfilter", show=False),
        Binding("question_mark", "help", "help", key_display="?"),
        Binding("q", "quit", "quit"),
    ]

    def __init__(self, where: Path) -> None:
        """Open the repository around `where`; raises what `Feed` raises."""
        super().__init__()
        self.feed = Feed(where)
        self.head = Static(id="head")
        self.body = Horizontal(id="body")
        self.listing = Items(id="items")
        self.filter_field = Input(placeholder="filter", id="filter")
        self.views = Views(id="right")
        self.empty = Static(EMPTY, id="empty")
        self.snapshot: Snapshot | None = None
        self.shown: Details | None = None
        self.filter_text = ""
        self.undoable: list[AppliedChange] = []
        self._reading = Lock()
        self._closing = False
        self._failed = ""

    def compose(self) -> ComposeResult:
        """Build the screen."""
        yield self.head
        with self.body:
            with Vertical(id="left"):
                yield self.listing
                yield self.filter_field
            yield self.views
        yield self.empty
        yield Footer()

    def on_mount(self) -> None:
        """Begin to follow the store."""
        self.filter_field.display = False
        self.empty.display = False
        self.listing.focus()
        self.poll()
        self.set_interval(POLL_S, self.poll)

    def on_unmount(self) -> None:
        """Close the store once no thread reads from it."""
        self._closing = True
        with self._reading:
            self.feed.close()

    def poll(self) -> None:
        """Read anew when something changed."""
        if not self._reading.locked():
            self.read_lists()

    @work(thread=True, exclusive=True, group="lists")
    def read_lists(self) -> None:
        """Read the lists in a thread, if anything is new."""
        with self._reading:
            if self._closing:
                return
            try:
                if self.feed.changed():
                    self.post_message(Listed(take(self.feed.context())))
            except CortexError as error:
                self.post_message(Failed(str(error)))

    @work(thread=True, exclusive=True, group="details")
    def read_details(self, item: Item) -> None:
        """Read an item in a thread."""
        with self._reading:
            if self._closing:
                return
            try:
                self.post_message(Detailed(details_of(self.feed.context(), item)))
            except CortexError as error:
                self.post_message(Failed(str(error)))

    @work(thread=True, group="actions")
    def do(self, action: Action) -> None:
        """Run an action in a thread, with its own store."""
        try:
            with self.feed.writing() as context:
                self.post_message(action(context))
        except CortexError as error:
            self.post_message(Failed(str(error)))

    def on_listed(self, message: Listed) -> None:
        """Show what was read."""
        self.snapshot, self._failed = message.snapshot, ""
        self.show_lists()

    def show_lists(self) -> None:
        """Draw the lists, and the item under the cursor anew."""
        snapshot = self.snapshot
        if snapshot is None:
            return
        entries = len(snapshot.inbox)
        head = Text("cortex", style="bold")
        head.append(
            f"  {plain(snapshot.repository)}   {entries} in the inbox · "
            f"{count(len(snapshot.harness), 'text')} · "
            f"{snapshot.buried} in the graveyard · {usd(snapshot.spent_usd)} spent",
            style="not bold",
        )
        self.head.update(head)
        empty = not snapshot.items
        self.empty.display = empty
        self.body.display = not empty
        self.listing.show(snapshot, self.filter_text)
        item = self.item
        if item is not None:
            self.read_details(item)

    def on_detailed(self, message: Detailed) -> None:
        """Show an item, unless the cursor has moved on."""
        if message.details.key == self.listing.chosen:
            self.shown = message.details
            self.views.show(message.details)

    def on_done(self, message: Done) -> None:
        """Show the result of an action."""
        if message.change is not None:
            self.undoable.append(message.change)
        self.notify(plain(message.text), markup=False)
        self.poll()

    def on_failed(self, message: Failed) -> None:
        """Show a failure once."""
        if message.text != self._failed:
            self._failed = message.text
            self.notify(plain(message.text), severity="error", timeout=8, markup=False)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show the item under the cursor."""
        if event.option_list.id == "items" and self.item is not None:
            self.read_details(self.item)

    @property
    def item(self) -> Item | None:
        """The item under the cursor."""
        chosen = self.listing.chosen
        items = self.snapshot.items if self.snapshot else ()
        return next((item for item in items if item.key == chosen), None)

    def action_accept(self) -> None:
        """Apply the verdict of the item."""
        item = self.item
        if item is None or item.entry is None:
            self.notify("Only inbox entries can be accepted.", severity="warning")
            return
        entry = item.entry
        if entry.ruling is None:
            self.notify("Not measured yet; press t to queue it.", severity="warning")
        elif entry.ruling is Ruling.PRUNE:
            self._remove(
                entry.candidate.artifact.name, lambda b: _result(changes.accept(b, entry.id))
            )
        else:
            self.do(lambda context: _result(changes.accept(context, entry.id)))

    def action_bury(self) -> None:
        """Bury the item."""
        item = self.item
        if item is None or item.entry is None:
            self.notify("Only inbox entries can be buried; press p to prune.", severity="warning")
            return
        entry_id = item.entry.id
        self.do(lambda context: _result(changes.bury(context, entry_id)))

    def action_prune(self) -> None:
        """Remove text whose verdict is prune."""
        item = self.item
        artifact = None
        if item is not None and item.status is not None:
            artifact = item.status.artifact
        elif item is not None and item.entry is not None and item.entry.ruling is Ruling.PRUNE:
            artifact = item.entry.candidate.artifact
        if artifact is None:
            self.notify("Choose a text of the harness to prune.", severity="warning")
            return
        key = artifact.key
        self._remove(artifact.name, lambda context: _result(changes.prune(context, key)))

    def action_restore(self) -> None:
        """Restore text from the graveyard."""

        def chosen(entry: str | None) -> None:
            if entry is not None:
                self.do(lambda context: Done(f"restored {changes.restore(context, entry).path}"))

        self.push_screen(GraveyardDialog(graveyard.entries(self.feed.root)), chosen)

    def action_undo(self) -> None:
        """Undo the last action."""
        if not self.undoable:
            self.notify("Nothing to undo.", severity="warning")
            return
        change = self.undoable.pop()
        self.do(lambda context: Done(changes.undo(context, change)))

    def action_test(self) -> None:
        """Queue an experiment for the daemon."""
        item = self.item
        if item is None or item.job is not None:
            self.notify("Choose a proposal or a text to measure.", severity="warning")
            return
        config = load_config(self.feed.root)
        if config.agent.free or config.budget.per_experiment_usd is not None:
            self._queue(item, None)
            return

        def answered(amount: float | None) -> None:
            if amount is not None:
                self._queue(item, amount)

        self.push_screen(BudgetDialog(item.name), answered)

    def _queue(self, item: Item, amount: float | None) -> None:
        def queued(context: Context) -> Done:
            if item.entry is not None:
                queue.queue_gate(context, item.entry.id, amount)
            elif item.status is not None:
                queue.queue_removal(context, item.status.artifact.key, amount)
            return Done(f"queued {item.name}; `cortex daemon start` runs the queue")

        self.do(queued)

    def _remove(self, name: str, action: Action) -> None:
        def answered(sure: bool | None) -> None:
            if sure:
                self.do(action)

        self.push_screen(
            ConfirmDialog(f"Remove {name} from the harness? The graveyard keeps it."), answered
        )

    def action_view(self) -> None:
        """Turn to the next view."""
        self.views.next_view()

    def check_action(self, action: str, _parameters: tuple[object, ...]) -> bool:
        """Disable the filter key while a text field or a dialog has the focus."""
        busy = self.focused is self.filter_field or len(self.screen_stack) > 1
        return action != "filter" or not busy

    def action_filter(self) -> None:
        """Show the filter field."""
        self.filter_field.display = True
        self.screen.set_focus(self.filter_field)

    def action_unfilter(self) -> None:
        """Clear the filter."""
        self.filter_field.value = ""
        self.filter_field.display = False
        self.screen.set_focus(self.listing)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Filter while the user types."""
        if event.input.id == "filter":
            self.filter_text = event.value
            self.show_lists()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Back to the list."""
        if event.input.id == "filter":
            event.input.display = bool(event.value)
            self.listing.focus()

    def action_help(self) -> None:
        """Show the keys."""
        self.push_screen(HelpDialog())


def _result(change: AppliedChange) -> Done:
    return Done(change.message.split(";")[0], change)
