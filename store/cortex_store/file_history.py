"""Previous content of files that Cortex wrote, and small facts."""

from dataclasses import dataclass

from cortex_store.base import Executor


@dataclass(frozen=True, slots=True)
class Previous:
    """What a file held before Cortex changed it."""

    path: str
    text: str | None
    """None: there was no such file."""
    at: str
    why: str


class FileHistory:
    """The undo log of the harness."""

    def __init__(self, store: Executor) -> None:
        self._store = store

    def save_previous(
        self, repository: str, path: str, text: str | None, at: str, why: str
    ) -> None:
        """Keep what `path` holds, before it is changed."""
        with self._store.transaction():
            digest = None if text is None else self._store.blobs.put(text)
            self._store.execute(
                "INSERT INTO previous (repository, path, digest, at, why) VALUES (?, ?, ?, ?, ?)",
                (repository, path, digest, at, why),
            )

    def history(self, repository: str, path: str) -> tuple[Previous, ...]:
        """Return what a file held, oldest first."""
        rows = self._store.execute(
            "SELECT digest, at, why FROM previous WHERE repository = ? AND path = ?"
            " ORDER BY number",
            (repository, path),
        ).fetchall()
        return tuple(
            Previous(path, None if digest is None else self._store.blobs.get(digest), at, why)
            for digest, at, why in rows
        )


class KeyValue:
    """Small facts by name."""

    def __init__(self, store: Executor) -> None:
        self._store = store

    def get(self, key: str) -> str | None:
        """Return a fact."""
        row = self._store.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return str(row[0]) if row else None

    def set(self, key: str, value: str) -> None:
        """Remember a fact."""
        with self._store.transaction():
            self._store.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def remove(self, key: str) -> bool:
        """Forget a fact; return whether it was known."""
        with self._store.transaction():
            cursor = self._store.execute("DELETE FROM meta WHERE key = ?", (key,))
        return bool(cursor.rowcount)

    def below(self, name: str) -> tuple[str, ...]:
        """Return what follows `<name> ` in the keys that begin so, sorted."""
        rows = self._store.execute(
            "SELECT substr(key, ?) FROM meta WHERE key >= ? || ' ' AND key < ? || '!' ORDER BY key",
            (len(name) + 2, name, name),
        )
        return tuple(str(row[0]) for row in rows)
