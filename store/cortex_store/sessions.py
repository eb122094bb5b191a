"""Sessions and their events; an event that several transcripts share is kept once."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from cortex.model.sessions import (
    Called,
    Event,
    Interrupted,
    Loaded,
    Prompted,
    Returned,
    Said,
    Session,
)
from cortex_store import codec
from cortex_store.base import Executor

EVENTS: dict[str, type[Event]] = {
    kind.__name__: kind for kind in (Prompted, Called, Returned, Interrupted, Loaded, Said)
}
LARGE = 512
"""Characters from which on a text is a blob."""
_BLOB = '{"blob":'
"""Stands for such a text in a stored event; never in a text itself, where quotes are escaped."""


@dataclass(frozen=True, slots=True)
class FileMark:
    """How far a file was read."""

    offset: int
    """Bytes."""
    fingerprint: str
    """Tells a file that grew from one that was replaced."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a session took place."""

    session_id: str
    path: str
    """Of its transcript."""
    cwd: str
    subagent: bool


class Sessions:
    """What was read from transcripts."""

    def __init__(self, store: Executor) -> None:
        self._store = store

    def add(self, session: Session) -> None:
        """Insert a session, or replace what is known of it."""
        with self._store.transaction():
            self._store.execute(
                "INSERT INTO sessions VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET"
                " own = excluded.own, started_at = excluded.started_at, record = excluded.record",
                (session.id, session.own, session.started_at, codec.dump(session)),
            )

    def append(self, session_id: str, keyed_events: Iterable[tuple[str, Event]]) -> int:
        """Add events to a session and return how many the whole store did not know.

        Adding the same ones again changes nothing.
        """
        new = 0
        with self._store.transaction():
            position = self._store.execute(
                "SELECT coalesce(max(position) + 1, 0) FROM session_events WHERE session_id = ?",
                (session_id,),
            ).fetchone()[0]
            for key, event in keyed_events:
                new += self._insert(key, event)
                added = self._store.execute(
                    "INSERT OR IGNORE INTO session_events VALUES (?, ?, ?)",
                    (session_id, position, key),
                )
                position += added.rowcount
        return new

    def events(self, session_id: str) -> tuple[Event, ...]:
        """Return all events of a session in the order of its transcript."""
        rows = self._store.execute(
            "SELECT record FROM session_events JOIN events USING (key)"
            " WHERE session_id = ? ORDER BY position",
            (session_id,),
        )
        return tuple(self._decode(row[0]) for row in rows)

    def count(self, session_id: str) -> int:
        """Return how many events a session has."""
        row = self._store.execute(
            "SELECT count(*) FROM session_events WHERE session_id = ?", (session_id,)
        ).fetchone()
        return int(row[0])

    def get(self, session_id: str) -> Session | None:
        """Return a session."""
        row = self._store.execute(
            "SELECT record FROM sessions WHERE id = ?", (session_id,)
        ).fetchone()
        return codec.load(Session, row[0]) if row else None

    def knows(self, session_id: str) -> bool:
        """Whether a session is stored."""
        row = self._store.execute("SELECT 1 FROM sessions WHERE id = ?", (session_id,)).fetchone()
        return row is not None

    def all(self, *, include_own: bool = False) -> tuple[Session, ...]:
        """Return all sessions, oldest first; Cortex's own trials only when asked for."""
        rows = self._store.execute(
            "SELECT record FROM sessions WHERE own <= ? ORDER BY started_at, id", (include_own,)
        )
        return tuple(codec.load(Session, row[0]) for row in rows)

    def places(self) -> tuple[Place, ...]:
        """Return where each session took place, oldest first, without Cortex's own trials.

        A tenth of what `all` costs.
        """
        rows = self._store.execute(
            "SELECT id, record FROM sessions WHERE own = 0 ORDER BY started_at, id"
        )
        records = ((key, json.loads(record)) for key, record in rows)
        return tuple(
            Place(key, record["path"], record["cwd"], record.get("subagent", False))
            for key, record in records
        )

    def offset(self, path: str) -> FileMark | None:
        """Return how far a file was read."""
        row = self._store.execute(
            "SELECT offset, fingerprint FROM files WHERE path = ?", (path,)
        ).fetchone()
        return FileMark(*row) if row else None

    def set_offset(self, path: str, mark: FileMark) -> None:
        """Remember how far a file was read."""
        with self._store.transaction():
            self._store.execute(
                "INSERT OR REPLACE INTO files VALUES (?, ?, ?)",
                (path, mark.offset, mark.fingerprint),
            )

    def _insert(self, key: str, event: Event) -> int:
        if self._store.execute("SELECT 1 FROM events WHERE key = ?", (key,)).fetchone():
            return 0
        record: dict[str, Any] = {"event": type(event).__name__}
        for name, value in codec.encode(event).items():
            large = isinstance(value, str) and len(value) > LARGE
            record[name] = {"blob": self._store.blobs.put(value)} if large else value
        self._store.execute("INSERT INTO events VALUES (?, ?)", (key, codec.dump_value(record)))
        return 1

    def _decode(self, text: str) -> Event:
        kind = EVENTS[text.split('"', 4)[3]]
        if _BLOB not in text:
            return codec.load(kind, text)
        record: dict[str, Any] = json.loads(text)
        for name, value in record.items():
            if isinstance(value, dict):
                record[name] = self._store.blobs.get(value["blob"])
        return codec.decode(kind, record)
