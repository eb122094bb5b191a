"""Hidden characters are named, and those that a language or an emoji needs are legal."""

import pytest

from cortex.proposing import hidden, sanitise

FLAG = "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"


@pytest.mark.parametrize(
    "text",
    [
        "plain\ttext\r\nwith CRLF\n", "\ufeff# BOM at the start", "naïve café – “quotes”",
        "日本語 한국어",
        "می\u200cخواهم نامه\u200cای", "क्\u200dष and क्\u200cष", "ශ්\u200dරී", "هـ\u200d",
        "👩\u200d💻 👩🏽\u200d🚀 🏳\ufe0f\u200d🌈 ❤\ufe0f\u200d🔥 ",
        "👨\u200d👩\u200d👧\u200d👦 ✔\ufe0f 1\ufe0f\u20e3 ™\ufe0f",
        f"the flag {FLAG}", "⠓\u2800⠊", "\ue0b0 powerline", "\u0600 sign",
    ],
)  # fmt: skip
def test_what_is_needed_is_legal(text: str) -> None:
    assert hidden.problems(text) == ""


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("a\nb\nx\u202ey", "line 3: U+202E RIGHT-TO-LEFT OVERRIDE"),
        ("a\u200bb\u200bc", "line 1: U+200B ZERO WIDTH SPACE (2 times)"),
        ("a\r\n\u2066b", "line 2: U+2066 LEFT-TO-RIGHT ISOLATE"),
        ("a\ufeffb", "line 1: U+FEFF ZERO WIDTH NO-BREAK SPACE"),
        ("\ufeff\ufeff", "line 1: U+FEFF ZERO WIDTH NO-BREAK SPACE"),
        ("a\u200db", "line 1: U+200D ZERO WIDTH JOINER"),
        ("go\u200c", "line 1: U+200C ZERO WIDTH NON-JOINER"),
        ("می\u200c\u200cخ", "line 1: U+200C ZERO WIDTH NON-JOINER"),
        ("👩\u200d", "line 1: U+200D ZERO WIDTH JOINER"),
        ("a\ufe0f", "line 1: U+FE0F VARIATION SELECTOR-16"),
        ("✔\ufe0f\ufe0f", "line 1: U+FE0F VARIATION SELECTOR-16"),
        ("✔\U000e0101", "line 1: U+E0101 VARIATION SELECTOR-18"),
        ("\U000e0069", "line 1: U+E0069 TAG LATIN SMALL LETTER I"),
        (FLAG + "\U000e0069", "line 1: U+E0069 TAG LATIN SMALL LETTER I"),
        ("\x1b[2J", "line 1: U+001B ESCAPE"), ("a\rb", "line 1: U+000D CARRIAGE RETURN"),
        ("\x00", "line 1: U+0000 NULL"), ("\x9b", "line 1: U+009B CONTROL"),
        ("a\u2028b", "line 1: U+2028 LINE SEPARATOR"), ("a\xadb", "line 1: U+00AD SOFT HYPHEN"),
        ("\u3164", "line 1: U+3164 HANGUL FILLER"),
        ("a\u2800", "line 1: U+2800 BRAILLE PATTERN BLANK"),
        ("\u200f", "line 1: U+200F RIGHT-TO-LEFT MARK"),
        ("\u200b\n" * 12, ", ".join(f"line {n}: U+200B ZERO WIDTH SPACE" for n in range(1, 11))
         + ", and 2 more"),
    ],
)  # fmt: skip
def test_what_hides_is_named(text: str, named: str) -> None:
    assert hidden.problems(text) == named


@pytest.mark.parametrize(
    "text", ["می\u200cخواهم", "👩🏽\u200d🚀 ✔\ufe0f", "a\u200db", "\ufeffx\u202ey"]
)
def test_text_of_a_session_keeps_what_is_needed_only(text: str) -> None:
    shown = sanitise.visible(text)
    assert hidden.problems(shown) == ""
    assert sanitise.body(shown) == shown
    assert (shown == text) == (hidden.problems(text) == "")
    for limit in range(1, len(text)):
        assert hidden.problems(sanitise.line(text, limit)) == ""
