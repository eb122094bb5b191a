"""Experiments and their trials. Trials are appended and never changed."""

import json
from dataclasses import dataclass

from cortex.errors import UsageError
from cortex.model.experiments import ExperimentLock, lock_record, read_lock
from cortex.model.trials import Pair, Trial
from cortex.timestamps import now
from cortex_store import codec
from cortex_store.base import Executor
from cortex_store.pairing import pairs_of


@dataclass(frozen=True, slots=True)
class Experiment:
    """The pairs run for a candidate under one lock."""

    id: str
    candidate_id: str
    lock: ExperimentLock | None
    """None when this version cannot read it."""
    created_at: str


class Experiments:
    """What was run."""

    def __init__(self, store: Executor) -> None:
        self._store = store

    def open(self, experiment_id: str, candidate_id: str, lock: ExperimentLock) -> Experiment:
        """Return the experiment, made when it is not there.

        Raises UsageError when it exists under another lock: its evidence stays as it is.
        """
        text = json.dumps(lock_record(lock), sort_keys=True, ensure_ascii=True)
        with self._store.transaction():
            self._store.execute(
                "INSERT OR IGNORE INTO experiments VALUES (?, ?, ?, ?)",
                (experiment_id, candidate_id, text, now()),
            )
        row = self._store.execute(
            "SELECT id, candidate_id, lock, created_at FROM experiments WHERE id = ?",
            (experiment_id,),
        ).fetchone()
        if row[1:3] != (candidate_id, text):
            raise UsageError(
                f"{experiment_id}: its conditions have changed since it began; its evidence is "
                "kept, but cannot be continued"
            )
        return _experiment(row)

    def for_candidate(self, candidate_id: str) -> tuple[Experiment, ...]:
        """Return all experiments of a candidate, oldest first."""
        rows = self._store.execute(
            "SELECT id, candidate_id, lock, created_at FROM experiments WHERE candidate_id = ?"
            " ORDER BY created_at, id",
            (candidate_id,),
        )
        return tuple(map(_experiment, rows))

    def additions_until(self, repository: str, experiment_id: str | None = None) -> int:
        """Return how many experiments on added text a repository opened, up to and with one.

        Without `experiment_id`: all. The number of an experiment never changes.
        """
        row = self._store.execute(
            "SELECT count(*) FROM experiments JOIN candidates ON candidates.id = candidate_id"
            " WHERE repository = ? AND json_extract(candidates.record, '$.change') = 'add'"
            " AND (? IS NULL OR experiments.rowid <="
            " (SELECT rowid FROM experiments WHERE id = ?))",
            (repository, experiment_id, experiment_id),
        ).fetchone()
        return int(row[0])

    def add_trial(self, trial: Trial) -> None:
        """Append a finished trial."""
        with self._store.transaction():
            self._store.execute(
                "INSERT INTO trials VALUES (?, ?, ?, ?, ?)",
                (
                    trial.id,
                    trial.experiment_id,
                    trial.started_at,
                    trial.cost_usd,
                    codec.dump(trial),
                ),
            )

    def trials(self, experiment_id: str) -> tuple[Trial, ...]:
        """Return the trials of an experiment in the order in which they ended."""
        rows = self._store.execute(
            "SELECT record FROM trials WHERE experiment_id = ? ORDER BY rowid", (experiment_id,)
        )
        return tuple(codec.load(Trial, row[0]) for row in rows)

    def pairs(self, experiment_id: str) -> tuple[Pair, ...]:
        """Return the valid pairs of an experiment in the order in which they were completed."""
        return pairs_of(self.trials(experiment_id))

    def book(self, at: str, usd: float, what: str) -> None:
        """Append what was spent at `at` (ISO 8601) by a trial that is not kept here."""
        with self._store.transaction():
            self._store.execute("INSERT INTO expenses VALUES (?, ?, ?)", (at, usd, what))

    def spent_usd(self, since: str | None = None) -> float:
        """Return what was spent at `since` (ISO 8601) or later: by trials, and what was booked."""
        row = self._store.execute(
            "SELECT (SELECT coalesce(sum(cost_usd), 0.0) FROM trials WHERE started_at >= ?)"
            " + (SELECT coalesce(sum(usd), 0.0) FROM expenses WHERE at >= ?)",
            (since or "", since or ""),
        ).fetchone()
        return float(row[0])

    def mean_cost_usd(self, last: int = 200) -> float | None:
        """Return the mean cost of the newest trials that reported one."""
        row = self._store.execute(
            "SELECT avg(cost_usd) FROM (SELECT cost_usd FROM trials WHERE cost_usd IS NOT NULL"
            " ORDER BY rowid DESC LIMIT ?)",
            (last,),
        ).fetchone()
        return None if row[0] is None else float(row[0])


def _experiment(row: tuple[str, str, str, str]) -> Experiment:
    return Experiment(row[0], row[1], read_lock(json.loads(row[2])), row[3])
