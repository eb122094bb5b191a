"""Files that a prompt mentions by `@path`: an agent sends their content with its request."""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from urllib.parse import unquote

_MENTION = re.compile(r"(?<![A-Za-z0-9])[@\uff20]\s?[\"'`“‘(<\[{]?([^\s\"'`”’)>\]}|,;]+)")
_ROOT = re.compile(r"[/\\~$%]|[A-Za-z]:|file:", re.I)


def mentions_outside(prompt: str) -> bool:
    """Whether the prompt may mention a file outside of the workspace, in whatever notation.

    Absolute, by the home folder, a variable, a drive, a URL, or upwards; also percent-encoded and
    behind quotes. A task with such a prompt would send a file of the person in every trial.
    """
    return any(_leaves(path) for path in _mentioned(prompt))


def _mentioned(prompt: str) -> Iterator[str]:
    for match in _MENTION.finditer(prompt):
        yield match[1]
        yield unquote(match[1])
        yield match[1].replace("\\", "/")


def _leaves(path: str) -> bool:
    bare = path.lstrip("\"'`(<[{.") if not path.startswith(".") else path
    return bool(_ROOT.match(bare)) or ".." in PurePosixPath(bare).parts
