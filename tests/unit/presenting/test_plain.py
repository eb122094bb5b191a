"""Text of others cannot steer a terminal, hide, or break an encoding."""

import pytest

from cortex.presenting.plain import correction_line, one_line, plain


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b]0;title\x07", "\\x1b[31mred\\x1b]0;title\\x07"),
        ("a\x9bb", "a\\x9bb"),
        ("abc\rxyz", "abc\\x0dxyz"),
        ("\u202etxt.exe", "\\u202etxt.exe"),
        ("zero\u200bwidth\xad", "zero\\u200bwidth\\xad"),
        ("tag\U000e0041", "tag\\U000e0041"),
        ("byte\udc9b", "byte\\udc9b"),
    ],
)
def test_control_and_invisible_characters_are_written_out(text: str, shown: str) -> None:
    assert plain(text) == shown
    plain(text).encode("utf-8")


@pytest.mark.parametrize("text", ["a\tb\nc", "naïve 日本語 Ελλάδα", "👩\u200d💻", "[b]x[/b] <i>"])
def test_other_text_stays_as_it_is(text: str) -> None:
    assert plain(text) == text


def test_windows_line_ends_become_newlines() -> None:
    assert plain("a\r\nb\r\n") == "a\nb\n"


def test_a_line_is_printable_and_short() -> None:
    assert one_line("a\n\x1b[2Jb   c") == "a [2Jb c"
    assert one_line("x" * 100, 10) == "x" * 9 + "…"


def test_an_edit_by_hand_reads_as_its_lines() -> None:
    edit = "--- a.py\n+++ a.py\n@@ -1,3 +1,2 @@\n def f():\n-    old()\n-\n+    new()"
    assert correction_line(edit, 60) == "- old() + new()"
    assert correction_line(edit, 9) == "- old() …"
    assert correction_line("--- no\nwords", 60) == "--- no words"
    assert correction_line("", 60) == ""


@pytest.mark.parametrize(
    "char", ["\u034f", "\u3164", "\u2800", "\uffa0", "\U000e0101", "\U000e0141"]
)
def test_characters_without_a_shape_are_written_out(char: str) -> None:
    assert "\\u" in plain(f"a{char}b").lower()
