"""Whether a piece of harness text repeats another: words only, no model."""

import re
from functools import lru_cache
from typing import NamedTuple

from cortex.artifacts import frontmatter

_CODE = re.compile(r"`([^`\n]+)`")
_WORD = re.compile(r"[^\W_]+(?:[._/-][^\W_]+)*", re.UNICODE)
_WORDS_ALONE = 0.7
_WORDS_WITH_CODE = 0.5
_CODE_SHARED = 0.8


class _Essence(NamedTuple):
    code: frozenset[str]
    shingles: frozenset[tuple[str, ...]]
    words: frozenset[str]


def repeats(text: str, known: str) -> bool:
    """Whether most of what `text` asks for is already in `known`.

    Code in backquotes decides first: two rules with other code are two rules, however alike
    their sentences are. Frontmatter, globs and quotations do not count. Empty text repeats nothing.
    """
    ours, theirs = _essence(text), _essence(known)
    if not ours.words:
        return False
    if ours.code:
        code = len(ours.code & theirs.code) / len(ours.code)
        words = len(ours.words & theirs.words) / len(ours.words)
        return code >= _CODE_SHARED and words >= _WORDS_WITH_CODE
    return len(ours.shingles & theirs.shingles) / len(ours.shingles) >= _WORDS_ALONE


@lru_cache(maxsize=1024)
def _essence(text: str) -> _Essence:
    _, body = frontmatter.split(text)
    lines = [line for line in body.splitlines() if not line.lstrip().startswith(">")]
    plain = "\n".join(lines)
    words = [word.lower() for word in _WORD.findall(plain)]
    size = min(3, len(words))
    shingles = {tuple(words[at : at + size]) for at in range(len(words) - size + 1)}
    spans = (span for span in _CODE.findall(plain) if "*" not in span)
    code = {re.sub(r"\W*\Z", "", span.strip()) for span in spans}
    return _Essence(frozenset(code - {""}), frozenset(shingles), frozenset(words))
