"""Corrections, tasks and candidates: what is measured, and on what."""

from dataclasses import replace

from cortex.model.artifacts import Candidate, CandidateStatus
from cortex.model.corrections import Correction
from cortex.model.tasks import Task, TaskStatus
from cortex_store import codec
from cortex_store.base import Executor, within


class Corrections:
    """What developers corrected; never deleted, only dismissed."""

    def __init__(self, store: Executor) -> None:
        self._store = store

    def put(self, correction: Correction) -> None:
        """Insert a correction; a stored one is left as it is."""
        with self._store.transaction():
            self._store.execute(
                "INSERT OR IGNORE INTO corrections VALUES (?, ?, ?, ?, ?, ?)",
                (
                    correction.id,
                    correction.session_id,
                    correction.cwd,
                    correction.at,
                    correction.dismissed,
                    codec.dump(correction),
                ),
            )

    def get(self, correction_id: str) -> Correction | None:
        """Return a correction."""
        row = self._store.execute(
            "SELECT record, dismissed FROM corrections WHERE id = ?", (correction_id,)
        ).fetchone()
        return _correction(*row) if row else None

    def all(
        self, repository: str | None = None, *, include_dismissed: bool = False
    ) -> tuple[Correction, ...]:
        """Return corrections made in a folder or below it, oldest first."""
        where, parameters = within("cwd", repository)
        rows = self._store.execute(
            f"SELECT record, dismissed FROM corrections WHERE {where} AND dismissed <= ?"
            " ORDER BY at, id",
            (*parameters, include_dismissed),
        )
        return tuple(_correction(*row) for row in rows)

    def knows(self, correction_id: str) -> bool:
        """Whether a correction is stored."""
        row = self._store.execute(
            "SELECT 1 FROM corrections WHERE id = ?", (correction_id,)
        ).fetchone()
        return row is not None

    def without_fact(self, name: str) -> tuple[Correction, ...]:
        """Return those, oldest first, for which `KeyValue` has no `<name> <correction id>`."""
        rows = self._store.execute(
            "SELECT record, dismissed FROM corrections WHERE NOT dismissed AND NOT EXISTS"
            " (SELECT 1 FROM meta WHERE key = ? || ' ' || corrections.id) ORDER BY at, id",
            (name,),
        )
        return tuple(_correction(*row) for row in rows)

    def dismiss(self, correction_id: str) -> None:
        """Dismiss a correction for good."""
        with self._store.transaction():
            self._store.execute(
                "UPDATE corrections SET dismissed = 1 WHERE id = ?", (correction_id,)
            )


def _correction(record: str, dismissed: int) -> Correction:
    return replace(codec.load(Correction, record), dismissed=bool(dismissed))


class Tasks:
    """The task suite."""

    def __init__(self, store: Executor) -> None:
        self._store = store

    def put(self, task: Task) -> None:
        """Insert a task or replace it; a dismissed task stays dismissed."""
        with self._store.transaction():
            self._store.execute(
                "INSERT INTO tasks VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET"
                " repository = excluded.repository, record = excluded.record,"
                " created_at = excluded.created_at, status = CASE status WHEN 'dismissed'"
                " THEN status ELSE excluded.status END, reason = CASE status WHEN 'dismissed'"
                " THEN reason ELSE excluded.reason END",
                (
                    task.id,
                    task.base.repository,
                    task.status.value,
                    task.reason,
                    task.created_at,
                    codec.dump(task),
                ),
            )

    def get(self, task_id: str) -> Task | None:
        """Return a task."""
        row = self._store.execute(
            "SELECT record, status, reason FROM tasks WHERE id = ?", (task_id,)
        ).fetchone()
        return _task(*row) if row else None

    def all(
        self, repository: str | None = None, status: TaskStatus | None = None
    ) -> tuple[Task, ...]:
        """Return the tasks of a repository, oldest first."""
        where, parameters = within("repository", repository)
        state = status.value if status else None
        rows = self._store.execute(
            f"SELECT record, status, reason FROM tasks WHERE {where} AND (? IS NULL OR status = ?)"
            " ORDER BY created_at, id",
            (*parameters, state, state),
        )
        return tuple(_task(*row) for row in rows)

    def status(self, task_id: str) -> TaskStatus | None:
        """Return the status of a task, None without one."""
        row = self._store.execute("SELECT status FROM tasks WHERE id = ?", (task_id,)).fetchone()
        return TaskStatus(row[0]) if row else None

    def set_status(self, task_id: str, status: TaskStatus, reason: str) -> None:
        """Set the status of a task."""
        with self._store.transaction():
            self._store.execute(
                "UPDATE tasks SET status = ?, reason = ? WHERE id = ?",
                (status.value, reason, task_id),
            )


def _task(record: str, status: str, reason: str) -> Task:
    return replace(codec.load(Task, record), status=TaskStatus(status), reason=reason)


_WAITING = (
    CandidateStatus.PROPOSED,
    CandidateStatus.UNDECIDED,
    CandidateStatus.KEPT,
    CandidateStatus.BURIED,
    CandidateStatus.PRUNED,
)
"""Candidates with these may need a decision."""


class Candidates:
    """Proposed changes."""

    def __init__(self, store: Executor) -> None:
        self._store = store

    def put(self, repository: str, candidate: Candidate) -> None:
        """Insert a candidate or replace it."""
        with self._store.transaction():
            self._store.execute(
                "INSERT INTO candidates VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET"
                " status = excluded.status, record = excluded.record",
                (
                    candidate.id,
                    repository,
                    candidate.status.value,
                    candidate.created_at,
                    codec.dump(candidate),
                ),
            )

    def get(self, candidate_id: str) -> Candidate | None:
        """Return a candidate."""
        row = self._store.execute(
            "SELECT record, status FROM candidates WHERE id = ?", (candidate_id,)
        ).fetchone()
        return _candidate(*row) if row else None

    def repository_of(self, candidate_id: str) -> str | None:
        """Return the repository that a candidate is for."""
        row = self._store.execute(
            "SELECT repository FROM candidates WHERE id = ?", (candidate_id,)
        ).fetchone()
        return str(row[0]) if row else None

    def all(
        self, repository: str | None = None, status: CandidateStatus | None = None
    ) -> tuple[Candidate, ...]:
        """Return candidates, oldest first."""
        where, parameters = within("repository", repository)
        state = status.value if status else None
        rows = self._store.execute(
            f"SELECT record, status FROM candidates WHERE {where} AND (? IS NULL OR status = ?)"
            " ORDER BY created_at, id",
            (*parameters, state, state),
        )
        return tuple(_candidate(*row) for row in rows)

    def pending(self, repository: str, limit: int = 500) -> tuple[Candidate, ...]:
        """Return the newest candidates without a decision, newest first."""
        rows = self._store.execute(
            "SELECT record, status FROM candidates WHERE repository = ?"
            f" AND status IN ({', '.join('?' * len(_WAITING))})"
            " AND NOT EXISTS (SELECT 1 FROM decisions WHERE candidate_id = candidates.id)"
            " ORDER BY created_at DESC, id LIMIT ?",
            (repository, *(status.value for status in _WAITING), limit),
        )
        return tuple(_candidate(*row) for row in rows)

    def record_decision(self, candidate_id: str, decision: str, at: str) -> None:
        """Record a decision about a candidate, unless it was purged meanwhile."""
        with self._store.transaction():
            self._store.execute(
                "INSERT OR REPLACE INTO decisions SELECT id, ?, ? FROM candidates"
                " WHERE id = ? AND status <> 'purged'",
                (at, decision, candidate_id),
            )

    def decided_as(self, decision: str) -> frozenset[str]:
        """Return the candidates with this decision."""
        rows = self._store.execute(
            "SELECT candidate_id FROM decisions WHERE decision = ?", (decision,)
        )
        return frozenset(str(row[0]) for row in rows)

    def clear_decision(self, candidate_id: str) -> None:
        """Make a candidate pending again."""
        with self._store.transaction():
            self._store.execute("DELETE FROM decisions WHERE candidate_id = ?", (candidate_id,))

    def set_status(self, candidate_id: str, status: CandidateStatus) -> None:
        """Set the status of a candidate."""
        with self._store.transaction():
            self._store.execute(
                "UPDATE candidates SET status = ? WHERE id = ?", (status.value, candidate_id)
            )


def _candidate(record: str, status: str) -> Candidate:
    return replace(codec.load_candidate(record), status=CandidateStatus(status))
