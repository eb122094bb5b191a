"""What workers tell the app: results, never half-done state."""

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
    """One item was read."""

    def __init__(self, details: Details) -> None:
        super().__init__()
        self.details = details


class Done(Message):
    """An action ended; with a deed it can be taken back."""

    def __init__(self, said: str, change: AppliedChange | None = None) -> None:
        super().__init__()
        self.said = said
        self.change = change


class Failed(Message):
    """Something could not be done; one line says what to do."""

    def __init__(self, said: str) -> None:
        super().__init__()
        self.said = said
