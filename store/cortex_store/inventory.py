"""How much is stored, of whom, and a stream of every stored text."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cortex_store.base import Executor
from cortex_store.blobs import unpack

PLACEHOLDER_TABLES = ("events", "corrections", "tasks", "candidates", "trials")
TEXT_TABLES = ("events", "corrections", "tasks", "trials")
"""Tables whose records hold texts of sessions and trials."""
STRIDE = 16
"""Rows are streamed in so many portions, each spread over the whole table."""


@dataclass(frozen=True, slots=True)
class Count:
    """Rows of a kind in a folder."""

    folder: str
    kind: str
    rows: int
    size: int
    """Bytes of the records with their large texts."""
    oldest: str = ""
    """ISO 8601; "" where the kind has no times."""
    newest: str = ""


_SESSIONS = """
SELECT json_extract(sessions.record, '$.cwd'), count(DISTINCT sessions.id),
  coalesce(sum(length(events.record)), 0) + coalesce(sum((SELECT sum(blobs.size)
    FROM json_each(events.record) AS field JOIN blobs ON field.type = 'object'
    AND blobs.digest = json_extract(field.value, '$.blob')
    WHERE instr(events.record, '{"blob":'))), 0),
  min(nullif(started_at, '')), max(max(started_at), coalesce(max(json_extract(events.record,
    '$.at')), ''))
FROM sessions LEFT JOIN session_events ON session_id = sessions.id LEFT JOIN events USING (key)
GROUP BY 1
"""
_CORRECTIONS = """
SELECT cwd, count(*), sum(length(record)), min(at), max(at) FROM corrections GROUP BY cwd
"""
_TASKS = """
SELECT repository, count(*), sum(length(record)), min(created_at), max(created_at) FROM tasks
GROUP BY repository
"""
_TRIALS = """
SELECT repository, count(*), sum(length(trials.record)), min(started_at), max(started_at)
FROM trials JOIN experiments ON experiments.id = experiment_id
JOIN candidates ON candidates.id = candidate_id GROUP BY repository
"""
_TREES = """
SELECT repository, count(DISTINCT json_extract(record, '$.base.tree')), 0, '', '' FROM tasks
WHERE json_extract(record, '$.base.tree') IS NOT NULL GROUP BY repository
"""
_KINDS = (
    ("sessions", _SESSIONS),
    ("corrections", _CORRECTIONS),
    ("tasks", _TASKS),
    ("trials", _TRIALS),
    ("base trees", _TREES),
)


def counts(store: Executor) -> tuple[Count, ...]:
    """Return the number of rows by folder and kind."""
    return tuple(
        Count(folder or "", kind, rows, size or 0, oldest or "", newest or "")
        for kind, query in _KINDS
        for folder, rows, size, oldest, newest in store.execute(query).fetchall()
    )


def occurrences(store: Executor, placeholder: str) -> int:
    """Return how often an ASCII text occurs in the stored texts."""
    total = 0
    for table in PLACEHOLDER_TABLES:
        row = store.execute(
            "SELECT coalesce(sum(length(record) - length(replace(record, ?, ''))), 0)"
            f" FROM {table} WHERE instr(record, ?)",
            (placeholder, placeholder),
        ).fetchone()
        total += int(row[0]) // len(placeholder)
    for content, digest in store.execute("SELECT content, digest FROM blobs"):
        total += unpack(content, digest).count(placeholder)
    return total


def rows_with_text(store: Executor) -> int:
    """Return the number of rows that `texts` goes through."""
    tables = (*TEXT_TABLES, "blobs")
    return sum(int(store.execute(f"SELECT count(*) FROM {t}").fetchone()[0]) for t in tables)


def texts(store: Executor) -> Iterator[tuple[str, ...]]:
    """Yield the texts of each row that holds text of sessions or trials, a row at a time.

    The first rows are spread evenly over all tables, so that any beginning is a fair sample.
    """
    for portion in range(STRIDE):
        for table in TEXT_TABLES:
            rows = store.execute(
                f"SELECT record FROM {table} WHERE rowid % {STRIDE} = ?", (portion,)
            )
            for (record,) in rows:
                yield tuple(_strings(json.loads(record)))
        rows = store.execute(
            f"SELECT content, digest FROM blobs WHERE rowid % {STRIDE} = ?", (portion,)
        )
        for content, digest in rows:
            yield (unpack(content, digest),)


def _strings(value: Any) -> Iterator[str]:
    """Yield the strings in plain values, keys of objects included: they may be paths."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
