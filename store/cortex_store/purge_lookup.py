"""What a purge can be asked for: sessions by id, by age, and what a repository has."""

from cortex_store.base import Executor

_BASE = "CASE WHEN instr(id, '/') THEN substr(id, 1, instr(id, '/') - 1) ELSE id END"
"""The session that a sub-agent's session belongs to."""


def sessions_like(store: Executor, prefix: str) -> tuple[str, ...]:
    """Return the sessions whose id begins with `prefix`, sub-agents left out, sorted."""
    rows = store.execute(
        f"SELECT DISTINCT {_BASE} AS base FROM sessions WHERE substr(id, 1, ?) = ? ORDER BY base",
        (len(prefix), prefix),
    )
    return tuple(str(row[0]) for row in rows)


def sessions_before(store: Executor, at: str) -> frozenset[str]:
    """Return the sessions whose last event, sub-agents included, is older than `at` (ISO 8601).

    A session without an event counts by its start; one without any time is left out.
    """
    rows = store.execute(
        f"SELECT {_BASE} AS base, max(ended) AS last FROM (SELECT sessions.id AS id,"
        " max(started_at, coalesce(max(json_extract(events.record, '$.at')), '')) AS ended"
        " FROM sessions LEFT JOIN session_events ON session_id = sessions.id"
        " LEFT JOIN events USING (key) GROUP BY sessions.id)"
        " GROUP BY base HAVING last < ? AND last <> ''",
        (at,),
    )
    return frozenset(str(row[0]) for row in rows)


def names(store: Executor) -> frozenset[str]:
    """Return the ids by which logs name what is in the scope of a purge."""
    tables = ("session", "correction", "task", "candidate", "experiment", "trial")
    rows = store.execute(
        " UNION ".join(f"SELECT id FROM temp.purge_{table}" for table in tables)
    ).fetchall()
    ids = {str(row[0]) for row in rows}
    return frozenset(ids | {part for each in ids for part in each.split("/")})


def transcripts(store: Executor) -> tuple[tuple[str, str], ...]:
    """Return path and start of the sessions in the scope of a purge, sorted."""
    rows = store.execute(
        "SELECT DISTINCT json_extract(record, '$.path'), started_at FROM sessions"
        " WHERE id IN temp.purge_session ORDER BY 1"
    )
    return tuple((str(path), str(started)) for path, started in rows)


def needed_trees(store: Executor) -> frozenset[str]:
    """Return the git trees that tasks are based on."""
    rows = store.execute("SELECT DISTINCT json_extract(record, '$.base.tree') FROM tasks")
    return frozenset(str(row[0]) for row in rows if row[0])


def trees_after(store: Executor) -> frozenset[str]:
    """Return the git trees that tasks outside of the scope of a purge are based on."""
    rows = store.execute(
        "SELECT DISTINCT json_extract(record, '$.base.tree') FROM tasks"
        " WHERE id NOT IN temp.purge_task"
    )
    return frozenset(str(row[0]) for row in rows if row[0])


def purged_tasks(store: Executor) -> int:
    """Return how many tasks were emptied by a purge."""
    return int(store.execute("SELECT count(*) FROM tasks WHERE status = 'purged'").fetchone()[0])
