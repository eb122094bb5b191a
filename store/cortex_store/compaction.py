"""Rewriting the database file so that nothing of deleted rows is left in it or beside it."""

import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cortex_store.database import Store

PAUSE_S = 0.2
SPARE_BYTES = 16 << 20
"""Room beyond the size of the database that must be left on the disk."""


class CompactionError(Exception):
    """The rows are deleted, but the file could not be rewritten; the message says why."""


@contextmanager
def prepared(store: Store) -> Iterator[None]:
    """Let this connection overwrite what it deletes, and keep temporary tables off the disk.

    Foreign keys are not looked at meanwhile: SQLite would go through all events of all sessions for
    each event that is deleted. Enter it outside of a transaction.
    """
    store.execute("PRAGMA temp_store = MEMORY")
    store.execute("PRAGMA secure_delete = ON")
    store.execute("PRAGMA foreign_keys = OFF")
    try:
        yield
    finally:
        store.execute("PRAGMA foreign_keys = ON")
        # `VACUUM` would hold the whole database in memory otherwise.
        store.execute("PRAGMA temp_store = DEFAULT")


def compact(store: Store, patience_s: float) -> None:
    """Rewrite the file without free pages and empty the write-ahead log.

    Raises CompactionError when another process keeps the database busy for longer than
    `patience_s`, or when the disk has too little room. Doing it again does no harm.
    """
    end = time.monotonic() + patience_s
    _empty_log(store, end)
    _check_room(store.path)
    _retried(store, "VACUUM", end)
    _empty_log(store, end)


def empty_log(store: Store) -> bool:
    """Write the write-ahead log into the database and empty it; return whether that was possible.

    A reader in another process that still needs the log keeps it.
    """
    try:
        busy = store.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    except sqlite3.OperationalError as error:
        if _is_busy(error):
            return False
        raise
    return not busy


def _empty_log(store: Store, end: float) -> None:
    while not empty_log(store):
        if time.monotonic() > end:
            raise CompactionError("another process is reading the database")
        time.sleep(PAUSE_S)


def _retried(store: Store, statement: str, end: float) -> None:
    while True:
        try:
            store.db.execute(statement)
        except sqlite3.OperationalError as error:
            if "full" in str(error):
                raise CompactionError("the disk is full") from None
            if not _is_busy(error):
                raise CompactionError(str(error)) from None
            if time.monotonic() > end:
                raise CompactionError("another process is using the database") from None
            time.sleep(PAUSE_S)
        else:
            return


def _is_busy(error: sqlite3.OperationalError) -> bool:
    return "locked" in str(error) or "busy" in str(error)


def _check_room(path: Path) -> None:
    """Raise CompactionError when the log, which holds the whole new file, does not fit.

    SQLite also writes the file into its temporary folder, often on the same disk.
    """
    size = path.stat().st_size
    free, needed = shutil.disk_usage(path.parent).free, 2 * size + SPARE_BYTES
    if free < needed:
        raise CompactionError(
            f"compacting needs {needed >> 20:,} MB of free disk space, {free >> 20:,} MB are free"
        )
    temporary = Path(os.environ.get("SQLITE_TMPDIR") or os.environ.get("TMPDIR") or "/var/tmp")
    if temporary.is_dir() and shutil.disk_usage(temporary).free < size + SPARE_BYTES:
        raise CompactionError(
            f"compacting needs {(size + SPARE_BYTES) >> 20:,} MB of free disk space in {temporary}"
        )
