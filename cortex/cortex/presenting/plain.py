"""Text of others as text: nothing in it steers a terminal or hides."""

import re

_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u2069\ufeff]"
)
"""Control characters but tab and newline, and characters that are invisible or reorder text."""


def plain(text: str) -> str:
    """Return `text` with every control or invisible character written out as an escape."""
    return _UNSAFE.sub(lambda match: _escape(match[0]), text)


def one_line(text: str, width: int = 72) -> str:
    """Return `text` as a printable line of at most `width` characters."""
    printable = "".join(char if char.isprintable() else " " for char in text)
    flat = " ".join(printable.split())
    return flat if len(flat) <= width else flat[: width - 1] + "…"


def _escape(char: str) -> str:
    return f"\\x{ord(char):02x}" if ord(char) < 0x100 else f"\\u{ord(char):04x}"
