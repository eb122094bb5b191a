"""Opening the database: private, in WAL mode, and never over something that is not ours."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlite_utils import Database

from cortex.errors import MachineError
from cortex_store.migrations import steps

BUSY_TIMEOUT_S = 5.0
"""How long a command waits for another Cortex that writes."""
NO_WAIT_S = 0.1
"""The same for a surface that looks again anyway and must not stand still meanwhile."""
FAULTS = (sqlite3.DatabaseError, sqlite3.OperationalError)


def connect(path: Path, *, read_only: bool, no_wait: bool = False) -> Database:
    """Return a database ready for use; a missing one is made (in memory, when read-only).

    `glance` is for readers that would rather fail than wait.

    Raises MachineError, in one line, when it is damaged, locked, too new or out of reach.
    """
    with explained(path):
        if read_only and not path.exists():
            return memory()
        if path.is_dir():
            raise MachineError(f"{path}: is a folder, not a database; move it away")
        return _read_only(path, no_wait) if read_only else _writable(path)


def memory() -> Database:
    """Return an empty database in memory."""
    db = Database(sqlite3.connect(":memory:", check_same_thread=False), recursive_triggers=False)
    _set_up(db)
    steps.apply(db)
    return db


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn SQLite's and the system's faults into one line that says what to do."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise MachineError(_advice(path, str(error))) from None
    except sqlite3.IntegrityError:
        raise
    except sqlite3.DatabaseError as error:
        raise MachineError(
            f"{path}: the database is damaged ({error}); move it away and ingest again"
        ) from None
    except OSError as error:
        raise MachineError(f"{path}: {error.strerror or error}") from None


def _advice(path: Path, said: str) -> str:
    if "locked" in said or "busy" in said:
        return f"{path}: another Cortex is writing and does not end; try again"
    if "unable to open" in said:
        return f"{path}: cannot be opened; check the folder's permissions or set CORTEX_HOME"
    return f"{path}: {said}"


def _writable(path: Path) -> Database:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    if os.name == "posix":
        path.chmod(0o600)
    db = _opened(path, f"{path.as_uri()}?mode=rw", BUSY_TIMEOUT_S)
    if steps.pending(db):
        db.execute("PRAGMA journal_mode = WAL")
        steps.apply(db)
    return db


def _read_only(path: Path, no_wait: bool) -> Database:
    wait_s = NO_WAIT_S if no_wait else BUSY_TIMEOUT_S
    db = _opened(path, f"{path.as_uri()}?mode=ro", wait_s)
    if steps.pending(db):
        db.close()
        return _writable(path)
    return db


def _opened(path: Path, uri: str, wait_s: float) -> Database:
    """Connect and read the schema, so that a damaged file shows now."""
    connection = sqlite3.connect(uri, uri=True, timeout=wait_s, check_same_thread=False)
    db = Database(connection, recursive_triggers=False)
    try:
        _set_up(db)
        known = {step.name for step in steps._migrations}
        newer = [one.name for one in steps.applied(db) if one.name not in known]
    except BaseException:
        connection.close()
        raise
    if newer:
        connection.close()
        raise MachineError(f"{path}: was written by a newer Cortex ({newer[0]}); upgrade this one")
    return db


def _set_up(db: Database) -> None:
    db.execute("PRAGMA foreign_keys = ON")
    db.execute("PRAGMA synchronous = NORMAL")
    db.execute("PRAGMA schema_version")
