"""Claude Code transcripts: one JSON object a line, appended while the session runs."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from cortex.model.sessions import Event, Session
from cortex.transcripts.entries import events
from cortex.transcripts.fields import Record, content_text, record, text
from cortex.transcripts.jsonl import complete_lines, decode, is_bulk
from cortex.transcripts.sessions import describe
from cortex.transcripts.speakers import slash_command

_LOOK_BACK = 65_536
"""Bytes before the offset in which the slash command of the next line may stand."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """The events of a transcript file from some byte on."""

    session: Session | None
    """None when the file is not (yet) a Claude Code transcript."""
    events: tuple[tuple[str, Event], ...]
    """Each with its key: the same in every copy of the line, so that forks count once."""
    offset: int
    """Byte just after the last complete line that was read: where to go on."""
    skipped: int
    """Lines that could not be read."""


def read(path: Path, offset: int = 0, *, limit: int | None = None) -> Chunk:
    """Read the complete lines of `path` from byte `offset` on, at most about `limit` bytes.

    Damaged lines are counted, never an error. Raises OSError when the file cannot be opened.
    """
    start, skipped = offset, 0
    keyed_events: list[tuple[str, Event]] = []
    commands = _Commands(_lines_before(path, offset))
    for line, offset in complete_lines(path, start):
        if line is None or not is_bulk(line):
            entry = None if line is None else decode(line)
            if entry is None:
                skipped += 1
            else:
                keyed_events += keyed(events(entry, commands.of(entry)))
        if limit is not None and offset - start >= limit:
            break
    session = describe(path)
    return Chunk(session, tuple(keyed_events) if session else (), offset, skipped)


def keyed(line_events: Iterable[Event]) -> Iterator[tuple[str, Event]]:
    """Yield the events of a line with their keys: `uuid`, then `uuid/2`, `uuid/3`, …"""
    for number, event in enumerate(line_events, start=1):
        yield (event.uuid if number == 1 else f"{event.uuid}/{number}"), event


class _Commands:
    """Remembers the last slash command, because the line after it holds what it opened."""

    def __init__(self, before: Iterable[Record]) -> None:
        self._uuid = self._name = ""
        for entry in before:
            self.of(entry)

    def of(self, entry: Record) -> str | None:
        """Return the command whose line is the parent of `entry`."""
        name = self._name if self._uuid and text(entry, "parentUuid") == self._uuid else None
        if entry.get("type") != "user":
            return name
        command = slash_command(content_text(record(entry, "message").get("content")))
        if command is not None:
            self._uuid, self._name = text(entry, "uuid"), command[1:].split(" ")[0]
        return name


def _lines_before(path: Path, offset: int) -> Iterator[Record]:
    start = max(0, offset - _LOOK_BACK)
    for line, end in complete_lines(path, start) if offset else ():
        if end > offset:
            return
        entry = None if line is None or b"<command-" not in line else decode(line)
        if entry is not None:
            yield entry
