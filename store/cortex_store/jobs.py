"""The queue of the daemon. A job is claimed by one daemon at a time."""

from cortex.model.jobs import Job, JobStatus
from cortex_store.base import Executor, within

_COLUMNS = (
    "id, repository, candidate_id, budget_usd, status, note, created_at, started_at,"
    " finished_at, owner"
)
Row = tuple[int, str, str, float | None, str, str, str, str | None, str | None, str | None]


class Jobs:
    """Queued, running and finished jobs."""

    def __init__(self, store: Executor) -> None:
        self._store = store

    def add(self, repository: str, candidate_id: str, budget_usd: float | None, at: str) -> Job:
        """Queue an experiment; a queued or running job of the same candidate is returned."""
        with self._store.transaction():
            row = self._store.execute(
                f"SELECT {_COLUMNS} FROM jobs WHERE candidate_id = ?"
                " AND status IN ('queued', 'running')",
                (candidate_id,),
            ).fetchone()
            if row is None:
                row = self._store.execute(
                    "INSERT INTO jobs (repository, candidate_id, budget_usd, status, note,"
                    f" created_at) VALUES (?, ?, ?, 'queued', '', ?) RETURNING {_COLUMNS}",
                    (repository, candidate_id, budget_usd, at),
                ).fetchone()
        return _job(row)

    def claim(self, owner: str, at: str) -> Job | None:
        """Claim the oldest queued job; None when there is none."""
        with self._store.transaction():
            row = self._store.execute(
                "UPDATE jobs SET status = 'running', owner = ?, started_at = ? WHERE id ="
                " (SELECT id FROM jobs WHERE status = 'queued' ORDER BY id LIMIT 1)"
                f" RETURNING {_COLUMNS}",
                (owner, at),
            ).fetchone()
        return _job(row) if row else None

    def finish(self, job_id: int, status: JobStatus, note: str, at: str) -> None:
        """Say what came of a job."""
        with self._store.transaction():
            self._store.execute(
                "UPDATE jobs SET status = ?, note = ?, finished_at = ? WHERE id = ?",
                (status.value, note, at, job_id),
            )

    def requeue_orphans(self, live_owner: str) -> int:
        """Requeue running jobs of any owner but `live_owner`; return how many."""
        with self._store.transaction():
            done = self._store.execute(
                "UPDATE jobs SET status = 'queued', owner = NULL, started_at = NULL"
                " WHERE status = 'running' AND owner IS NOT ?",
                (live_owner,),
            )
        return done.rowcount

    def cancel(self, job_id: int, at: str) -> bool:
        """Remove a job from the queue; False when it is not queued any more."""
        with self._store.transaction():
            done = self._store.execute(
                "UPDATE jobs SET status = 'cancelled', finished_at = ?"
                " WHERE id = ? AND status = 'queued'",
                (at, job_id),
            )
        return done.rowcount == 1

    def all(self, repository: str | None = None, limit: int = 200) -> tuple[Job, ...]:
        """Return the newest jobs, oldest first."""
        where, parameters = within("repository", repository)
        rows = self._store.execute(
            f"SELECT {_COLUMNS} FROM jobs WHERE {where} ORDER BY id DESC LIMIT ?",
            (*parameters, limit),
        ).fetchall()
        return tuple(_job(row) for row in reversed(rows))


def _job(row: Row) -> Job:
    number, repository, candidate_id, budget, status, note, created, started, finished, owner = row
    return Job(
        number,
        repository,
        candidate_id,
        budget,
        JobStatus(status),
        note,
        created,
        started,
        finished,
        owner,
    )
