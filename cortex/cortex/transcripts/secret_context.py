"""Secrets that show by what stands before them: `PASSWORD=`, `-p`, `Authorization:`, `user:…@`.

A value counts only when it looks like one that a machine or a careful person made: names, calls and
placeholders of code stay. Texts are searched for the words first, which is much faster than the
expressions.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from cortex.transcripts.known_secrets import REMOVED, first_group

_QUOTE = r"(?:\\*[\"'`])"
_VALUE = r"[\"']?([^\s\"'|;&<>$(){}]{6,200})"
_ASSIGNED = re.compile(
    rf"[\w-]{{3,40}}{_QUOTE}?\s{{0,3}}(?::=|=>|=|:)\s{{0,3}}(?:{_QUOTE}([^\"'`\n]{{6,200}}?){_QUOTE}"
    r"|([^\s\"'`,;<>(){}\[\]\\$&|]{8,200}))"
)
_NAMES = ("pass", "pwd", "secret", "token", "credential", "key", "auth")
_KEYS = re.compile(
    r"(?:api|access|account|private|encryption|signing|auth|master|shared|client|secret)[_-]?\Z"
)
"""What stands before `key` in the name of a secret."""

_SCHEME = re.compile(r"\w+[ \t]+([\w+/=.~-]{12,500})")
_OPTION = re.compile(rf"--[\w-]+[ =]{_VALUE}")
_QUERY = re.compile(r"[\w?&-]+=([\w%+/.~-]{16,500})")
_STARTS = {
    "bearer ": _SCHEME,
    "basic ": _SCHEME,
    "token ": _SCHEME,
    "apikey ": _SCHEME,
    "--pass": _OPTION,
    "--token": _OPTION,
    "--api": _OPTION,
    "--secret": _OPTION,
    "--auth": _OPTION,
    "--access": _OPTION,
    "mysql": re.compile(rf"mysql\w*\b[^\n|;&]{{0,200}}?\s-p{_VALUE}", re.I),
    "mariadb": re.compile(rf"mariadb\w*\b[^\n|;&]{{0,200}}?\s-p{_VALUE}", re.I),
    "sshpass": re.compile(rf"sshpass\s+-p\s?{_VALUE}", re.I),
    "docker login": re.compile(rf"docker login\b[^\n|;&]{{0,200}}?\s-p\s?{_VALUE}", re.I),
    "redis-cli": re.compile(rf"redis-cli\b[^\n|;&]{{0,200}}?\s-a\s?{_VALUE}", re.I),
    " -u": re.compile(rf" -u[ =]?[\"']?[^\s:\"']{{1,64}}:{_VALUE}"),
    "--user": re.compile(rf"--user[ =][\"']?[^\s:\"']{{1,64}}:{_VALUE}"),
    "password ": re.compile(rf"\w+[ \t]+{_VALUE}"),
    "cookie: ": re.compile(r"\w+: [^\n]{0,200}?=([\w%+/.~-]{16,500})", re.I),
    "sig=": _QUERY,
    "signature=": _QUERY,
    "?key=": _QUERY,
    "&key=": _QUERY,
    "?code=": _QUERY,
    "&code=": _QUERY,
    "/api/webhooks/": re.compile(r"/api/webhooks/\d+/([\w-]{40,})", re.I),
    "webhook.office.com/": re.compile(r"webhook\.office\.com/\S{0,200}?/([0-9a-f]{32})/", re.I),
}
"""Word in small letters -> expression that begins there and whose group is the value."""

_PROGRAMS = frozenset({"mysql", "mariadb", "sshpass", "docker login", "redis-cli", " -u", "--user"})
"""After these nothing but a password can stand."""

_NPMRC = re.compile(r":_(?:authToken|auth|password)\s{0,2}=\s{0,2}[\"']?([^\s\"'${}]{6,})")
_ADDRESS = re.compile(
    r"://[^\s/:@\"'<>]{0,100}:(?!\d{1,5}[/?#])([^\s\"'<>]{3,200})@(?=[\w.\[-]+(?:[:/?#\s\"',]|\Z))"
)
_USER_ONLY = re.compile(r"://([A-Za-z0-9_-]{30,})@(?=[\w.-]+(?:[:/]|\Z))")
_PLACEHOLDER = re.compile(
    r"[{<$%*\[(]|(?:your|my|the|some|example|dummy|fake|test|sample|change|replace|insert)[-_ ]?"
    r"|(?:pass(?:word|wd)?|pwd|secret|token|none|null|true|false|undefined|x+|\.+|\*+)\Z",
    re.I,
)
_IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|->|::|\?\.)[A-Za-z_$][\w$]*)*\Z")
_CHOSEN = ("pass", "pwd")
"""Names of what people choose themselves, which is seldom random."""
_DIGIT, _SMALL, _LARGE = range(3)


def without_named(text: str) -> str:
    """Return `text` without the values that their context calls secret."""
    if "://" in text:
        text = _ADDRESS.sub(_unless_placeholder, text)
        text = _USER_ONLY.sub(_if_random, text)
    if ":_" in text:
        text = _NPMRC.sub(first_group, text)
    pieces, end = [], 0
    for start, stop in sorted(_values(text)):
        if start >= end:
            pieces += [text[end:start], REMOVED]
            end = stop
    return "".join([*pieces, text[end:]]) if pieces else text


def _values(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the secret values are."""
    small = _lower(text)
    for word, expression in _STARTS.items():
        for at in _places(small, word):
            match = expression.match(text, at)
            if match and _is_secret_after(word, match[1]):
                yield match.span(1)
    for name in _NAMES:
        for at in _places(small, name):
            if name == "key" and not _KEYS.search(small, max(0, at - 12), at):
                continue
            match = _ASSIGNED.match(text, at)
            if match and (value := _assigned(match, name)):
                start = match.end() - len(match[0]) + match[0].rindex(value)
                yield start, start + len(value)


def _lower(text: str) -> str:
    """Return small letters, at the same places."""
    small = text.lower()
    return small if len(small) == len(text) else text


def _places(text: str, word: str) -> Iterator[int]:
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + 1)


def _is_secret_after(word: str, value: str) -> bool:
    if word in _PROGRAMS:
        return not _PLACEHOLDER.match(value) and _changes(value) > 0
    return _is_secret(value, quoted=False)


def _assigned(match: re.Match[str], name: str) -> str | None:
    """Return the value of an assignment when it is secret."""
    if match[1] is not None:
        chosen = name in _CHOSEN and _is_chosen(match[1])
        return match[1] if chosen or _is_secret(match[1], quoted=True) else None
    if match.string[match.end() : match.end() + 1] in ("(", "["):
        return None
    value = match[2].rstrip(".:!?")
    setting = name in _CHOSEN and match[0][: -len(match[2])].endswith(("=", ": "))
    chosen = setting and " =" not in match[0] and "_" not in value and _is_chosen(value)
    return value if chosen or _is_secret(value, quoted=False) else None


def _is_chosen(value: str) -> bool:
    """Whether a value may be a password that a person chose: a word with a digit or a sign."""
    if _PLACEHOLDER.match(value) or any(char.isspace() for char in value) or "://" in value:
        return False
    return not re.fullmatch(r"[A-Za-z_./-]*|[\d.]+", value)


def _unless_placeholder(match: re.Match[str]) -> str:
    return match[0] if _PLACEHOLDER.match(match[1]) else first_group(match)


def _if_random(match: re.Match[str]) -> str:
    return first_group(match) if _changes(match[1]) >= 4 else match[0]


def _is_secret(value: str, quoted: bool) -> bool:
    """Whether a value under a telling name was made to be secret.

    Random text of letters and digits changes between digits, small and large letters often, names
    in code seldom. Quoted, less is enough.
    """
    if _PLACEHOLDER.match(value) or "removed]" in value or "://" in value:
        return False
    if quoted and " " in value.strip():
        return False
    changes = _changes(value)
    if value[:1] in ("/", ".") and changes * 5 < len(value):
        return False  # A path.
    digits = any(map(str.isdigit, value))
    if _IDENTIFIER.match(value):
        if not digits:
            return changes * 5 >= len(value) and changes >= 4
        if changes < (3 if quoted else 4):
            return quoted and changes >= 2 and "_" not in value
    letters = any(map(str.isalpha, value))
    if quoted:
        return (digits and letters and changes >= 2) or changes >= 3
    return changes >= 3 if digits and letters else changes >= 4


def _changes(value: str) -> int:
    """Return how often neighbours are of other kinds: digit, small letter, large letter.

    The step from the large letter that begins a word to its small ones does not count.
    """
    kinds = [_kind(char) for char in value]
    count = 0
    for at, (left, right) in enumerate(pairwise(kinds)):
        if left is None or right is None or left == right:
            continue
        begins_word = (left, right) == (_LARGE, _SMALL) and (not at or kinds[at - 1] != _LARGE)
        count += not begins_word
    return count


def _kind(char: str) -> int | None:
    if char.isdigit():
        return _DIGIT
    if char.islower():
        return _SMALL
    return _LARGE if char.isupper() else None
