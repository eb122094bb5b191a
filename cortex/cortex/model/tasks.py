"""Tasks: replayable pieces of work with deterministic checks."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal


@dataclass(frozen=True, slots=True)
class CommandCheck:
    """A command in the finished workspace that must exit with 0."""

    argv: tuple[str, ...]
    timeout_s: float = 60.0
    kind: Literal["command"] = "command"


@dataclass(frozen=True, slots=True)
class PatternCheck:
    """Something that must (not) stand in the lines that the trial added.

    With a `language` the pattern is an ast-grep pattern, else a Python regular expression.
    """

    pattern: str
    paths: tuple[str, ...]
    """Globs of the files that are looked at, relative to the workspace."""
    present: bool
    language: str | None = None
    kind: Literal["pattern"] = "pattern"


@dataclass(frozen=True, slots=True)
class FileCheck:
    """A file that must (not) exist when the trial ends."""

    path: str
    exists: bool
    kind: Literal["file"] = "file"


@dataclass(frozen=True, slots=True)
class ActionCheck:
    """A condition on what the agent ran, read from the trial's event stream."""

    must_run: str | None = None
    """Regular expression that some command must match."""
    must_not_run: str | None = None
    """Regular expression that no command may match."""
    before: str | None = None
    """With `must_run`: it must come before the first command (or write) that matches this;
    the word `write` stands for any file operation that writes."""
    kind: Literal["action"] = "action"


Check = CommandCheck | PatternCheck | FileCheck | ActionCheck


@dataclass(frozen=True, slots=True)
class BaseTree:
    """The files at the moment of the prompt: a commit plus the uncommitted state then."""

    repository: str
    """Absolute path of the repository's top folder; "" when there was none."""
    commit: str | None
    tree: str | None = None
    """git tree kept in Cortex's own object store, so that the task outlives the commit."""
    overlay: dict[str, str | None] = field(default_factory=dict)
    """Relative path -> whole content then, None for a file that did not exist."""


class TaskStatus(StrEnum):
    """State of a task on its way into the suite."""

    DRAFT = "draft"
    ADMITTED = "admitted"
    QUARANTINED = "quarantined"
    SKIPPED = "skipped"
    DISMISSED = "dismissed"
    PURGED = "purged"
    """Its texts were removed; the row stays because a verdict rests on it."""


@dataclass(frozen=True, slots=True)
class Task:
    """A replayable piece of work: base tree, the developer's own prompt, checks, provenance."""

    id: str
    prompt: str
    base: BaseTree
    checks: tuple[Check, ...]
    paths: tuple[str, ...]
    """Files that the session's work on it read or wrote, relative to the repository."""
    attempt: dict[str, str | None] = field(default_factory=dict)
    """Relative path -> content after the agent's first attempt (over the base)."""
    corrected: dict[str, str | None] = field(default_factory=dict)
    """Relative path -> content of the corrected result (over the base)."""
    attempt_commands: tuple[str, ...] = ()
    corrected_commands: tuple[str, ...] = ()
    setup: tuple[tuple[str, ...], ...] = ()
    """Commands run in the workspace before the agent starts, in both arms alike."""
    correction_ids: tuple[str, ...] = ()
    session_id: str = ""
    theme_id: str | None = None
    status: TaskStatus = TaskStatus.DRAFT
    reason: str = ""
    """Why it is quarantined, skipped or dismissed."""
    held_out: bool = False
    """The proposer never sees it."""
    created_at: str = ""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What one check said about a finished workspace."""

    check: str
    """The check in a few words."""
    passed: bool
    detail: str = ""
    broken: bool = False
    """The check itself could not run (a missing program): evidence for nothing."""
