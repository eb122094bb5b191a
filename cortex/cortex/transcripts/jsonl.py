"""Lines of a growing file: complete ones only, of bounded size, decoded without ever failing."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from cortex.transcripts.fields import Record, encodable

LONGEST_LINE = 64 * 1024 * 1024
"""Bytes; a longer line is passed over without being held in memory."""

_PREFIX = 700
_FIRST_TYPE = re.compile(rb'"type":\s?"([a-z-]+)"')
_BULK = frozenset(
    {b"progress", b"file-history-snapshot", b"queue-operation", b"last-prompt", b"ai-title"}
)
"""Lines without any event; quotes inside JSON strings are escaped, so text never looks so."""


def complete_lines(path: Path, offset: int = 0) -> Iterator[tuple[bytes | None, int]]:
    """Yield each complete line from byte `offset` on, with the offset just after it.

    A last line without its newline is still being written and is not yielded. A line longer than
    `LONGEST_LINE` comes as None.
    """
    with path.open("rb") as file:
        file.seek(offset)
        while True:
            line = file.readline(LONGEST_LINE)
            if line.endswith(b"\n"):
                offset += len(line)
                yield line, offset
            elif len(line) < LONGEST_LINE:
                return
            else:
                rest = _pass_over(file)
                if rest is None:
                    return
                offset += len(line) + rest
                yield None, offset


def _pass_over(file: BinaryIO) -> int | None:
    size = 0
    while part := file.readline(LONGEST_LINE):
        size += len(part)
        if part.endswith(b"\n"):
            return size
    return None


def is_bulk(line: bytes) -> bool:
    """Return whether the line can be passed over without being decoded."""
    first = _FIRST_TYPE.search(line, 0, _PREFIX)
    return first is not None and first.group(1) in _BULK


def decode(line: bytes) -> Record | None:
    """Return the JSON object of a line; None when it is not one. Invalid UTF-8 is replaced."""
    try:
        value = json.loads(line.decode("utf-8", "replace"))
        if isinstance(value, dict):
            broken_pairs_possible = b"\\ud" in line or b"\\uD" in line
            return encodable(value) if broken_pairs_possible else value
    except (ValueError, RecursionError):
        pass
    return None
