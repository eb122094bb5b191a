"""Which lines of a file are new."""

from collections import Counter
from difflib import SequenceMatcher
from functools import lru_cache


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
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    old, new = old[start : len(old) - end], new[start : len(new) - end]
    inserted: list[int] = []
    removed: Counter[str] = Counter()
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            removed.update(old[i1:i2])
            inserted.extend(range(j1, j2))
    fresh = []
    for number in inserted:
        if removed[new[number]] > 0:
            removed[new[number]] -= 1
        else:
            fresh.append(number + start)
    return frozenset(fresh)


def _common(one: list[str], other: list[str]) -> int:
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count
