"""Distinctive words, for files whose structure is not known and differences that have none."""

import re
from collections.abc import Iterator

from cortex.tasks.features import Feature
from cortex.tasks.languages import language_of
from cortex.tasks.lines import split

_TOKEN = re.compile(r"[A-Za-z_][\w.-]*\w|\d+(?:\.\d+)*")
_STRING = re.compile(r"""'[^'\n]*'|"[^"\n]*\"""")
_PROSE = frozenset({"md", "rst", "txt", "adoc", "markdown", ""})


def tokens(path: str, text: str, fresh: frozenset[int]) -> tuple[Feature, ...]:
    """Return the words on the lines `fresh`; in code, quoted text is left out."""
    by_pattern: dict[str, Feature] = {}
    for line, token in _tokens(text, fresh, code=language_of(path) is not None):
        pattern = rf"(?<![\w.-]){re.escape(token)}(?![\w-])"
        by_pattern.setdefault(pattern, Feature(pattern, None, "token", (token,), path, line))
    return tuple(by_pattern.values())


def is_prose(path: str) -> bool:
    """Whether a file holds sentences: no two people write the same ones."""
    name = path.rpartition("/")[2]
    return name.rpartition(".")[2].lower() in _PROSE if "." in name else False


def _tokens(text: str, fresh: frozenset[int], *, code: bool) -> Iterator[tuple[int, str]]:
    for number, row in enumerate(split(text)):
        if number in fresh:
            shown = _STRING.sub('""', row) if code else row
            yield from ((number, token) for token in _TOKEN.findall(shown))
