"""Files that a prompt names by their paths."""

import re
from collections.abc import Iterator
from pathlib import Path

from cortex_replay import files

MOST_FILES = 20
LONGEST = 100_000
"""Characters of a file that is sent with a prompt."""
_WORD = re.compile(r"@?[\w./+-]*\w")
_SUFFIX = re.compile(r"\.[A-Za-z]\w{0,9}$")


def paths(prompt: str, workspace: Path, *, mentioned: bool = False) -> tuple[str, ...]:
    """Return the relative paths of text files in the workspace that the prompt names, each once.

    With `mentioned` only those with an `@` before them.
    """
    there = dict.fromkeys(
        path for path in _words(prompt, mentioned=mentioned) if _text(workspace, path) is not None
    )
    return tuple(there)[:MOST_FILES]


def targets(prompt: str) -> tuple[str, ...]:
    """Return all that looks like the path of a file in the prompt, there or not, each once."""
    words = _words(prompt, mentioned=False)
    return tuple(dict.fromkeys(word for word in words if _SUFFIX.search(word)))


def text_of(workspace: Path, path: str) -> str:
    """Return the text of a named file."""
    return _text(workspace, path) or ""


def _words(prompt: str, *, mentioned: bool) -> Iterator[str]:
    for match in _WORD.finditer(prompt):
        word = match.group()
        if mentioned and not word.startswith("@"):
            continue
        path = word.removeprefix("@").removeprefix("./")
        if files.inside(path):
            yield path


def _text(workspace: Path, path: str) -> str | None:
    if not files.is_plain(workspace / path, workspace):
        return None
    text = files.read_text(workspace, path)
    return text if text is None or len(text) <= LONGEST else None
