"""Which rows a purge removes, and which it only empties: sets of ids in temporary tables.

Works on a read-only store too, so that a dry run and a purge count the same rows.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass

from cortex.digests import digest_exact
from cortex_store.base import Executor, within

_TABLES = (
    "purge_session (id TEXT PRIMARY KEY)",
    "purge_event (key TEXT PRIMARY KEY)",
    "purge_correction (id TEXT PRIMARY KEY)",
    "purge_task (id TEXT PRIMARY KEY)",
    "purge_prompt (text TEXT PRIMARY KEY)",
    "purge_candidate (id TEXT PRIMARY KEY)",
    "purge_experiment (id TEXT PRIMARY KEY)",
    "purge_trial (id TEXT PRIMARY KEY)",
    "purge_previous (number INTEGER PRIMARY KEY)",
    "kept_task (id TEXT PRIMARY KEY)",
    "kept_candidate (id TEXT PRIMARY KEY)",
)
"""`kept_…` are those of `purge_…` whose row stays, without its texts."""
_QUOTED_WORDS, _FEWEST_WORDS = 6, 3
"""So many words of a correction in a row are a quotation of it; of a shorter one all, from 3 on."""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Selection:
    """What a person wants to be removed."""

    sessions: frozenset[str] = frozenset()
    """Ids of sessions; those of their sub-agents belong to them."""
    repository: str | None = None
    """Folder of which everything goes, verdicts too."""
    paths: frozenset[str] = frozenset()
    """Transcripts of these sessions that could not be read."""


class PurgeScope:
    """The rows that belong to a selection, as temporary tables of the connection."""

    def __init__(self, store: Executor, selection: Selection) -> None:
        self._store = store
        self._repository = selection.repository
        self.paths = selection.paths
        for table in _TABLES:
            name = table.split()[0]
            store.execute(f"DROP TABLE IF EXISTS temp.{name}")
            store.execute(f"CREATE TEMP TABLE {table}")
        self._insert("purge_session", selection.sessions)
        self._collect()

    def ids(self, table: str) -> frozenset[str]:
        """Return the ids in one of the temporary tables."""
        return frozenset(str(row[0]) for row in self._store.execute(f"SELECT * FROM temp.{table}"))

    def experiments(self) -> tuple[str, ...]:
        """Return the experiments on purged candidates, and those that run purged tasks."""
        rows = self._store.execute(
            "SELECT id FROM experiments WHERE id IN temp.purge_experiment OR EXISTS (SELECT 1 FROM"
            " json_each(lock, '$.specs') AS spec WHERE json_extract(spec.value, '$.id')"
            " IN temp.purge_task)"
        )
        return tuple(str(row[0]) for row in rows)

    def sharing(self) -> tuple[str, ...]:
        """Return other sessions, such as forks, that keep lines which the purged ones have too."""
        rows = self._store.execute(
            "SELECT DISTINCT session_id FROM session_events WHERE session_id NOT IN"
            " temp.purge_session AND key IN (SELECT key FROM session_events WHERE session_id IN"
            " temp.purge_session) ORDER BY session_id"
        )
        return tuple(str(row[0]) for row in rows)

    def _insert(self, table: str, ids: Iterable[str]) -> None:
        for each in ids:
            self._store.execute(f"INSERT OR IGNORE INTO temp.{table} VALUES (?)", (each,))

    def _add(self, table: str, query: str, parameters: Iterable[object] = ()) -> None:
        self._store.execute(f"INSERT OR IGNORE INTO temp.{table} {query}", tuple(parameters))

    def _below(self, column: str) -> tuple[str, tuple[str | int, ...]]:
        """Return the condition that a row lies in the repository that is purged whole."""
        return within(column, self._repository) if self._repository is not None else ("0", ())

    def _collect(self) -> None:
        self._sessions_and_events()
        self._corrections_and_tasks()
        self._own_sessions()
        self._candidates()
        self._trials()
        self._previous()

    def _sessions_and_events(self) -> None:
        folder, below = self._below("json_extract(record, '$.cwd')")
        self._add("purge_session", f"SELECT id FROM sessions WHERE {folder}", below)
        self._add(
            "purge_session",
            "SELECT id FROM sessions WHERE instr(id, '/')"
            " AND substr(id, 1, instr(id, '/') - 1) IN temp.purge_session",
        )
        self._events()

    def _events(self) -> None:
        self._add(
            "purge_event",
            "SELECT key FROM session_events WHERE session_id IN temp.purge_session"
            " EXCEPT SELECT key FROM session_events WHERE session_id NOT IN temp.purge_session",
        )

    def _corrections_and_tasks(self) -> None:
        folder, below = self._below("cwd")
        self._add(
            "purge_correction",
            "SELECT id FROM corrections WHERE session_id IN temp.purge_session"
            " OR json_extract(record, '$.later_session_id') IN temp.purge_session"
            f" OR json_extract(record, '$.uuid') IN temp.purge_event OR {folder}",
            below,
        )
        folder, below = self._below("repository")
        self._add(
            "purge_task",
            "SELECT id FROM tasks WHERE json_extract(record, '$.session_id')"
            " IN temp.purge_session OR EXISTS (SELECT 1 FROM"
            " json_each(tasks.record, '$.correction_ids') WHERE value IN temp.purge_correction)"
            f" OR {folder}",
            below,
        )

    def _own_sessions(self) -> None:
        """Add transcripts of Cortex's own runs of the tasks: their prompts tell them."""
        rows = self._store.execute(
            "SELECT json_extract(record, '$.prompt') FROM tasks WHERE id IN temp.purge_task"
        ).fetchall()
        for prompt in {str(row[0]) for row in rows if row[0]}:
            self._insert("purge_prompt", (prompt, digest_exact(prompt)))
        self._add(
            "purge_session",
            "SELECT sessions.id FROM sessions JOIN session_events ON session_id = sessions.id"
            " JOIN events USING (key) WHERE own = 1"
            " AND json_extract(events.record, '$.event') = 'Prompted'"
            " AND (json_extract(events.record, '$.text') IN temp.purge_prompt"
            " OR json_extract(events.record, '$.text.blob') IN temp.purge_prompt)",
        )
        self._events()

    def _candidates(self) -> None:
        folder, below = self._below("repository")
        self._add("purge_candidate", f"SELECT id FROM candidates WHERE {folder}", below)
        whole = self.ids("purge_candidate")
        self._insert("purge_candidate", self._derived())
        self._insert(
            "kept_candidate",
            (
                str(row[0])
                for row in self._store.execute(
                    "SELECT DISTINCT candidate_id FROM experiments"
                    " WHERE candidate_id IN temp.purge_candidate"
                ).fetchall()
                if row[0] not in whole
            ),
        )
        self._add(
            "kept_task",
            "SELECT purge_task.id FROM temp.purge_task WHERE id IN"
            " (SELECT json_extract(spec.value, '$.id') FROM experiments,"
            " json_each(lock, '$.specs') AS spec WHERE candidate_id NOT IN temp.purge_candidate"
            " OR candidate_id IN temp.kept_candidate)",
        )

    def _derived(self) -> set[str]:
        """Return the candidates written from the corrections: by their tasks, or by a quotation.

        A removal of the same text as such a candidate is one of them.
        """
        tasks, quoted = self.ids("purge_task"), _Quotations(self._contents())
        records = {
            str(key): json.loads(record)
            for key, record in self._store.execute(
                "SELECT id, record FROM candidates WHERE status <> 'purged'"
            )
        }
        derived = {
            key
            for key, record in records.items()
            if tasks.intersection(record.get("task_ids", ()))
            or (record.get("writer") != "person" and quoted.within(_text_of(record)))
        }
        digests = {records[key]["artifact"]["digest"] for key in derived}
        return {key for key, record in records.items() if record["artifact"]["digest"] in digests}

    def _contents(self) -> tuple[str, ...]:
        rows = self._store.execute(
            "SELECT json_extract(record, '$.content') FROM corrections"
            " WHERE id IN temp.purge_correction"
        )
        return tuple(str(row[0]) for row in rows if row[0])

    def _trials(self) -> None:
        self._add(
            "purge_experiment",
            "SELECT id FROM experiments WHERE candidate_id IN temp.purge_candidate",
        )
        self._add(
            "purge_trial",
            "SELECT id FROM trials WHERE experiment_id IN temp.purge_experiment"
            " OR json_extract(record, '$.task_id') IN temp.purge_task",
        )

    def _previous(self) -> None:
        """Add previous contents of harness files that hold the text of a purged candidate."""
        folder, below = self._below("repository")
        self._add("purge_previous", f"SELECT number FROM previous WHERE {folder}", below)
        rows = self._store.execute(
            "SELECT json_extract(record, '$.artifact.text') FROM candidates"
            " WHERE id IN temp.purge_candidate"
        ).fetchall()
        texts = [str(row[0]).strip() for row in rows if row[0] and str(row[0]).strip()]
        numbers = self._store.execute(
            "SELECT number, digest FROM previous WHERE digest IS NOT NULL"
        ).fetchall()
        for number, digest in numbers if texts else ():
            content = self._store.blobs.get(digest)
            if any(text in content for text in texts):
                self._insert("purge_previous", (number,))


class _Quotations:
    """Finds the words of corrections in other texts."""

    def __init__(self, contents: Iterable[str]) -> None:
        self._runs: dict[int, set[tuple[str, ...]]] = {}
        for content in contents:
            words = _words(content)
            size = min(len(words), _QUOTED_WORDS)
            if size >= _FEWEST_WORDS:
                self._runs.setdefault(size, set()).update(_runs(words, size))

    def within(self, text: str) -> bool:
        """Whether a text repeats a short correction, or some words in a row of a longer one."""
        words = _words(text)
        return any(not runs.isdisjoint(_runs(words, size)) for size, runs in self._runs.items())


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _runs(words: list[str], size: int) -> Iterable[tuple[str, ...]]:
    return (tuple(words[at : at + size]) for at in range(len(words) - size + 1))


def _text_of(record: dict[str, object]) -> str:
    artifact = record["artifact"]
    assert isinstance(artifact, dict)
    parts = (record.get("title"), record.get("rationale"), artifact.get("text"))
    return "\n".join(str(part) for part in (*parts, artifact.get("description")) if part)
