"""Differences of two texts, line by line."""

from collections.abc import Sequence
from dataclasses import dataclass

from diff_match_patch import diff_match_patch

_SECONDS = 1.0
"""After that time a diff of very large texts becomes coarse; it stays correct."""

_MOST_LINES = 1_000_000
"""There are not many more characters to stand for lines; larger texts count as changed whole."""


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines `old_start:old_end` of the old text became `new_start:new_end` of the new one."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


def hunks(old: Sequence[str], new: Sequence[str]) -> tuple[Hunk, ...]:
    """Return the changed ranges of lines in order, never overlapping."""
    if len(old) + len(new) > _MOST_LINES:
        return (Hunk(0, len(old), 0, len(new)),)
    letters: dict[str, str] = {}
    first, second = _as_letters(old, letters), _as_letters(new, letters)
    engine = diff_match_patch()
    engine.Diff_Timeout = _SECONDS
    return _joined(engine.diff_main(first, second, False))


def _as_letters(lines: Sequence[str], letters: dict[str, str]) -> str:
    """One character for each distinct line: a diff of these strings is a diff of lines."""
    return "".join(letters.setdefault(line, chr(len(letters) + 1)) for line in lines)


def _joined(operations: Sequence[tuple[int, str]]) -> tuple[Hunk, ...]:
    found: list[Hunk] = []
    old = new = old_start = new_start = 0
    for operation, lines in [*operations, (0, "")]:
        if operation == 0:
            if (old_start, new_start) != (old, new):
                found.append(Hunk(old_start, old, new_start, new))
            old, new = old + len(lines), new + len(lines)
            old_start, new_start = old, new
        elif operation < 0:
            old += len(lines)
        else:
            new += len(lines)
    return tuple(found)
