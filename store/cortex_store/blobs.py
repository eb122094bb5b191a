"""Large texts, once each, by the digest of their content."""

import zlib

from cortex.digests import digest_exact
from cortex.errors import MachineError
from cortex_store.base import Executor

LEVEL = 3
"""zlib: most of the gain at little time."""


class Blobs:
    """Content-addressed texts."""

    def __init__(self, store: Executor) -> None:
        self._store = store

    def put(self, text: str) -> str:
        """Keep `text` and return its digest."""
        digest = digest_exact(text)
        raw = text.encode("utf-8", "surrogatepass")
        with self._store.transaction():
            self._store.execute(
                "INSERT OR IGNORE INTO blobs VALUES (?, ?, ?)",
                (digest, len(raw), zlib.compress(raw, LEVEL)),
            )
        return digest

    def get(self, digest: str) -> str:
        """Return the text of a digest; MachineError when it is not there or damaged."""
        row = self._store.execute(
            "SELECT content FROM blobs WHERE digest = ?", (digest,)
        ).fetchone()
        if row is None:
            raise MachineError(f"the store missing blob {digest[:12]}; `cortex verify` says more")
        return unpack(row[0], digest)


def unpack(content: bytes, digest: str) -> str:
    """Return the text of a stored blob; MachineError when it cannot be read."""
    try:
        return zlib.decompress(content).decode("utf-8", "surrogatepass")
    except (zlib.error, UnicodeDecodeError):
        raise MachineError(f"the store's text {digest[:12]} is damaged") from None
