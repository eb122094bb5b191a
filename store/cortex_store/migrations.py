"""The schema, as append-only transactional steps. Never edit a step that was released.

sqlite-utils, which takes 100 ms to import, applies the steps. Whether steps are pending is read
without it.
"""

import json
import sqlite3
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite_utils import Database

    Connection = sqlite3.Connection | Database

_SET = "cortex"
_TABLE = "_sqlite_migrations"
"""Where sqlite-utils records the applied steps of a set."""


def pending(db: sqlite3.Connection) -> bool:
    """Return whether the schema is older than this version's."""
    return not {step.__name__ for step in STEPS} <= set(_applied(db))


def unknown(db: sqlite3.Connection) -> list[str]:
    """Return the applied steps that this version does not have, oldest first."""
    names = {step.__name__ for step in STEPS}
    return [name for name in _applied(db) if name not in names]


def create(db: sqlite3.Connection) -> None:
    """Make the schema in an empty database that only this process sees: steps are not recorded."""
    for step in STEPS:
        step(db)


def apply(db: sqlite3.Connection) -> None:
    """Bring the schema up to date."""
    from sqlite_utils import Database
    from sqlite_utils.migrations import Migrations

    migrations = Migrations(_SET)
    for step in STEPS:
        migrations()(step)
    migrations.apply(Database(db, recursive_triggers=False))


def _applied(db: sqlite3.Connection) -> list[str]:
    if not db.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (_TABLE,)).fetchone():
        return []
    rows = db.execute(f"SELECT name FROM {_TABLE} WHERE migration_set = ? ORDER BY rowid", (_SET,))
    return [str(row[0]) for row in rows]


def first_schema(db: "Connection") -> None:
    """Sessions with their events, corrections, tasks, candidates, experiments, verdicts."""
    for statement in _FIRST:
        db.execute(statement)


def expenses(db: "Connection") -> None:
    """Money spent by trials whose rows are not kept here: those of the self-test."""
    db.execute(
        "CREATE TABLE expenses (at TEXT NOT NULL, usd REAL NOT NULL, what TEXT NOT NULL) STRICT"
    )
    for statement in _append_only("expenses"):
        db.execute(statement)


def jobs(db: "Connection") -> None:
    """Work for the daemon."""
    db.execute(
        "CREATE TABLE jobs (id INTEGER PRIMARY KEY AUTOINCREMENT, repository TEXT NOT NULL,"
        " candidate_id TEXT NOT NULL REFERENCES candidates(id), budget_usd REAL,"
        " status TEXT NOT NULL, note TEXT NOT NULL, created_at TEXT NOT NULL, started_at TEXT,"
        " finished_at TEXT, owner TEXT) STRICT"
    )
    db.execute("CREATE INDEX jobs_waiting ON jobs (status, id)")


def settled(db: "Connection") -> None:
    """Decisions about candidates, which take them out of the inbox."""
    db.execute(
        "CREATE TABLE settled (candidate_id TEXT PRIMARY KEY REFERENCES candidates(id),"
        " at TEXT NOT NULL, said TEXT NOT NULL) STRICT"
    )


def plain_names(db: "Connection") -> None:
    """`settled` becomes `decisions`; two fields of stored records get the names they have now."""
    db.execute("ALTER TABLE settled RENAME TO decisions")
    db.execute("ALTER TABLE decisions RENAME COLUMN said TO decision")
    _rename_field(db, "corrections", "words", "content")
    for verb in ("update", "delete"):
        db.execute(f"DROP TRIGGER verdicts_no_{verb}")
    _rename_field(db, "verdicts", "singles", "single_arm")
    for statement in _append_only("verdicts"):
        db.execute(statement)


def session_folders(db: "Connection") -> None:
    """Count the sessions of a repository without reading the record of each session."""
    db.execute("CREATE INDEX sessions_of ON sessions (own, json_extract(record, '$.cwd'))")


STEPS = (first_schema, expenses, jobs, settled, plain_names, session_folders)
"""In the order in which they are applied; only ever appended to."""


def _rename_field(db: "Connection", table: str, old: str, new: str) -> None:
    """Rename a field of the JSON records of `table`; the text stays ASCII JSON."""
    for record_id, text in db.execute(f"SELECT id, record FROM {table}").fetchall():
        record = json.loads(text)
        if old in record:
            renamed = {new if key == old else key: value for key, value in record.items()}
            content = json.dumps(renamed, ensure_ascii=True, separators=(",", ":"))
            db.execute(f"UPDATE {table} SET record = ? WHERE id = ?", (content, record_id))


def _append_only(table: str) -> tuple[str, ...]:
    return tuple(
        f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
        f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
        for verb in ("UPDATE", "DELETE")
    )


_FIRST = (
    "CREATE TABLE blobs (digest TEXT PRIMARY KEY, size INTEGER NOT NULL, content BLOB NOT NULL)"
    " STRICT",
    "CREATE TABLE sessions (id TEXT PRIMARY KEY, own INTEGER NOT NULL, started_at TEXT NOT NULL,"
    " record TEXT NOT NULL) STRICT",
    "CREATE TABLE events (key TEXT PRIMARY KEY, record TEXT NOT NULL) STRICT",
    "CREATE TABLE session_events (session_id TEXT NOT NULL REFERENCES sessions(id),"
    " position INTEGER NOT NULL, key TEXT NOT NULL REFERENCES events(key),"
    " PRIMARY KEY (session_id, position), UNIQUE (session_id, key)) STRICT, WITHOUT ROWID",
    "CREATE TABLE files (path TEXT PRIMARY KEY, offset INTEGER NOT NULL, fingerprint TEXT NOT NULL)"
    " STRICT",
    "CREATE TABLE corrections (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, cwd TEXT NOT NULL,"
    " at TEXT NOT NULL, dismissed INTEGER NOT NULL DEFAULT 0, record TEXT NOT NULL) STRICT",
    "CREATE INDEX corrections_at ON corrections (at, id)",
    "CREATE TABLE tasks (id TEXT PRIMARY KEY, repository TEXT NOT NULL, status TEXT NOT NULL,"
    " reason TEXT NOT NULL, created_at TEXT NOT NULL, record TEXT NOT NULL) STRICT",
    "CREATE INDEX tasks_of ON tasks (repository, status)",
    "CREATE TABLE candidates (id TEXT PRIMARY KEY, repository TEXT NOT NULL, status TEXT NOT NULL,"
    " created_at TEXT NOT NULL, record TEXT NOT NULL) STRICT",
    "CREATE INDEX candidates_of ON candidates (repository, status)",
    "CREATE TABLE experiments (id TEXT PRIMARY KEY,"
    " candidate_id TEXT NOT NULL REFERENCES candidates(id), lock TEXT NOT NULL,"
    " created_at TEXT NOT NULL) STRICT",
    "CREATE INDEX experiments_of ON experiments (candidate_id)",
    "CREATE TABLE trials (id TEXT PRIMARY KEY,"
    " experiment_id TEXT NOT NULL REFERENCES experiments(id), started_at TEXT NOT NULL,"
    " cost_usd REAL, record TEXT NOT NULL) STRICT",
    "CREATE INDEX trials_of ON trials (experiment_id)",
    "CREATE INDEX trials_at ON trials (started_at)",
    *_append_only("trials"),
    "CREATE TABLE verdicts (id TEXT PRIMARY KEY, repository TEXT NOT NULL,"
    " candidate_id TEXT NOT NULL REFERENCES candidates(id),"
    " experiment_id TEXT NOT NULL REFERENCES experiments(id), ruling TEXT NOT NULL,"
    " created_at TEXT NOT NULL, record TEXT NOT NULL) STRICT",
    "CREATE INDEX verdicts_of ON verdicts (repository)",
    "CREATE INDEX verdicts_about ON verdicts (candidate_id)",
    *_append_only("verdicts"),
    "CREATE TABLE previous (number INTEGER PRIMARY KEY, repository TEXT NOT NULL,"
    " path TEXT NOT NULL, digest TEXT REFERENCES blobs(digest), at TEXT NOT NULL,"
    " why TEXT NOT NULL) STRICT",
    "CREATE INDEX previous_of ON previous (repository, path)",
    *_append_only("previous"),
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT",
)
