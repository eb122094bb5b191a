"""Characters that a person does not see, where no writing system or emoji needs them."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator

MAX_NAMED = 10
"""Different places that a message names."""
SHAPELESS = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2028\u2029\u2065\u2800\u3164\ufe00-\ufe0f"
    "\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]"
)
"""Printable for Unicode, and drawn as nothing: a sequence of them can hold a text."""
_NUMBER_SIGNS = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2")
"""Format characters that are drawn."""
_JOINERS = "\u200c\u200d"
_JOINING = re.compile(
    "[\u0600-\u08ff\u0900-\u0dff\u1000-\u109f\u1780-\u18af\u1b00-\u1bff\ua840-\ua87f\ua8e0-\ua8ff"
    "\ua980-\ua9df\uaa60-\uaa7f\ufb50-\ufdff\ufe70-\ufefc\U00010a00-\U00010fff"
    "\U00011000-\U00011fff]"
)
"""Arabic, Syriac, Indic and other scripts whose words are written with joiners."""
_SKIN = re.compile("[\U0001f3fb-\U0001f3ff]")
_PICTURES = re.compile("[\U0001f000-\U0001faff]")
_KEYS = frozenset("#*0123456789\u203c\u2049\u3030\u303d")
"""Emoji that are no symbols by their category."""
_FLAGS = tuple(
    "\U0001f3f4" + "".join(chr(0xE0000 + ord(char)) for char in region) + "\U000e007f"
    for region in ("gbeng", "gbsct", "gbwls")
)
_CONTROLS = {0: "NULL", 8: "BACKSPACE", 11: "LINE TABULATION", 12: "FORM FEED",
             13: "CARRIAGE RETURN", 27: "ESCAPE", 127: "DELETE", 133: "NEXT LINE"}  # fmt: skip


def hidden(text: str) -> Iterator[int]:
    """Yield the indices of hidden characters.

    Legal: tabs, line ends, a byte order mark at the start, joiners within words of scripts that
    need them and within emoji, variation selectors of emoji, flags of regions.
    """
    if text.isascii() and text.isprintable():
        return
    flags = {
        index
        for flag in _FLAGS
        for match in re.finditer(flag, text)
        for index in range(*match.span())
    }
    for index, char in enumerate(text):
        suspect = char not in "\t\n" and is_suspect(char) and index not in flags
        if suspect and not _is_needed(text, index):
            yield index


def is_suspect(char: str) -> bool:
    """Whether a person does not see the character, wherever it stands."""
    if char in _NUMBER_SIGNS:
        return False
    return unicodedata.category(char) in ("Cc", "Cf", "Cs") or SHAPELESS.match(char) is not None


def problems(text: str) -> str:
    """Return `line 3: U+202E RIGHT-TO-LEFT OVERRIDE, …`; empty without hidden characters."""
    places: Counter[tuple[int, str]] = Counter()
    line, before = 1, 0
    for index in hidden(text):
        line += text.count("\n", before, index)
        before = index
        places[line, text[index]] += 1
    named = [
        f"line {line}: {name(char)}" + (f" ({times} times)" if times > 1 else "")
        for (line, char), times in list(places.items())[:MAX_NAMED]
    ]
    more = sum(list(places.values())[MAX_NAMED:])
    return ", ".join([*named, *([f"and {more} more"] if more else [])])


def name(char: str) -> str:
    """Return code point and name: `U+202E RIGHT-TO-LEFT OVERRIDE`."""
    known = _CONTROLS.get(ord(char), "CONTROL" if ord(char) < 0xA0 else "UNNAMED")
    return f"U+{ord(char):04X} {unicodedata.name(char, known)}"


def _is_needed(text: str, index: int) -> bool:
    """Whether a suspect character belongs to what stands around it."""
    char = text[index]
    before, after = text[index - 1 : index], text[index + 1 : index + 2]
    if char == "\ufeff":
        return index == 0
    if char == "\r":
        return after == "\n"
    if char == "\u2800":
        return any("\u2801" <= other <= "\u28ff" for other in (before, after))
    if "\u180b" <= char <= "\u180d" or char == "\u180f":
        return "\u1820" <= before <= "\u18aa"
    if char in "\ufe0e\ufe0f":
        return _is_emoji(before) or before in _KEYS
    if char in _JOINERS and _JOINING.match(before):
        return True
    return char == "\u200d" and _is_emoji(_base(text, index)) and _is_emoji(after)


def _base(text: str, index: int) -> str:
    """Return the character before `index`, without the selector and the skin tone behind it."""
    while index > 0:
        index -= 1
        if text[index] != "\ufe0f" and not _SKIN.match(text[index]):
            return text[index]
    return ""


def _is_emoji(char: str) -> bool:
    if not char:
        return False
    return unicodedata.category(char) in ("So", "Sm") or _PICTURES.match(char) is not None
