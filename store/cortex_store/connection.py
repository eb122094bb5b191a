"""Opening the database: private, in WAL mode, and never over something that is not ours."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cortex.errors import MachineError
from cortex_store import migrations

BUSY_TIMEOUT_S = 5.0
"""How long a command waits for another Cortex that writes."""
NO_WAIT_S = 0.1
"""The same for a surface that looks again anyway and must not stand still meanwhile."""
FAULTS = (sqlite3.DatabaseError, sqlite3.OperationalError)


def connect(path: Path, *, read_only: bool, no_wait: bool = False) -> sqlite3.Connection:
    """Return a database ready for use; a missing one is made (in memory, when read-only).

    `no_wait` is for readers that would rather fail than wait.

    Raises MachineError, in a line, when it is damaged, locked, too new or out of reach.
    """
    with explained(path):
        if read_only and not path.exists():
            return memory()
        if path.is_dir():
            raise MachineError(f"{path}: is a folder, not a database; move it away")
        return _read_only(path, no_wait) if read_only else _writable(path)


def memory() -> sqlite3.Connection:
    """Return an empty database in memory."""
    db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    _set_up(db)
    migrations.create(db)
    return db


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn SQLite's and the system's faults into a line that says what to do."""
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
        reason = error.strerror or error
        raise MachineError(f"{path}: {reason}; check it, or set CORTEX_HOME") from None


def _advice(path: Path, fault: str) -> str:
    if "locked" in fault or "busy" in fault:
        return f"{path}: database is locked by another process; try again"
    if "disk I/O" in fault or "full" in fault:
        return f"{path}: cannot be written ({fault}); free space on its disk, then run this again"
    if "readonly" in fault or "read-only" in fault:
        return f"{path}: is read-only; make it writable or set CORTEX_HOME"
    if "unable to open" in fault:
        return f"{path}: cannot be opened; check the folder's permissions or set CORTEX_HOME"
    return f"{path}: {fault}"


def _writable(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    if os.name == "posix":
        path.chmod(0o600)
    db = _opened(path, f"{path.as_uri()}?mode=rw", BUSY_TIMEOUT_S)
    if migrations.pending(db):
        _migrate(path, db)
    return db


def _migrate(path: Path, db: sqlite3.Connection) -> None:
    """Bring the schema up to date; other processes that want the same wait, and find it done."""
    from filelock import FileLock, Timeout

    try:
        with FileLock(f"{path}.lock", timeout=BUSY_TIMEOUT_S, mode=0o600):
            if migrations.pending(db):
                db.execute("PRAGMA journal_mode = WAL")
                migrations.apply(db)
    except Timeout:
        raise MachineError(f"{path}: database is locked by another process; try again") from None


def _read_only(path: Path, no_wait: bool) -> sqlite3.Connection:
    wait_s = NO_WAIT_S if no_wait else BUSY_TIMEOUT_S
    db = _opened(path, f"{path.as_uri()}?mode=ro", wait_s)
    if migrations.pending(db):
        db.close()
        return _writable(path)
    return db


def _opened(path: Path, uri: str, wait_s: float) -> sqlite3.Connection:
    """Connect and read the schema, so that a damaged file shows now."""
    db = sqlite3.connect(
        uri, uri=True, timeout=wait_s, isolation_level=None, check_same_thread=False
    )
    try:
        _set_up(db)
        newer = migrations.unknown(db)
    except BaseException:
        db.close()
        raise
    if newer:
        db.close()
        raise MachineError(f"{path}: was written by a newer Cortex ({newer[0]}); upgrade this one")
    return db


def _set_up(db: sqlite3.Connection) -> None:
    db.execute("PRAGMA foreign_keys = ON")
    db.execute("PRAGMA synchronous = NORMAL")
    db.execute("PRAGMA schema_version")
