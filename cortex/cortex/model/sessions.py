"""What happened in a conversation of a developer with an agent."""

from dataclasses import dataclass, field
from enum import StrEnum


class Speaker(StrEnum):
    """Who typed a prompt; decided before what was said is looked at."""

    HUMAN = "human"
    HEADLESS = "headless"
    INJECTED = "injected"


class ActionKind(StrEnum):
    """What a tool call does, whatever the agent calls its tool."""

    READ = "read"
    WRITE = "write"
    COMMAND = "command"
    SKILL = "skill"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Prompted:
    """A prompt as it is in the transcript, with who typed it."""

    uuid: str
    at: str
    """ISO 8601, UTC."""
    text: str
    speaker: Speaker
    cwd: str
    branch: str | None = None


@dataclass(frozen=True, slots=True)
class Called:
    """The agent asked for a tool."""

    uuid: str
    at: str
    call_id: str
    tool: str
    kind: ActionKind
    path: str | None = None
    """Absolute path of the file that is read or written."""
    command: str | None = None
    skill: str | None = None
    proposed: str | None = None
    """What a write or edit wants to put in: whole content, or the edit's new text."""
    replaces: str | None = None
    """The text that an edit wants to replace; None for a whole write."""
    replace_all: bool = False
    edits: tuple[tuple[str, str, bool], ...] = ()
    """For a call with several edits of a file: (replaces, proposed, replace_all) of each."""


@dataclass(frozen=True, slots=True)
class Returned:
    """A tool answered, was refused, or was interrupted."""

    uuid: str
    at: str
    call_id: str
    ok: bool
    rejected: bool = False
    """A person refused it (not a hook, not a missing permission in a headless run)."""
    words: str | None = None
    """What the person said while refusing it."""
    output: str = ""
    """The tool's answer, cut to the first and last part when long."""
    before: str | None = None
    """Whole content of the written file before, "" for a new file; None when not known."""
    after: str | None = None
    """Whole content after the write, or the content read when the whole file was read."""
    exit_code: int | None = None


@dataclass(frozen=True, slots=True)
class Interrupted:
    """The person stopped the agent."""

    uuid: str
    at: str


@dataclass(frozen=True, slots=True)
class Loaded:
    """Harness text reached the model, as the transcript shows it."""

    uuid: str
    at: str
    path: str
    """Path of the rule or instructions file, or the name of the skill."""
    kind: str
    """`rule`, `instructions`, `skill` (opened) or `offered` (skill listed)."""
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """The agent's own words, with the usage of that message."""

    uuid: str
    at: str
    message_id: str
    text: str
    model: str | None = None
    input_tokens: int = 0
    output_tokens: int = 0
    stop_reason: str | None = None


Event = Prompted | Called | Returned | Interrupted | Loaded | Said


@dataclass(frozen=True, slots=True)
class Session:
    """One conversation: identity and surroundings; its events are kept apart."""

    id: str
    agent: str
    """`claude-code`, `codex`, …"""
    path: str
    cwd: str
    version: str = ""
    headless: bool = False
    subagent: bool = False
    own: bool = False
    """One of Cortex's own trials: never mined, never counted."""
    started_at: str = ""


@dataclass(frozen=True, slots=True)
class Action:
    """One tool call together with its answer."""

    call: Called
    result: Returned | None = None

    @property
    def done(self) -> bool:
        """Whether the tool ran and reported success."""
        return self.result is not None and self.result.ok


@dataclass(frozen=True, slots=True)
class Turn:
    """A prompt and all that the agent did until the next one."""

    prompt: Prompted
    actions: tuple[Action, ...] = ()
    messages: tuple[Said, ...] = ()
    """What the agent wrote."""
    loaded: tuple[Loaded, ...] = ()
    interrupted: bool = False
    """The person stopped the agent in this turn."""
    order: tuple[str, ...] = field(default=())
    """uuids of all events of the turn in transcript order."""
