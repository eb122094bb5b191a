"""What a writer is given, and what a writer is."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from cortex.artifacts.entries import GraveyardEntry
from cortex.model.artifacts import Artifact
from cortex.model.corrections import Correction, Theme
from cortex.model.tasks import Task

if TYPE_CHECKING:
    from cortex.proposing.draft import Draft


@dataclass(frozen=True, slots=True)
class Brief:
    """All that a writer may know; held-out tasks are not in it."""

    theme: Theme
    corrections: tuple[Correction, ...]
    """Those of the theme. Untrusted: whoever could write into a session could write here."""
    seen_tasks: tuple[Task, ...]
    harness: tuple[Artifact, ...] = ()
    buried: tuple[GraveyardEntry, ...] = ()
    """Entries of the graveyard, as `graveyard.entries` returns them."""
    agent: str = "claude-code"
    """That will read the text."""
    tree: tuple[str, ...] = ()
    """Relative paths of all files of the repository."""


class Writer(Protocol):
    """Turns a brief into the draft of an artifact."""

    name: str

    def write(self, brief: Brief) -> "Draft":
        """Return a draft.

        Raises MachineError when the writer cannot be reached, UsageError when it had nothing
        usable to say.
        """
        ...
