"""Which sessions were purged, without their ids: keyed hashes with a random key of the database."""

import hmac
import secrets

from cortex_store.database import Store

PURGED = "purged"
"""Key in `KeyValue`, before the mark of a session that is not to be read again."""
SALT = "purge-salt"
PENDING = "purge-pending"
"""Key in `KeyValue`: rows were deleted, and the files are not free of them yet."""


def set_mark(store: Store, session_id: str, at: str) -> None:
    """Remember that a session was purged at `at`."""
    if store.key_values.get(SALT) is None:
        store.key_values.set(SALT, secrets.token_hex(32))
    store.key_values.set(f"{PURGED} {_mark(store, session_id)}", at[:10])


def has_marks(store: Store) -> bool:
    """Whether any session was ever purged."""
    return store.key_values.get(SALT) is not None


def is_purged(store: Store, session_id: str) -> bool:
    """Whether a session was purged, and not asked for again since."""
    known = _mark(store, session_id)
    return known is not None and store.key_values.get(f"{PURGED} {known}") is not None


def remove_mark(store: Store, session_id: str) -> None:
    """Let a purged session be read again."""
    known = _mark(store, session_id)
    if known is not None:
        store.key_values.remove(f"{PURGED} {known}")


def _mark(store: Store, session_id: str) -> str | None:
    """Return the mark of a session, which its sub-agents share; None when nothing was purged."""
    salt = store.key_values.get(SALT)
    if salt is None:
        return None
    base = session_id.split("/")[0].encode("utf-8", "backslashreplace")
    return hmac.digest(bytes.fromhex(salt), base, "sha256").hex()
