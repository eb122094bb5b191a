import difflib
import random
import time

from hypothesis import given
from hypothesis import strategies as st

from cortex.linediff import hunks, sections, unified
from cortex.mining.formatting import same_but_for_formatting
from cortex.mining.line_ownership import after_change, after_write, touched

TEXTS = st.lists(st.sampled_from(["a = 1", "b = 2", "", "  c()", "d", "\ud7ff"]), max_size=12)


@given(TEXTS, TEXTS)
def test_hunks_turn_one_text_into_the_other_and_touch_nothing_else(
    old: list[str], new: list[str]
) -> None:
    result: list[str] = []
    position = 0
    for hunk in hunks(old, new):
        assert position <= hunk.old_start <= hunk.old_end
        result += old[position : hunk.old_start] + new[hunk.new_start : hunk.new_end]
        position = hunk.old_end
    assert result + old[position:] == new


@given(TEXTS, TEXTS)
def test_lines_equal_at_both_ends_are_in_no_hunk(old: list[str], new: list[str]) -> None:
    around = [f"line {number}" for number in range(3)]
    for hunk in hunks([*around, *old, *around], [*around, *new, *around]):
        assert 3 <= hunk.old_start <= hunk.old_end <= len(old) + 3
        assert 3 <= hunk.new_start <= hunk.new_end <= len(new) + 3


@given(TEXTS, TEXTS, st.integers(0, 3))
def test_a_unified_diff_applies(old: list[str], new: list[str], context: int) -> None:
    lines = list(unified(old, new, ("a", "b"), context=context))
    assert bool(lines) == (old != new)
    result: list[str] = []
    position = 0
    for section in sections(old, new, hunks(old, new), context):
        result += old[position : section.old_start]
        assert len(result) == section.new_start
        result += [line[1:] for line in section.lines if line[0] != "-"]
        assert len(result) == section.new_end
        kept = [line[1:] for line in section.lines if line[0] != "+"]
        assert kept == old[section.old_start : section.old_end]
        position = section.old_end
    assert result + old[position:] == new


@given(st.sets(st.integers(0, 40)))
def test_a_unified_diff_reads_as_everybody_writes_it(changed: set[int]) -> None:
    old = [f"line {number}" for number in range(41)]
    new = [f"{line}!" if number in changed else line for number, line in enumerate(old)]
    expected = list(difflib.unified_diff(old, new, "a", "b", lineterm=""))
    assert list(unified(old, new, ("a", "b"))) == expected


def test_long_texts_of_recurring_lines_take_no_minutes() -> None:
    rng = random.Random(1)
    for count, distinct in ((400, 2), (1900, 20), (3000, 50), (3000, 3000)):
        old, new = ([f"{rng.randrange(distinct)}" for _ in range(count)] for _ in range(2))
        start = time.monotonic()
        first = hunks(old, new)
        assert time.monotonic() - start < 5
        assert hunks(old, new) == first


@given(TEXTS, TEXTS, TEXTS)
def test_every_line_has_one_owner_and_others_changes_own_nothing(
    first: list[str], second: list[str], third: list[str]
) -> None:
    before, after, later = ("\n".join(lines) for lines in (first, second, third))
    nobody = [False] * len(before.splitlines())
    owned = after_write(nobody, before, after)
    assert len(owned) == len(after.splitlines())
    mapped = after_change(owned, after, later)
    assert len(mapped) == len(later.splitlines())
    assert sum(mapped) <= sum(owned)
    assert not any(after_change(nobody, before, later))
    assert touched(owned, after, after) == ()


@given(TEXTS, TEXTS)
def test_a_change_of_a_file_that_the_agent_wrote_whole_is_inside(
    first: list[str], second: list[str]
) -> None:
    before, after = "\n".join(first), "\n".join(second)
    owned = [True] * len(before.splitlines())
    removes = any(hunk.old_end > hunk.old_start for hunk in hunks(first, second))
    assert not removes or touched(owned, before, after) or before.splitlines() != first


@given(TEXTS)
def test_layout_is_formatting_and_other_text_is_not(lines: list[str]) -> None:
    text = "\n".join(lines)
    assert same_but_for_formatting(text, "\r\n".join(f"  {line} " for line in lines))
    assert same_but_for_formatting(text, "\n".join(reversed(lines)))
    assert not same_but_for_formatting(text, f"{text}\nmore()")
