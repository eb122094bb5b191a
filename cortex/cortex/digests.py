"""Content digests: the identity of everything that a verdict rests on."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any


def digest_bytes(content: bytes) -> str:
    """Return the sha256 of `content` as 64 hex digits."""
    return hashlib.sha256(content).hexdigest()


def with_lf(text: str) -> str:
    """Return `text` with LF line endings: git may convert those of a checkout to CRLF."""
    return text.replace("\r\n", "\n")


def digest_text(text: str) -> str:
    """Return the identity of `text`: the sha256 of its UTF-8 with LF line endings.

    Lone surrogates are kept as escapes.
    """
    return digest_exact(with_lf(text))


def digest_exact(text: str) -> str:
    """Return the sha256 of `text` in UTF-8, every byte counted; surrogates as escapes."""
    return digest_bytes(text.encode("utf-8", "backslashreplace"))


def digest_value(value: Mapping[str, Any] | list[Any]) -> str:
    """Return the digest of a JSON-able value, independent of the order of its keys."""
    return digest_exact(
        json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    )


def short_id(prefix: str, *parts: str) -> str:
    """Return a stable readable id such as `task-3f2a91c04b` made from `parts`."""
    return f"{prefix}-{digest_exact(chr(0).join(parts))[:10]}"
