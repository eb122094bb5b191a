"""`attachment` lines: harness text that reached the model, mentioned files, queued prompts."""

from cortex.model.sessions import ActionKind, Called, Event, Loaded, Prompted, Returned, Speaker
from cortex.transcripts.calls import Stamp
from cortex.transcripts.fields import Record, optional, record, strings, text
from cortex.transcripts.results import whole_read
from cortex.transcripts.speakers import speaker

MENTION = "Mention"
"""The tool's name where the harness itself read a file for the agent."""


def events(line: Record, stamp: Stamp) -> list[Event]:
    """Return what an `attachment` line shows; unknown kinds show nothing."""
    attachment = record(line, "attachment")
    kind = text(attachment, "type")
    if kind == "nested_memory":
        return _memory(attachment, stamp)
    if kind == "instructions":
        return _instructions(attachment, stamp)
    if kind == "skill_listing":
        names = strings(attachment.get("names"))
        return [Loaded(stamp.uuid, stamp.at, name, "offered") for name in names]
    if kind == "file":
        return _mentioned(attachment, stamp)
    if kind == "queued_command":
        return _queued(line, attachment, stamp)
    return []


def _instructions(attachment: Record, stamp: Stamp) -> list[Event]:
    """Files that loaded at the start; older versions do not write them down."""
    files = attachment.get("files")
    shown = [file for file in files if isinstance(file, dict)] if isinstance(files, list) else []
    return [
        Loaded(stamp.uuid, stamp.at, text(file, "path"), "instructions", optional(file, "content"))
        for file in shown
        if text(file, "path")
    ]


def _memory(attachment: Record, stamp: Stamp) -> list[Event]:
    path = text(attachment, "path")
    if not path:
        return []
    body = optional(record(attachment, "content"), "content")
    kind = "rule" if "/rules/" in path.replace("\\", "/") else "instructions"
    return [Loaded(stamp.uuid, stamp.at, path, kind, body)]


def _mentioned(attachment: Record, stamp: Stamp) -> list[Event]:
    """A file named with `@` is read for the agent: the same as a successful read."""
    file = record(record(attachment, "content"), "file")
    path = text(file, "filePath") or text(attachment, "filename")
    if not path or not file:
        return []
    call_id = f"mention-{stamp.uuid}"
    return [
        Called(stamp.uuid, stamp.at, call_id, MENTION, ActionKind.READ, path=path),
        Returned(stamp.uuid, stamp.at, call_id, ok=True, after=whole_read(file)),
    ]


def _queued(line: Record, attachment: Record, stamp: Stamp) -> list[Event]:
    """A prompt that was typed while the agent worked and handed over between two tool calls."""
    prompt = text(attachment, "prompt")
    if not prompt or text(attachment, "commandMode") not in ("", "prompt"):
        return []
    typed_by = speaker(
        {**line, **{key: attachment[key] for key in ("origin",) if key in attachment}}, prompt
    )
    if typed_by is Speaker.INJECTED:
        return []
    return [
        Prompted(stamp.uuid, stamp.at, prompt, typed_by, stamp.cwd, optional(line, "gitBranch"))
    ]
