"""Removing the rows of a purge, in one transaction: deleted, or emptied where a verdict rests on
them."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from cortex.model.artifacts import Artifact, ArtifactKind, Candidate, CandidateStatus
from cortex.model.tasks import BaseTree, CheckResult, Task, TaskStatus
from cortex.model.trials import Trial
from cortex.model.verdicts import Verdict
from cortex_store import codec
from cortex_store.database import Store
from cortex_store.purge_marks import PENDING, PURGED, set_mark
from cortex_store.purge_scope import PurgeScope

_APPEND_ONLY = ("trials", "verdicts", "previous")
_PLACES = {
    ArtifactKind.SKILL: ".claude/skills/purged/SKILL.md",
    ArtifactKind.RULE: ".claude/rules/purged.md",
    ArtifactKind.SECTION: "CLAUDE.md",
}
_STOPPED = re.compile(r" Stopped: the agent could not be run.*\Z", re.DOTALL)
"""What a verdict's reason quotes of a trial."""
_BLOB = re.compile(r'\{"blob":"([0-9a-f]{64})"\}')


@dataclass(frozen=True, slots=True)
class Amount:
    """Rows of a kind."""

    kind: str
    deleted: int
    emptied: int
    """Rows that stay without their texts."""
    size: int
    """Bytes of the records and their texts."""


_KINDS = (
    ("sessions", "sessions", "id IN temp.purge_session", "0"),
    ("events", "events", "key IN temp.purge_event", "0"),
    ("corrections", "corrections", "id IN temp.purge_correction", "0"),
    ("tasks", "tasks", "id IN temp.purge_task", "id IN temp.kept_task"),
    ("candidates", "candidates", "id IN temp.purge_candidate", "id IN temp.kept_candidate"),
    (
        "experiments",
        "experiments",
        "candidate_id IN temp.purge_candidate AND candidate_id NOT IN temp.kept_candidate",
        "0",
    ),
    (
        "trials",
        "trials",
        "id IN temp.purge_trial",
        "experiment_id NOT IN (SELECT id FROM experiments WHERE candidate_id IN"
        " temp.purge_candidate AND candidate_id NOT IN temp.kept_candidate)",
    ),
    (
        "verdicts",
        "verdicts",
        "candidate_id IN temp.purge_candidate AND candidate_id NOT IN temp.kept_candidate",
        "0",
    ),
)
_SIZES = {"experiments": "length(lock)"}


def amounts(store: Store) -> tuple[Amount, ...]:
    """Return what a purge of the current scope removes, by kind, without kinds that have no row."""
    counted = []
    for kind, table, condition, emptied in _KINDS:
        size = _SIZES.get(table, "length(record)")
        row = store.execute(
            f"SELECT count(*), coalesce(sum({emptied}), 0), coalesce(sum({size}), 0) FROM {table}"
            f" WHERE {condition}"
        ).fetchone()
        extra = _texts(store) if kind == "events" else 0
        counted.append(Amount(kind, row[0] - row[1], row[1], row[2] + extra))
    for kind, query in (
        ("jobs", "jobs WHERE candidate_id IN temp.purge_candidate"),
        ("file history", "previous WHERE number IN temp.purge_previous"),
    ):
        number = store.execute(f"SELECT count(*) FROM {query}").fetchone()[0]
        counted.append(Amount(kind, number, 0, 0))
    return tuple(amount for amount in counted if amount.deleted or amount.emptied)


def _texts(store: Store) -> int:
    """Return the bytes of large texts that only the purged events use."""
    sizes = dict(store.execute("SELECT digest, size FROM blobs").fetchall())
    alone = _digests(store, "IN") - _digests(store, "NOT IN")
    return sum(int(sizes.get(digest, 0)) for digest in alone)


def _digests(store: Store, within: str) -> set[str]:
    rows = store.execute(
        f"SELECT record FROM events WHERE key {within} temp.purge_event"
        " AND instr(record, '{\"blob\":')"
    )
    return {digest for (record,) in rows for digest in _BLOB.findall(record)}


def delete(store: Store, scope: PurgeScope, repository: str | None, at: str) -> None:
    """Delete and empty the rows of the scope, inside of a transaction that `prepared` came before.

    `repository` is the folder of which everything goes; `at` the time, which marks bear as a day.
    """
    others = scope.sharing()
    with _writable(store):
        _book_costs(store)
        _delete_rows(store)
        _delete_facts(store, scope, others, repository)
        _empty_tasks(store, scope, at)
        _empty_candidates(store, scope, at)
        _empty_trials(store)
    _delete_blobs(store)
    for session_id in {each.split("/")[0] for each in scope.ids("purge_session")}:
        set_mark(store, session_id, at)
    store.key_values.set(PENDING, at)


@contextmanager
def _writable(store: Store) -> Iterator[None]:
    """Lift the append-only triggers; the transaction around it puts them back whatever happens."""
    triggers = store.execute(
        "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name IN"
        f" ({', '.join('?' * len(_APPEND_ONLY))})",
        _APPEND_ONLY,
    ).fetchall()
    for name, _ in triggers:
        store.execute(f"DROP TRIGGER {name}")
    yield
    for _, sql in triggers:
        store.execute(sql)


def _empty_tasks(store: Store, scope: PurgeScope, at: str) -> None:
    for task_id in scope.ids("kept_task"):
        row = store.execute("SELECT record FROM tasks WHERE id = ?", (task_id,)).fetchone()
        store.execute(
            "UPDATE tasks SET status = ?, reason = ?, record = ? WHERE id = ?",
            (
                TaskStatus.PURGED.value,
                f"purged on {at[:10]}",
                codec.dump(_emptied_task(codec.load(Task, row[0]))),
                task_id,
            ),
        )


def _empty_candidates(store: Store, scope: PurgeScope, at: str) -> None:
    for key in scope.ids("kept_candidate"):
        row = store.execute("SELECT record FROM candidates WHERE id = ?", (key,)).fetchone()
        emptied = codec.dump(_emptied_candidate(codec.load_candidate(row[0])))
        status = CandidateStatus.PURGED.value
        store.execute(
            "UPDATE candidates SET status = ?, record = ? WHERE id = ?", (status, emptied, key)
        )
        store.execute("INSERT OR REPLACE INTO decisions VALUES (?, ?, ?)", (key, at, PURGED))


def _empty_trials(store: Store) -> None:
    """Empty the trials, and what the reasons of verdicts and notes of jobs quote of them."""
    rows = store.execute("SELECT id FROM trials WHERE id IN temp.purge_trial").fetchall()
    for (trial_id,) in rows:
        row = store.execute("SELECT record FROM trials WHERE id = ?", (trial_id,)).fetchone()
        emptied = codec.dump(_emptied_trial(codec.load(Trial, row[0])))
        store.execute("UPDATE trials SET record = ? WHERE id = ?", (emptied, trial_id))
    store.execute(
        "UPDATE jobs SET note = '' WHERE instr(note, 'the agent could not be run')"
        " AND candidate_id IN (SELECT candidate_id FROM experiments WHERE id IN"
        " (SELECT experiment_id FROM trials WHERE id IN temp.purge_trial))"
    )
    rows = store.execute(
        "SELECT id, record FROM verdicts WHERE experiment_id IN"
        " (SELECT experiment_id FROM trials WHERE id IN temp.purge_trial)"
    ).fetchall()
    for verdict_id, record in rows:
        verdict = codec.load(Verdict, record)
        reason = _STOPPED.sub("", verdict.reason)
        if reason != verdict.reason:
            emptied = codec.dump(replace(verdict, reason=reason))
            store.execute("UPDATE verdicts SET record = ? WHERE id = ?", (emptied, verdict_id))


def _emptied_task(task: Task) -> Task:
    base = BaseTree(task.base.repository, None)
    return Task(task.id, "", base, (), (), held_out=task.held_out, created_at=task.created_at)


def _emptied_candidate(candidate: Candidate) -> Candidate:
    artifact = candidate.artifact
    empty = Artifact(
        agent=artifact.agent,
        kind=artifact.kind,
        path=_PLACES[artifact.kind],
        text="",
        digest=artifact.digest,
        heading=PURGED if artifact.kind is ArtifactKind.SECTION else None,
    )
    return replace(candidate, artifact=empty, title=PURGED, rationale="")


def _emptied_trial(trial: Trial) -> Trial:
    checks = tuple(CheckResult("", check.passed, broken=check.broken) for check in trial.checks)
    return replace(trial, checks=checks, detail="", changed={}, commands=())


def _book_costs(store: Store) -> None:
    """Keep what the deleted trials cost by day: a budget of the day still counts them."""
    store.execute(
        "INSERT INTO expenses SELECT substr(started_at, 1, 10) || 'T00:00:00.000Z',"
        " sum(cost_usd), 'purged trials' FROM trials WHERE cost_usd > 0 AND experiment_id IN"
        " (SELECT id FROM experiments WHERE candidate_id IN temp.purge_candidate"
        " AND candidate_id NOT IN temp.kept_candidate) GROUP BY substr(started_at, 1, 10)"
    )


def _delete_rows(store: Store) -> None:
    gone = "candidate_id IN temp.purge_candidate AND candidate_id NOT IN temp.kept_candidate"
    for statement in (
        "DELETE FROM files WHERE path IN (SELECT json_extract(record, '$.path') FROM sessions"
        " WHERE id IN temp.purge_session)",
        "DELETE FROM session_events WHERE session_id IN temp.purge_session",
        "DELETE FROM events WHERE key IN temp.purge_event",
        "DELETE FROM corrections WHERE id IN temp.purge_correction",
        "DELETE FROM tasks WHERE id IN temp.purge_task AND id NOT IN temp.kept_task",
        "DELETE FROM jobs WHERE candidate_id IN temp.purge_candidate",
        f"DELETE FROM decisions WHERE {gone}",
        f"DELETE FROM verdicts WHERE {gone}",
        f"DELETE FROM trials WHERE experiment_id IN (SELECT id FROM experiments WHERE {gone})",
        f"DELETE FROM experiments WHERE {gone}",
        "DELETE FROM candidates WHERE id IN temp.purge_candidate AND id NOT IN temp.kept_candidate",
        "DELETE FROM previous WHERE number IN temp.purge_previous",
    ):
        store.execute(statement)


def _delete_facts(
    store: Store, scope: PurgeScope, others: Iterable[str], repository: str | None
) -> None:
    """Delete what the key-value table says about purged rows; mine sessions that share lines."""
    sessions = scope.ids("purge_session")
    paths = {
        str(row[0])
        for row in store.execute(
            "SELECT json_extract(record, '$.path') FROM sessions WHERE id IN temp.purge_session"
        )
    }
    corrections = scope.ids("purge_correction")
    keys = {f"mined {each}" for each in (*sessions, *others)}
    keys |= {f"built {each}" for each in corrections}
    keys |= {f"quarantined {each}" for each in (*sessions, *paths, *scope.paths, *corrections)}
    for key in keys:
        store.key_values.remove(key)
    if repository is not None:
        below = repository.rstrip("/") + "/"
        for folder in store.key_values.below("trusted"):
            if folder == repository or folder.startswith(below):
                store.key_values.remove(f"trusted {folder}")
    store.execute("DELETE FROM sessions WHERE id IN temp.purge_session")


def _delete_blobs(store: Store) -> None:
    """Delete every large text that no row refers to."""
    rows = store.execute("SELECT record FROM events WHERE instr(record, '{\"blob\":')")
    used = {digest for (record,) in rows for digest in _BLOB.findall(record)}
    used |= {str(row[0]) for row in store.execute("SELECT digest FROM previous") if row[0]}
    for (digest,) in store.execute("SELECT digest FROM blobs").fetchall():
        if digest not in used:
            store.execute("DELETE FROM blobs WHERE digest = ?", (digest,))
