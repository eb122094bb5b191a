"""Names, quotations and pieces of code for the template writer."""

import re
from collections.abc import Sequence

from cortex.model.corrections import Correction, Signal
from cortex.proposing import sanitise
from cortex.proposing.briefs import Brief

MAX_NAME = 40
MAX_QUOTE = 120
_SOLID = re.compile(r"\w.|.\w")


def clean_code(codes: Sequence[str]) -> list[str]:
    """Return the pieces of code that can stand in a sentence, most telling first.

    Phrases of a single line come before the first lines of longer ones.
    """
    solid = [code.strip() for code in codes]
    single = [code for code in solid if "\n" not in code]
    first_lines = [code.split("\n", 1)[0].strip() for code in solid if "\n" in code]
    return [code for code in dict.fromkeys([*single, *first_lines]) if _SOLID.search(code)]


def slug(verb: str, words: str) -> str:
    """Return a name like `use-clock-now`, in ASCII, at most MAX_NAME long."""
    tail = re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")
    return f"{verb}-{tail or 'convention'}"[:MAX_NAME].strip("-")


def quotation(brief: Brief) -> str:
    """Say how often the developer asked, with the shortest telling example of their words."""
    times = len(brief.theme.correction_ids)
    count = "once" if times == 1 else f"{times} times"
    example = _example(brief)
    if not example:
        return f"The developer corrected this by hand {count}."
    return f"The developer asked for this {count}, for example:\n\n> {example}"


def spoken(corrections: Sequence[Correction]) -> list[str]:
    """Return the developer's messages; hand edits have none."""
    messages = (
        correction.content
        for correction in corrections
        if correction.signal is not Signal.HAND_EDIT
    )
    return [words for words in messages if sanitise.says_something(words)]


def _example(brief: Brief) -> str:
    """Return a line, "" for none: words that name most of the code, short ones first."""
    codes = [*brief.theme.introduced, *brief.theme.removed]
    tokens = {token for code in codes for token in re.findall(r"\w{3,}", code)}
    ranked = sorted(
        spoken(brief.corrections),
        key=lambda words: (-sum(token in words for token in tokens), len(words), words),
    )
    return sanitise.line(ranked[0], MAX_QUOTE).lstrip("> ") if ranked else ""
