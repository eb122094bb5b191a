"""Differences of two texts, line by line; the same texts always give the same differences."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

_MAX_EQUAL_PAIRS = 200_000
"""Pairs of equal lines above which frequent lines are not aligned: it would take minutes."""


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines `old_start:old_end` of the old text became `new_start:new_end` of the new one."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


def hunks(old: Sequence[str], new: Sequence[str]) -> tuple[Hunk, ...]:
    """Return the changed ranges of lines in order, never overlapping."""
    start = _equal_at_start(old, new)
    end = _equal_at_start(old[start:][::-1], new[start:][::-1])
    old_middle, new_middle = old[start : len(old) - end], new[start : len(new) - end]
    if not old_middle and not new_middle:
        return ()
    if not old_middle or not new_middle:
        return (Hunk(start, start + len(old_middle), start, start + len(new_middle)),)
    frequent = _equal_pairs(old_middle, new_middle) > _MAX_EQUAL_PAIRS
    matcher = SequenceMatcher(None, old_middle, new_middle, autojunk=frequent)
    return tuple(
        Hunk(old_start + start, old_end + start, new_start + start, new_end + start)
        for tag, old_start, old_end, new_start, new_end in matcher.get_opcodes()
        if tag != "equal"
    )


def _equal_at_start(left: Sequence[str], right: Sequence[str]) -> int:
    count = 0
    for left_line, right_line in zip(left, right, strict=False):
        if left_line != right_line:
            break
        count += 1
    return count


def _equal_pairs(old: Sequence[str], new: Sequence[str]) -> int:
    """Return how many pairs of equal lines there are: what the time for a diff depends on."""
    in_new = Counter(new)
    return sum(count * in_new[line] for line, count in Counter(old).items())
