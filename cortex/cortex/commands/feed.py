"""What a long-lived surface reads from: a read-only store that says when something changed.

SQLite's `data_version` moves with every commit of another connection; the ledger and the harness
are files, of which size and time of change are compared.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cortex.artifacts import disk, ledger
from cortex.commands.context import DATABASE, Context, find_repository, open_context
from cortex.config import home, load_config
from cortex.errors import UsageError
from cortex_store import Store

Mark = tuple[object, ...]


class Feed:
    """The state of a repository, for surfaces that stay open."""

    def __init__(self, where: Path) -> None:
        """Open the store read-only; a store that does not exist yet is opened once it does.

        Raises UsageError outside of a git repository, MachineError for a store that cannot be used.
        """
        root = find_repository(where)
        if root is None:
            raise UsageError(f"{where}: not a git repository: Cortex works in one")
        self.root = root
        self._store: Store | None = None
        self._file: tuple[int, int] | None = None
        self._mark: Mark | None = None

    def close(self) -> None:
        """Close the store."""
        if self._store is not None:
            self._store.close()
            self._store = None

    def changed(self) -> bool:
        """Whether the store, the ledger or the harness changed since the last call."""
        mark = self._look()
        changed, self._mark = mark != self._mark, mark
        return changed

    def context(self) -> Context:
        """Return the current read-only context. Raises what opening the store raises."""
        return Context(self._reader(), load_config(self.root), home(), self.root)

    @contextmanager
    def writing(self) -> Iterator[Context]:
        """Open a writable context for an action."""
        with open_context(self.root) as context:
            yield context

    def _reader(self) -> Store:
        """Return the store, reopened when its file was replaced."""
        file = _identity(home() / DATABASE)
        if self._store is None or file != self._file:
            self.close()
            self._store = Store.open(home() / DATABASE, read_only=True, no_wait=True)
            self._file = file
        return self._store

    def _look(self) -> Mark:
        places = [ledger.path_in(self.root), self.root / ".cortex" / "config.toml"]
        places += disk.places(self.root)
        return (
            self._reader().data_version(),
            self._file,
            tuple((str(place), _stamp(place)) for place in places),
        )


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        seen = path.stat()
    except OSError:
        return None
    return seen.st_dev, seen.st_ino


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        seen = path.stat()
    except OSError:
        return None
    return seen.st_mtime_ns, seen.st_size
