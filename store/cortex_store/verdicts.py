"""Verdicts, appended and never changed."""

from cortex.model.verdicts import Ruling, Verdict
from cortex_store import codec
from cortex_store.base import Executor, within


class Verdicts:
    """Verdicts of the gate."""

    def __init__(self, store: Executor) -> None:
        self._store = store

    def add(self, repository: str, verdict: Verdict) -> None:
        """Append a verdict."""
        with self._store.transaction():
            self._store.execute(
                "INSERT INTO verdicts VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    verdict.id,
                    repository,
                    verdict.candidate_id,
                    verdict.experiment_id,
                    verdict.ruling.value,
                    verdict.created_at,
                    codec.dump(verdict),
                ),
            )

    def get(self, verdict_id: str) -> Verdict | None:
        """Return a verdict."""
        row = self._store.execute(
            "SELECT record FROM verdicts WHERE id = ?", (verdict_id,)
        ).fetchone()
        return codec.load(Verdict, row[0]) if row else None

    def latest(self, candidate_id: str) -> Verdict | None:
        """Return the newest verdict of a candidate."""
        row = self._store.execute(
            "SELECT record FROM verdicts WHERE candidate_id = ? ORDER BY rowid DESC LIMIT 1",
            (candidate_id,),
        ).fetchone()
        return codec.load(Verdict, row[0]) if row else None

    def latest_ruling(self, candidate_id: str) -> Ruling | None:
        """Return the ruling of the newest verdict of a candidate."""
        row = self._store.execute(
            "SELECT ruling FROM verdicts WHERE candidate_id = ? ORDER BY rowid DESC LIMIT 1",
            (candidate_id,),
        ).fetchone()
        return Ruling(row[0]) if row else None

    def kept(self, repository: str, besides: str | None = None) -> int:
        """Return how many experiments of a repository, other than `besides`, ended with a keep."""
        row = self._store.execute(
            "SELECT count(DISTINCT experiment_id) FROM verdicts WHERE repository = ?"
            " AND ruling = 'keep' AND experiment_id IS NOT ?",
            (repository, besides),
        ).fetchone()
        return int(row[0])

    def all(self, repository: str | None = None) -> tuple[Verdict, ...]:
        """Return the verdicts of a repository, newest last."""
        where, parameters = within("repository", repository)
        rows = self._store.execute(
            f"SELECT record FROM verdicts WHERE {where} ORDER BY rowid", parameters
        )
        return tuple(codec.load(Verdict, row[0]) for row in rows)
