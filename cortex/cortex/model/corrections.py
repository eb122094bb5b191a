"""Corrections and the themes that they form."""

from dataclasses import dataclass
from enum import StrEnum


class Signal(StrEnum):
    """How the developer showed that something was wrong."""

    REJECTION = "rejection"
    INTERRUPTION = "interruption"
    FOLLOW_UP = "follow-up"
    HAND_EDIT = "hand-edit"


@dataclass(frozen=True, slots=True)
class Correction:
    """The developer told the agent that what it just did is wrong, or changed it by hand."""

    id: str
    """`corr-` and ten hex digits of session and turn: the same after every re-ingestion."""
    session_id: str
    signal: Signal
    content: str
    """The developer's own words; for a hand edit a unified diff."""
    prompt_uuid: str
    """The prompt whose work is corrected: the prompt of the task."""
    uuid: str
    """The line of the transcript that carries the correction."""
    at: str
    cwd: str
    paths: tuple[str, ...] = ()
    """Files that the attempt wrote or wanted to write, relative to `cwd` when inside it."""
    confidence: float = 1.0
    """0 to 1: how sure the rules are that this corrects the agent."""
    dismissed: bool = False
    work_uuid: str = ""
    """The prompt of the turn whose work is corrected; "" in records of earlier versions."""
    later_session_id: str = ""
    """The session whose transcript holds `uuid`, when that is a later one than `session_id`."""


@dataclass(frozen=True, slots=True)
class Theme:
    """Corrections of different sessions that ask for the same thing."""

    id: str
    title: str
    """A few of the developer's words, or the contrast that recurs."""
    correction_ids: tuple[str, ...]
    session_ids: tuple[str, ...]
    paths: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    """Code that the corrections take out, most telling first."""
    introduced: tuple[str, ...] = ()
    """Code that the corrections put in, most telling first."""

    @property
    def recurs(self) -> bool:
        """Whether at least two sessions ask for it: one bad afternoon cannot make a rule."""
        return len(set(self.session_ids)) >= 2
