"""Tolerant access to decoded JSON: a field of the wrong type counts as absent."""

from collections.abc import Iterator
from typing import Any

Record = dict[str, Any]


def text(record: Record, key: str) -> str:
    """Return the string under `key`, "" when it is absent or something else."""
    value = record.get(key)
    return value if isinstance(value, str) else ""


def optional(record: Record, key: str) -> str | None:
    """Return the string under `key`, None when it is absent or something else."""
    value = record.get(key)
    return value if isinstance(value, str) else None


def number(record: Record, key: str) -> int:
    """Return the integer under `key`, 0 when it is absent, negative or something else."""
    value = record.get(key)
    return max(value, 0) if isinstance(value, int) and not isinstance(value, bool) else 0


def flag(record: Record, key: str) -> bool:
    """Return whether `key` holds JSON's `true`."""
    return record.get(key) is True


def record(parent: Record, key: str) -> Record:
    """Return the object under `key`, an empty one when it is absent or something else."""
    value = parent.get(key)
    return value if isinstance(value, dict) else {}


def records(value: object) -> Iterator[Record]:
    """Yield the objects of a JSON array; anything else yields nothing."""
    if isinstance(value, list):
        yield from (item for item in value if isinstance(item, dict))


def strings(value: object) -> Iterator[str]:
    """Yield the strings of a JSON array; anything else yields nothing."""
    if isinstance(value, list):
        yield from (item for item in value if isinstance(item, str))


def content_text(content: object) -> str:
    """Return the text of a message's or tool result's `content`: a string or text blocks."""
    return "\n".join(content_texts(content))


def content_texts(content: object) -> list[str]:
    """Return the texts of a message's `content` that are not empty, one of each block."""
    if isinstance(content, str):
        return [content] if content else []
    return [text(block, "text") for block in records(content) if text(block, "text")]


def encodable(value: Any) -> Any:
    """Return `value` with every half of a broken surrogate pair replaced by U+FFFD.

    JSON may hold such halves as escapes; no database or file could take them.
    """
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode() if _broken(value) else value
    if isinstance(value, list):
        return [encodable(item) for item in value]
    if isinstance(value, dict):
        return {encodable(key): encodable(item) for key, item in value.items()}
    return value


def _broken(value: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in value)
