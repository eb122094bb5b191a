"""What the parts of the store ask of it."""

import sqlite3
from contextlib import AbstractContextManager
from typing import Any, Protocol


class Texts(Protocol):
    """Large texts by digest, as the other parts of the store see them."""

    def put(self, text: str) -> str:
        """Store `text` and return its digest."""

    def get(self, digest: str) -> str:
        """Return the text of a digest; MachineError when it is missing or damaged."""


class Executor(Protocol):
    """A store, as its parts see it."""

    @property
    def blobs(self) -> Texts:
        """Large texts."""

    def execute(self, sql: str, parameters: Any = ()) -> sqlite3.Cursor:
        """Run a statement."""

    def transaction(self) -> AbstractContextManager[None]:
        """Make several writes one."""


def within(column: str, repository: str | None) -> tuple[str, tuple[str | int, ...]]:
    """Return a condition and its parameters: `column` is the folder or is below it.

    Compared by path components: `/a/shop` is not below `/a/sho`.
    """
    if repository is None:
        return "1", ()
    below = repository.rstrip("/") + "/"
    return f"({column} = ? OR substr({column}, 1, ?) = ?)", (repository, len(below), below)
