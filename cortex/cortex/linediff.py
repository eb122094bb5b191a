"""Differences of two texts, line by line; the same texts always give the same differences.

diff-match-patch compares them, each line as a character. Its time limit is off, because an answer
that depends on the clock is another one on each machine; instead the input is kept small: equal
ends and lines of only one text are set aside, and long texts are cut at lines that are unique in
both (the anchors of patience diff).
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

MAX_CELLS = 40_000
"""Product of the numbers of lines above which a text is cut at anchors first."""
MAX_LINES = 1_500
"""Lines of a part without anchors above which it counts as replaced as a whole."""

Match = tuple[int, int]
"""Numbers of an equal line in the old and in the new text."""


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines `old_start:old_end` of the old text became `new_start:new_end` of the new one."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


def hunks(old: Sequence[str], new: Sequence[str]) -> tuple[Hunk, ...]:
    """Return the changed ranges of lines in order, never overlapping."""
    return tuple(_gaps(_matches(old, new, 0, 0), len(old), len(new)))


@dataclass(frozen=True, slots=True)
class Section:
    """Changes that lie close together, with the equal lines around them."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int
    lines: tuple[str, ...]
    """Marked ` `, `-` and `+` as in a unified diff."""


def sections(
    old: Sequence[str], new: Sequence[str], changed: Sequence[Hunk], context: int = 3
) -> Iterator[Section]:
    """Yield the changes in order, with `context` equal lines before and after.

    `changed` may leave hunks out: those lines count as equal, and the new text is the one that has
    the other changes only.
    """
    shift = 0
    for group in _groups(changed, context):
        start = max(0, group[0].old_start - context)
        end = min(len(old), group[-1].old_end + context)
        new_start = start + shift
        shift += sum((h.new_end - h.new_start) - (h.old_end - h.old_start) for h in group)
        lines = tuple(_marked(old, new, group, start, end))
        yield Section(start, end, new_start, end + shift, lines)


def unified(
    old: Sequence[str],
    new: Sequence[str],
    names: tuple[str, str],
    changed: Sequence[Hunk] | None = None,
    context: int = 3,
) -> Iterator[str]:
    """Yield the lines of a unified diff without line ends, nothing for equal texts.

    `names` are those of the old and the new text; `changed` and `context` are as for `sections`.
    """
    changed = hunks(old, new) if changed is None else changed
    if changed:
        yield from (f"--- {names[0]}", f"+++ {names[1]}")
    for section in sections(old, new, changed, context):
        old_span = _span(section.old_start, section.old_end)
        yield f"@@ -{old_span} +{_span(section.new_start, section.new_end)} @@"
        yield from section.lines


def _groups(changed: Sequence[Hunk], context: int) -> Iterator[list[Hunk]]:
    """Yield the hunks in groups whose lines of context touch or overlap."""
    group: list[Hunk] = []
    for hunk in changed:
        if group and hunk.old_start - group[-1].old_end > 2 * context:
            yield group
            group = []
        group.append(hunk)
    if group:
        yield group


def _marked(
    old: Sequence[str], new: Sequence[str], group: Sequence[Hunk], start: int, end: int
) -> Iterator[str]:
    for hunk in group:
        yield from (f" {line}" for line in old[start : hunk.old_start])
        yield from (f"-{line}" for line in old[hunk.old_start : hunk.old_end])
        yield from (f"+{line}" for line in new[hunk.new_start : hunk.new_end])
        start = hunk.old_end
    yield from (f" {line}" for line in old[start:end])


def _span(start: int, end: int) -> str:
    """Return a range of lines as the headers of unified diffs write it."""
    count = end - start
    return str(start + 1) if count == 1 else f"{start + 1 if count else start},{count}"


def _gaps(matches: Iterator[Match], old_length: int, new_length: int) -> Iterator[Hunk]:
    old_at = new_at = 0
    for old_line, new_line in (*matches, (old_length, new_length)):
        if old_line > old_at or new_line > new_at:
            yield Hunk(old_at, old_line, new_at, new_line)
        old_at, new_at = old_line + 1, new_line + 1


def _matches(
    old: Sequence[str], new: Sequence[str], old_offset: int, new_offset: int
) -> Iterator[Match]:
    """Yield the equal lines of two parts of texts, in order, numbered from the offsets."""
    start = _equal_at_start(old, new)
    end = _equal_at_start(old[start:][::-1], new[start:][::-1])
    yield from ((old_offset + line, new_offset + line) for line in range(start))
    old_middle, new_middle = old[start : len(old) - end], new[start : len(new) - end]
    if old_middle and new_middle:
        yield from _middle(old_middle, new_middle, old_offset + start, new_offset + start)
    for line in range(end, 0, -1):
        yield old_offset + len(old) - line, new_offset + len(new) - line


def _middle(
    old: Sequence[str], new: Sequence[str], old_offset: int, new_offset: int
) -> Iterator[Match]:
    anchors = _anchors(old, new) if len(old) * len(new) > MAX_CELLS else ()
    if not anchors:
        for old_line, new_line in _compared(old, new):
            yield old_offset + old_line, new_offset + new_line
        return
    old_at = new_at = 0
    for old_line, new_line in (*anchors, (len(old), len(new))):
        part = (old[old_at:old_line], new[new_at:new_line])
        yield from _matches(*part, old_offset + old_at, new_offset + new_at)
        if old_line < len(old):
            yield old_offset + old_line, new_offset + new_line
        old_at, new_at = old_line + 1, new_line + 1


def _anchors(old: Sequence[str], new: Sequence[str]) -> tuple[Match, ...]:
    """Return the longest rising sequence of lines that are unique in both texts."""
    old_counts, new_counts = Counter(old), Counter(new)
    positions = {line: number for number, line in enumerate(new) if new_counts[line] == 1}
    unique = [
        (number, positions[line])
        for number, line in enumerate(old)
        if old_counts[line] == 1 and line in positions
    ]
    tails: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for index, (_, position) in enumerate(unique):
        length = bisect_left(tails, position)
        before.append(last[length - 1] if length else -1)
        tails[length : length + 1] = [position]
        last[length : length + 1] = [index]
    chain: list[Match] = []
    index = last[-1] if last else -1
    while index >= 0:
        chain.append(unique[index])
        index = before[index]
    return tuple(reversed(chain))


def _compared(old: Sequence[str], new: Sequence[str]) -> Iterator[Match]:
    """Yield the equal lines that diff-match-patch finds among those that both texts have."""
    common = set(old) & set(new)
    old_lines = [number for number, line in enumerate(old) if line in common]
    new_lines = [number for number, line in enumerate(new) if line in common]
    if max(len(old_lines), len(new_lines)) > MAX_LINES:
        return
    codes = {line: chr(0xE000 + code) for code, line in enumerate(dict.fromkeys(old))}
    old_text = "".join(codes[old[number]] for number in old_lines)
    new_text = "".join(codes[new[number]] for number in new_lines)
    old_at = new_at = 0
    for operation, text in _engine().diff_main(old_text, new_text, False):
        for _ in range(len(text) if operation == 0 else 0):
            yield old_lines[old_at], new_lines[new_at]
            old_at, new_at = old_at + 1, new_at + 1
        old_at += len(text) if operation < 0 else 0
        new_at += len(text) if operation > 0 else 0


@cache
def _engine() -> Any:
    from diff_match_patch import diff_match_patch

    engine = diff_match_patch()
    engine.Diff_Timeout = 0
    return engine


def _equal_at_start(left: Sequence[str], right: Sequence[str]) -> int:
    count = 0
    for left_line, right_line in zip(left, right, strict=False):
        if left_line != right_line:
            break
        count += 1
    return count
