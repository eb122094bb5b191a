"""What workers send to the app: results only."""

from textual.message import Message

from cortex.commands.changes import AppliedChange
from cortex_tui.details import Details
from cortex_tui.snapshot import Snapshot


class Listed(Message):
    """The lists were read."""

    def __init__(self, snapshot: Snapshot) -> None:
        super().__init__()
        self.snapshot = snapshot


class Detailed(Message):
    """An item was read."""

    def __init__(self, details: Details) -> None:
        super().__init__()
        self.details = details


class Done(Message):
    """An action finished; with a change it can be undone."""

    def __init__(self, text: str, change: AppliedChange | None = None) -> None:
        super().__init__()
        self.text = text
        self.change = change


class Failed(Message):
    """An action failed; the text says what to do."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text
