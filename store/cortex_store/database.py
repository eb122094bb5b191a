"""The store: one writer, any number of readers, one transaction for rows that belong together.

A part of the store is imported when it is used: a command needs few of them.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from cortex_store import connection

if TYPE_CHECKING:
    from cortex_store.blobs import Blobs
    from cortex_store.experiments import Experiments
    from cortex_store.file_history import FileHistory, KeyValue
    from cortex_store.jobs import Jobs
    from cortex_store.listing import Listing
    from cortex_store.sessions import Sessions
    from cortex_store.suite import Candidates, Corrections, Tasks
    from cortex_store.verdicts import Verdicts


class Store:
    """Everything that Cortex remembers."""

    def __init__(self, db: sqlite3.Connection, path: Path) -> None:
        self.db = db
        self.path = path

    @classmethod
    def open(cls, path: Path, *, read_only: bool = False, no_wait: bool = False) -> "Store":
        """Open (and, when writable, create and migrate) the database at `path`.

        A reader with `no_wait` fails at once instead of waiting for a writer's lock.

        Raises MachineError when it is damaged, locked, too new or out of reach.
        """
        return cls(connection.connect(path.absolute(), read_only=read_only, no_wait=no_wait), path)

    @classmethod
    def memory(cls) -> "Store":
        """Return an empty store that lives as long as the object."""
        return cls(connection.memory(), Path(":memory:"))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self.db.close()

    def data_version(self) -> int:
        """Return a number that changes when another connection has written."""
        return int(self.execute("PRAGMA data_version").fetchone()[0])

    def execute(self, sql: str, parameters: Any = ()) -> sqlite3.Cursor:
        """Run a statement; a fault becomes a MachineError."""
        with connection.explained(self.path):
            return self.db.execute(sql, parameters)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Make several writes one; inside another transaction they belong to that one."""
        if self.db.in_transaction:
            yield
            return
        self.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self.db.rollback()
            raise
        with connection.explained(self.path):
            self.db.commit()

    @cached_property
    def blobs(self) -> "Blobs":
        """Large texts by their digest."""
        from cortex_store.blobs import Blobs

        return Blobs(self)

    @cached_property
    def sessions(self) -> "Sessions":
        """Sessions, their events, and how far each file was read."""
        from cortex_store.sessions import Sessions

        return Sessions(self)

    @cached_property
    def corrections(self) -> "Corrections":
        """What developers corrected."""
        from cortex_store.suite import Corrections

        return Corrections(self)

    @cached_property
    def tasks(self) -> "Tasks":
        """Replayable tasks."""
        from cortex_store.suite import Tasks

        return Tasks(self)

    @cached_property
    def candidates(self) -> "Candidates":
        """Proposed changes."""
        from cortex_store.suite import Candidates

        return Candidates(self)

    @cached_property
    def experiments(self) -> "Experiments":
        """Experiments and their trials."""
        from cortex_store.experiments import Experiments

        return Experiments(self)

    @cached_property
    def verdicts(self) -> "Verdicts":
        """What the gate said."""
        from cortex_store.verdicts import Verdicts

        return Verdicts(self)

    @cached_property
    def listing(self) -> "Listing":
        """Counts and rows for lists."""
        from cortex_store.listing import Listing

        return Listing(self)

    @cached_property
    def jobs(self) -> "Jobs":
        """Work for the daemon."""
        from cortex_store.jobs import Jobs

        return Jobs(self)

    @cached_property
    def file_history(self) -> "FileHistory":
        """Previous content of files that Cortex wrote."""
        from cortex_store.file_history import FileHistory

        return FileHistory(self)

    @cached_property
    def key_values(self) -> "KeyValue":
        """Small facts."""
        from cortex_store.file_history import KeyValue

        return KeyValue(self)
