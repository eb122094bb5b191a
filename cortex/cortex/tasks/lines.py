"""Which lines of a file are new."""

from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import lru_cache

_LONG = 2000
"""Above this, lines that recur everywhere are not aligned: it would take minutes."""


def split(text: str) -> list[str]:
    """Return the lines of `text` as parsers count them: only a newline ends one."""
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


@lru_cache(maxsize=64)
def added(before: str | None, after: str | None) -> frozenset[int]:
    """Return the numbers (from 0) of the lines of `after` that `before` does not have.

    Indentation does not count, and a line that only moved is not new.
    """
    old = [line.strip() for line in split(before or "")]
    new = [line.strip() for line in split(after or "")]
    inserted: list[int] = []
    removed: Counter[str] = Counter()
    for i1, i2, j1, j2 in changes(old, new):
        removed.update(old[i1:i2])
        inserted.extend(range(j1, j2))
    fresh = []
    for number in inserted:
        if removed[new[number]] > 0:
            removed[new[number]] -= 1
        else:
            fresh.append(number)
    return frozenset(fresh)


def changes(old: Sequence[str], new: Sequence[str]) -> tuple[tuple[int, int, int, int], ...]:
    """Return the regions that differ: lines i1 to i2 of `old` became j1 to j2 of `new`."""
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    inner = (old[start : len(old) - end], new[start : len(new) - end])
    codes = SequenceMatcher(None, *inner, autojunk=len(inner[1]) > _LONG).get_opcodes()
    return tuple(
        (i1 + start, i2 + start, j1 + start, j2 + start)
        for tag, i1, i2, j1, j2 in codes
        if tag != "equal"
    )


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count
