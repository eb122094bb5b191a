"""Words and names that carry the meaning of a correction, in several languages."""

import re
import unicodedata
from collections.abc import Iterator

from cortex.mining.stopwords import KEYWORDS, STOP_WORDS

_TOKEN = re.compile(r"@?[A-Za-z_À-ɏЀ-ӿ][\w.\-À-ɏЀ-ӿ]*|[\u3040-\u30ff\u3400-\u9fff]+")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_PARTS = re.compile(r"[A-Z]+(?![a-z])\d*|[A-Z]?[a-zß-ÿ]+\d*|[а-яё]+\d*|\d+")


def word_features(text: str) -> frozenset[str]:
    """Return the telling words of a text: folded, lightly stemmed, without stop words."""
    return frozenset(_words(text))


def _words(text: str) -> Iterator[str]:
    for token in _TOKEN.findall(unicodedata.normalize("NFC", text)):
        if _CJK.search(token):
            yield from (token[at : at + 2] for at in range(len(token) - 1))
            continue
        for part in _split(token):
            if part not in STOP_WORDS and len(part) > 1:
                yield stem(part)


def _split(token: str) -> Iterator[str]:
    """A name gives its parts: `PagedResult` and `paged_result` say the same."""
    for piece in re.split(r"[^\w]+|_", token):
        parts = _PARTS.findall(piece)
        yield from (part.lower() for part in (parts if len(parts) > 1 else [piece]))


_ENDINGS = ("ations", "ation", "ings", "ing", "ies", "ied", "ers", "es", "ed", "er", "en", "s")


def stem(word: str) -> str:
    """Return a word without the endings that inflection adds most often."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    word = word.removesuffix("e") if len(word) > 3 else word
    doubled = len(word) > 3 and word[-1] == word[-2] and word[-1] in "bdfgmnprt"
    return word[:-1] if doubled else word


_DOTTED = re.compile(r"[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*\(?")
_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_FROM_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n]*)"
    r"|import[ \t]*\{([^}]*)\}[ \t]*from\b)",
    re.MULTILINE,
)
_STRING_OR_COMMENT = re.compile(r"(?:#|//).*$|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'", re.MULTILINE)


def code_names(lines: str) -> frozenset[str]:
    """Return the names in some lines of code, without keywords, comments and strings."""
    names = _NAME.findall(_bare(lines))
    return frozenset(name for name in names if name.lower() not in KEYWORDS and len(name) > 1)


def expressions(lines: str) -> frozenset[str]:
    """Return the dotted names in some lines of code, calls as `clock.now()`.

    A name that is imported from somewhere and then used as `name.member` is told by that use.
    """
    bare = _bare(lines)
    used = {match.group().partition(".")[0] for match in _DOTTED.finditer(bare) if "." in match[0]}
    rest = _FROM_IMPORT.sub(lambda match: _unused(match, used), bare)
    names = (match.group() for match in _DOTTED.finditer(rest))
    telling = (name for name in names if name.rstrip("(").lower() not in KEYWORDS)
    return frozenset(f"{name})" if name.endswith("(") else name for name in telling)


def _unused(imported: re.Match[str], used: set[str]) -> str:
    """What an import says that the use of its names does not."""
    wanted = (name for name in (imported[2] or imported[3]).strip("()").split(",") if name.strip())
    names = [name for name in wanted if name.split()[-1] not in used]
    return f"{imported[1] or ''} {' '.join(names)}" if names else ""


def _bare(lines: str) -> str:
    return _STRING_OR_COMMENT.sub(" ", lines)
