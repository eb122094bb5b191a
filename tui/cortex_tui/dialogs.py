"""Small questions on top of the screen."""

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
            yield Label(self._question, markup=False)
            yield Label("y yes   n no", classes="keys")

    def action_answer(self, said: bool) -> None:
        """Close with the answer."""
        self.dismiss(said)


class BudgetDialog(ModalScreen[float | None]):
    """Asks what an experiment may cost."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "cancel")]

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    def compose(self) -> ComposeResult:
        """Show the question with a field."""
        with Vertical(classes="dialog"):
            yield Label(
                f"Trials of {self._name} cost money. Spend at most how many US dollars?",
                markup=False,
            )
            yield Input(placeholder="2.50", type="number", id="budget")
            yield Label("enter queues it for the daemon   escape cancels", classes="keys")

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
            yield OptionList(
                *(
                    Option(Text(f"{entry.name}  {entry.ruling}  {entry.path}"), id=entry.id)
                    for entry in reversed(self._entries)
                )
            )
            yield Label("enter restores it byte for byte   escape cancels", classes="keys")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Close with the entry."""
        self.dismiss(event.option.id)

    def action_leave(self) -> None:
        """Close without an answer."""
        self.dismiss(None)


HELP = """\
Cortex measures the text that your coding agent follows.

a  accept     carry out the verdict: add, remove or bury the text
b  bury       put a proposal aside, the harness stays as it is
p  prune      remove text whose verdict is prune
r  restore    bring text back from the graveyard
u  undo       take the last action back
t  test       queue an experiment for the daemon
d  next view  the text, the evidence, the plot
/  filter     by name; Esc lists everything again
q  quit"""


class HelpDialog(ModalScreen[None]):
    """What the keys do."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark,enter", "leave", "close")
    ]

    def compose(self) -> ComposeResult:
        """Show the keys."""
        with Vertical(classes="dialog"):
            yield Label(HELP)

    def action_leave(self) -> None:
        """Close."""
        self.dismiss(None)
