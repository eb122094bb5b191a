"""Text of others as text: nothing in it steers a terminal or hides."""

import re

_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200c\u200e\u200f\u2028-\u202e"
    "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\uffa0"
    "\u2060-\u206f\ufeff\ud800-\udfff\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
"""Control characters but tab and newline, lone surrogates (bytes that are no UTF-8), and characters
that are invisible or reorder text; not the zero-width joiner, which emoji need."""


def plain(text: str) -> str:
    """Return `text` with every control or invisible character written out as an escape.

    Windows line ends become newlines.
    """
    return _UNSAFE.sub(lambda match: _escape(match[0]), text.replace("\r\n", "\n"))


def one_line(text: str, width: int = 72) -> str:
    """Return `text` as a printable line of at most `width` characters."""
    printable = "".join(char if char.isprintable() else " " for char in text)
    flat = " ".join(printable.split())
    return flat if len(flat) <= width else flat[: width - 1] + "…"


def correction_line(content: str, width: int) -> str:
    """Return what the developer wrote, or for an edit by hand its lines: `- a() + b()`."""
    lines = content.splitlines()
    if lines[2:] and (lines[0][:4], lines[1][:4], lines[2][:3]) == ("--- ", "+++ ", "@@ "):
        changed = [line for line in lines[2:] if line[:1] in "+-" and line[1:].strip()]
        content = " ".join(f"{line[0]} {line[1:].strip()}" for line in changed)
    return one_line(content, width)


def _escape(char: str) -> str:
    if ord(char) > 0xFFFF:
        return f"\\U{ord(char):08x}"
    return f"\\x{ord(char):02x}" if ord(char) < 0x100 else f"\\u{ord(char):04x}"
