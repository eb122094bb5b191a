"""Which lines of a file are new."""

from collections import Counter
from functools import lru_cache

from cortex.linediff import hunks


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
    for hunk in hunks(old, new):
        removed.update(old[hunk.old_start : hunk.old_end])
        inserted.extend(range(hunk.new_start, hunk.new_end))
    fresh = []
    for number in inserted:
        if removed[new[number]] > 0:
            removed[new[number]] -= 1
        else:
            fresh.append(number)
    return frozenset(fresh)
