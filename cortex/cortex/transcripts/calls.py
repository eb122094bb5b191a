"""Tool calls of Claude Code."""

import posixpath
import re
from dataclasses import dataclass

from cortex.model.sessions import ActionKind, Called
from cortex.transcripts.fields import Record, flag, optional, record, records, text

KINDS = {
    "Read": ActionKind.READ,
    "NotebookRead": ActionKind.READ,
    "Write": ActionKind.WRITE,
    "Edit": ActionKind.WRITE,
    "MultiEdit": ActionKind.WRITE,
    "NotebookEdit": ActionKind.WRITE,
    "Bash": ActionKind.COMMAND,
    "PowerShell": ActionKind.COMMAND,
    "Skill": ActionKind.SKILL,
}

_DRIVE = re.compile(r"[A-Za-z]:[\\/]|\\\\")


@dataclass(frozen=True, slots=True)
class Stamp:
    """What all events of a line share."""

    uuid: str
    at: str
    cwd: str


def called(block: Record, stamp: Stamp) -> Called | None:
    """Return the call of a `tool_use` block; None when it has no id or name."""
    call_id, tool, given = text(block, "id"), text(block, "name"), record(block, "input")
    if not call_id or not tool:
        return None
    kind = KINDS.get(tool, ActionKind.OTHER)
    edits = _edits(given) if tool == "MultiEdit" else ()
    return Called(
        uuid=stamp.uuid,
        at=stamp.at,
        call_id=call_id,
        tool=tool,
        kind=kind,
        path=_path(given, stamp.cwd) if kind in (ActionKind.READ, ActionKind.WRITE) else None,
        command=optional(given, "command") if kind is ActionKind.COMMAND else None,
        skill=_skill(given) if kind is ActionKind.SKILL else None,
        proposed=_proposed(tool, given, edits),
        replaces=optional(given, "old_string") if tool == "Edit" else None,
        replace_all=flag(given, "replace_all"),
        edits=edits,
    )


def _path(given: Record, cwd: str) -> str | None:
    path = text(given, "file_path") or text(given, "notebook_path")
    if not path or _DRIVE.match(path):
        return path or None
    return posixpath.join(cwd, path)


def _skill(given: Record) -> str | None:
    return (text(given, "skill") or text(given, "command")) or None


def _proposed(tool: str, given: Record, edits: tuple[tuple[str, str, bool], ...]) -> str | None:
    if tool == "Write":
        return optional(given, "content")
    if tool == "Edit":
        return optional(given, "new_string")
    return "\n".join(new for _, new, _ in edits) if edits else None


def _edits(given: Record) -> tuple[tuple[str, str, bool], ...]:
    return tuple(
        (text(edit, "old_string"), text(edit, "new_string"), flag(edit, "replace_all"))
        for edit in records(given.get("edits"))
    )
