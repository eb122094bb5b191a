"""Dialogs on top of the screen."""

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Label, OptionList
from textual.widgets.option_list import Option

from cortex.artifacts.entries import GraveyardEntry
from cortex.presenting.plain import plain
from cortex_tui.lists import KeyList


class ConfirmDialog(ModalScreen[bool]):
    """Asks before text is removed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y,enter", "answer(True)", "yes"),
        Binding("n,escape,q", "answer(False)", "no"),
    ]

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        """Show the question."""
        with Vertical(classes="dialog"):
            yield Label(plain(self._question), markup=False)
            yield Label("y yes   n no", classes="keys")

    def action_answer(self, answer: bool) -> None:
        """Close with the answer."""
        self.dismiss(answer)


class BudgetDialog(ModalScreen[float | None]):
    """Asks what an experiment may cost."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "cancel")]

    def __init__(self, name: str) -> None:
        super().__init__()
        self._subject = name

    def compose(self) -> ComposeResult:
        """Show the question with a field."""
        with Vertical(classes="dialog"):
            yield Label(
                f"Trials of {plain(self._subject)} cost money. Spend at most how many US dollars?",
                markup=False,
            )
            yield Input(placeholder="2.50", type="number", id="budget")
            yield Label("enter queue for the daemon   escape cancel", classes="keys")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take an amount above 0."""
        try:
            amount = float(event.value)
        except ValueError:
            return
        if amount > 0:
            self.dismiss(amount)

    def action_leave(self) -> None:
        """Close without an answer."""
        self.dismiss(None)


class GraveyardDialog(ModalScreen[str | None]):
    """Lets one choose what to bring back."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "leave", "cancel")]

    def __init__(self, entries: Sequence[GraveyardEntry]) -> None:
        super().__init__()
        self._entries = entries

    def compose(self) -> ComposeResult:
        """List the graveyard."""
        with Vertical(classes="dialog"):
            yield Label("Restore which entry?" if self._entries else "The graveyard is empty.")
            yield KeyList(
                *(
                    Option(Text(plain(f"{entry.name}  {entry.ruling}  {entry.path}")), id=entry.id)
                    for entry in reversed(self._entries)
                )
            )
            yield Label("enter restore byte for byte   escape cancel", classes="keys")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Close with the entry."""
        self.dismiss(event.option.id)

    def action_leave(self) -> None:
        """Close without an answer."""
        self.dismiss(None)


HELP = """\
Cortex tests the text that your coding agent follows.

a  accept     apply the verdict: add, remove or bury the text
b  bury       bury a proposal; the harness is not changed
p  prune      remove text whose verdict is prune
r  restore    restore text from the graveyard
u  undo       undo the last action
t  test       queue an experiment for the daemon
d  next view  text, evidence, plot
/  filter     by name; Esc clears the filter
j k  move     also the arrow keys; g first, G last
q  quit"""


class HelpDialog(ModalScreen[None]):
    """What the keys do."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark,enter", "leave", "close")
    ]

    def compose(self) -> ComposeResult:
        """Show the keys."""
        with Vertical(classes="dialog"):
            yield Label(HELP, markup=False)

    def action_leave(self) -> None:
        """Close."""
        self.dismiss(None)
