"""Rows for lists and counts, read without pydantic: its import takes longer than a whole command.

Records are read as plain JSON here, and only the fields that a list shows.
"""

import json
from dataclasses import dataclass

from cortex.model.artifacts import Candidate
from cortex_store import codec
from cortex_store.base import Executor, within

_FOLDER = {
    "corrections": ("cwd", "NOT dismissed"),
    "tasks": ("repository", "1"),
    "verdicts": ("repository", "1"),
}
"""Column with the folder, and which rows count."""


@dataclass(frozen=True)
class TaskRow:
    """A task as a list shows it."""

    id: str
    status: str
    reason: str
    prompt: str
    checks: int
    correction: str = ""
    """The words of its first correction."""


@dataclass(frozen=True)
class VerdictSummary:
    """A verdict and its candidate as a list shows them."""

    id: str
    ruling: str
    candidate: Candidate | None
    """None when it is not in this database any more."""
    pairs: int
    lift: float
    e_value: float
    created_at: str


class Listing:
    """Counts and rows of a repository; of all repositories for None."""

    def __init__(self, store: Executor) -> None:
        self._store = store

    def sessions(self, repository: str | None) -> int:
        """Return the number of sessions, without Cortex's own trials."""
        folder = "json_extract(record, '$.cwd')"
        query, parameters = "SELECT count(*) FROM sessions WHERE own = 0", ()
        if repository is None:
            return self._number(query, parameters)
        below = repository.rstrip("/")
        inside = (repository, f"{below}/", f"{below}0")
        return self._number(f"{query} AND {folder} = ?", inside[:1]) + self._number(
            f"{query} AND {folder} >= ? AND {folder} < ?", inside[1:]
        )

    def corrections(self, repository: str | None) -> int:
        """Return the number of corrections that were not dismissed."""
        where, parameters = within("cwd", repository)
        query = f"SELECT count(*) FROM corrections WHERE NOT dismissed AND {where}"
        return self._number(query, parameters)

    def tasks_by_status(self, repository: str | None) -> dict[str, int]:
        """Return the number of tasks by status."""
        where, parameters = within("repository", repository)
        query = f"SELECT status, count(*) FROM tasks WHERE {where} GROUP BY status ORDER BY status"
        return dict(self._store.execute(query, parameters).fetchall())

    def verdicts_by_ruling(self, repository: str | None) -> dict[str, int]:
        """Return the number of candidates by the ruling of their newest verdict."""
        where, parameters = within("repository", repository)
        query = (
            "SELECT ruling, count(*) FROM verdicts WHERE rowid IN"
            f" (SELECT max(rowid) FROM verdicts WHERE {where} GROUP BY candidate_id)"
            " GROUP BY ruling ORDER BY min(rowid)"
        )
        return dict(self._store.execute(query, parameters).fetchall())

    def by_folder(self, table: str) -> dict[str, int]:
        """Return the number of corrections, tasks or verdicts by folder, the most first."""
        column, condition = _FOLDER[table]
        rows = self._store.execute(
            f"SELECT {column}, count(*) FROM {table} WHERE {condition} AND {column} <> ''"
            f" GROUP BY {column} ORDER BY count(*) DESC, {column}"
        )
        return dict(rows.fetchall())

    def tasks(self, repository: str | None, status: str | None = None) -> tuple[TaskRow, ...]:
        """Return tasks, oldest first."""
        where, parameters = within("repository", repository)
        rows = self._store.execute(
            "SELECT tasks.id, status, reason, tasks.record, corrections.record FROM tasks"
            " LEFT JOIN corrections"
            " ON corrections.id = json_extract(tasks.record, '$.correction_ids[0]')"
            f" WHERE {where} AND (? IS NULL OR status = ?) ORDER BY created_at, tasks.id",
            (*parameters, status, status),
        )
        return tuple(_task(*row) for row in rows)

    def verdicts(self, repository: str | None) -> tuple[VerdictSummary, ...]:
        """Return verdicts, newest last."""
        where, parameters = within("verdicts.repository", repository)
        rows = self._store.execute(
            "SELECT verdicts.id, ruling, verdicts.record, candidates.record, verdicts.created_at"
            " FROM verdicts LEFT JOIN candidates ON candidates.id = candidate_id"
            f" WHERE {where} ORDER BY verdicts.rowid",
            parameters,
        )
        return tuple(_summary(*row) for row in rows)

    def _number(self, query: str, parameters: tuple[str | int, ...]) -> int:
        return int(self._store.execute(query, parameters).fetchone()[0])


def _task(task_id: str, status: str, reason: str, record: str, correction: str | None) -> TaskRow:
    values = json.loads(record)
    words = json.loads(correction)["content"] if correction else ""
    return TaskRow(task_id, status, reason, values["prompt"], len(values.get("checks", ())), words)


def _summary(
    verdict_id: str, ruling: str, record: str, candidate: str | None, created_at: str
) -> VerdictSummary:
    values = json.loads(record)
    return VerdictSummary(
        verdict_id,
        ruling,
        codec.load_candidate(candidate) if candidate else None,
        values["pairs"],
        values["lift"],
        values["e_value"],
        created_at,
    )
