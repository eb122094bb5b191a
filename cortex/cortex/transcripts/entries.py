"""Events of a conversational line of a Claude Code transcript."""

from cortex.model.sessions import Called, Event, Interrupted, Loaded, Prompted, Said, Speaker
from cortex.transcripts import attachments
from cortex.transcripts.calls import Stamp, called
from cortex.transcripts.fields import (
    Record,
    content_text,
    content_texts,
    flag,
    number,
    optional,
    record,
    records,
    text,
)
from cortex.transcripts.results import cut, returned
from cortex.transcripts.speakers import INTERRUPTED, PLAN, own_text, slash_command, speaker

CONVERSATIONAL = frozenset({"user", "assistant", "attachment", "system"})
_SKILL_FOLDER = "Base directory for this skill:"


def is_conversational(line: Record) -> bool:
    """Return whether a line belongs to a conversation of Claude Code at all."""
    kind = line.get("type")
    known = isinstance(kind, str) and kind in CONVERSATIONAL
    return known and bool(text(line, "uuid")) and bool(text(line, "sessionId"))


def events(line: Record, command: str | None = None) -> list[Event]:
    """Return the events of a line in their order.

    `command` is the slash command whose line is this line's parent, if it is one.
    """
    if not is_conversational(line):
        return []
    stamp = Stamp(text(line, "uuid"), text(line, "timestamp"), text(line, "cwd"))
    if line["type"] == "user":
        return _user(line, stamp, command)
    if line["type"] == "assistant":
        return _assistant(line, stamp)
    return attachments.events(line, stamp) if line["type"] == "attachment" else []


def _user(line: Record, stamp: Stamp, command: str | None) -> list[Event]:
    content = record(line, "message").get("content")
    collected: list[Event] = []
    for block in records(content):
        answer = returned(block, line, stamp) if block.get("type") == "tool_result" else None
        if answer is not None:
            collected += [answer, *_opened_by_call(line, stamp, answer.ok)]
    texts = content_texts(content)
    if any(text_.lstrip().startswith(INTERRUPTED) for text_ in texts):
        collected.append(Interrupted(stamp.uuid, stamp.at))
        texts = [text_ for text_ in texts if not text_.lstrip().startswith(INTERRUPTED)]
    typed = own_text(texts)
    if not typed.strip():
        return collected
    return [
        *collected,
        _prompted(line, typed, stamp),
        *_opened_by_person(line, typed, stamp, command),
    ]


def _prompted(line: Record, typed: str, stamp: Stamp) -> Prompted:
    typed_by = speaker(line, typed)
    if typed_by is Speaker.INJECTED:
        typed = slash_command(typed) or (typed if typed.startswith(PLAN) else cut(typed))
    return Prompted(stamp.uuid, stamp.at, typed, typed_by, stamp.cwd, optional(line, "gitBranch"))


def _opened_by_call(line: Record, stamp: Stamp, ok: bool) -> list[Event]:
    result = record(line, "toolUseResult")
    name = text(result, "commandName")
    opened = ok and name and flag(result, "success")
    return [Loaded(stamp.uuid, stamp.at, name, "skill")] if opened else []


def _opened_by_person(line: Record, typed: str, stamp: Stamp, command: str | None) -> list[Event]:
    """The body of a skill that a slash command opened; after a call its result says so already."""
    if not flag(line, "isMeta") or text(line, "sourceToolUseID"):
        return []
    name = command
    if typed.startswith(_SKILL_FOLDER):
        folder = typed.partition("\n")[0].removeprefix(_SKILL_FOLDER).strip()
        name = folder.replace("\\", "/").rstrip("/").rpartition("/")[2]
    return [Loaded(stamp.uuid, stamp.at, name, "skill", typed)] if name else []


def _assistant(line: Record, stamp: Stamp) -> list[Event]:
    message = record(line, "message")
    content = message.get("content")
    calls: list[Called] = []
    for block in records(content):
        call = called(block, stamp) if block.get("type") == "tool_use" else None
        calls += [call] if call is not None else []
    words = content_text(content)
    if not words and not calls:
        return []
    return [_message(message, words, stamp), *calls]


def _message(message: Record, words: str, stamp: Stamp) -> Said:
    usage = record(message, "usage")
    inputs = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    return Said(
        uuid=stamp.uuid,
        at=stamp.at,
        message_id=text(message, "id") or stamp.uuid,
        text=words,
        model=optional(message, "model"),
        input_tokens=sum(number(usage, key) for key in inputs),
        output_tokens=number(usage, "output_tokens"),
        stop_reason=optional(message, "stop_reason"),
    )
