"""Reading shell commands as far as checks need it; never running them."""

import re

NEW_BRANCH = r"^git\s+(?:checkout\s+-b|switch\s+(?:-c|--create)|branch\s+[^-\s])"
"""A segment that makes a branch, in any of git's ways."""

_HEREDOC = re.compile(r"<<-?\s*(['\"]?)(\w+)\1([^\n]*)\n.*?(?:\n\s*\2\b|\Z)", re.DOTALL)
_QUOTED = re.compile(r"""'[^']*'|"(?:[^"\\]|\\.)*\"""")
_ASSIGNMENT = re.compile(r"^(?:[A-Za-z_]\w*=\S*\s+)+(?=\S)")
_PREFIX = re.compile(r"^(?:(?:sudo|time|command|env|nohup|exec|then|do|else|\()\s+)+")
_GIT_OPTION = re.compile(r"^git((?:\s+-[Cc]\s+\S+|\s+--[\w-]+(?:=\S+)?)+)(?=\s)")
_NESTED = re.compile(r"^(?:ba|z|da)?sh\s+-\w*c\s+(['\"])(.*)\1\s*$", re.DOTALL)
_TALK = frozenset(
    [
        "echo",
        "printf",
        "cat",
        "grep",
        "rg",
        "ls",
        "cd",
        "pwd",
        "head",
        "tail",
        "find",
        "sed",
        "awk",
        "wc",
        "which",
        "true",
        "sleep",
        "export",
        "tree",
        "less",
        "touch",
        "mkdir",
    ]
)


def segments(command: str) -> tuple[str, ...]:
    """Return the simple commands of a shell line in order, in a normal form.

    Here-documents, variable assignments in front, wrappers such as `sudo`, git's global options
    and quoted text with spaces are taken out, and commands that only look or talk are left out,
    so that `echo "git commit"` does not count as a commit.
    """
    found: list[str] = []
    for part in _split(_HEREDOC.sub(r"<<\2\3\n", command)):
        nested = _NESTED.match(part)
        if nested:
            found.extend(segments(nested.group(2)))
        elif (plain := _normal(part)) and plain.split()[0] not in _TALK:
            found.append(plain)
    return tuple(found)


def _normal(part: str) -> str:
    text = _QUOTED.sub(_unquote, part.strip())
    for pattern in (_PREFIX, _ASSIGNMENT, _PREFIX):
        text = pattern.sub("", text)
    return " ".join(_GIT_OPTION.sub("git", text).split())


def _unquote(match: re.Match[str]) -> str:
    inner = match.group()[1:-1]
    return '""' if re.search(r"\s", inner) or not inner else inner


def _split(command: str) -> list[str]:
    """Split at `;`, `&`, `|` and newlines outside of quotes; `2>&1` holds together."""
    parts, current, quote, previous = [], "", "", ""
    for index, char in enumerate(command):
        following = command[index + 1 : index + 2]
        if quote:
            quote = "" if char == quote and previous != "\\" else quote
        elif char in "'\"" and previous != "\\":
            quote = char
        elif char in ";|\n" or (char == "&" and previous != ">" and following != ">"):
            parts.append(current)
            current, previous = "", ""
            continue
        current += char
        previous = char
    parts.append(current)
    return [part for part in parts if part.strip()]
