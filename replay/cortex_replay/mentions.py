"""Files that a prompt mentions by `@path`: an agent sends their content with its request."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from urllib.parse import unquote

_MENTION = re.compile(r"(?<![A-Za-z0-9])[@\uff20]\s?[\"'`“‘(<\[{]?([^\s\"'`”’)>\]}|,;]+)")
_SIGN = re.compile(r"[@\uff20]")
_ROOT = re.compile(r"[/\\~$%]|[A-Za-z]:|file:", re.I)
_OPENING = "\"'`(<[{@"
_MAX_UNQUOTED = 4
"""How often a path is percent-decoded; what is encoded more often counts as outside."""
_MAX_LINKS = 40
"""As the kernel has it: more links on the way lead nowhere."""


def mentions_any(prompt: str) -> bool:
    """Whether the prompt has a sign that could begin a mention."""
    return _SIGN.search(prompt) is not None


def mentions_outside(prompt: str) -> bool:
    """Whether the prompt may mention a file outside of the workspace, in whatever notation.

    Absolute, by the home folder, a variable, a drive, a URL, or upwards; also percent-encoded and
    behind quotes. A task with such a prompt would send a file of the person in every trial.
    """
    return any(_leaves(path) for path in _mentioned(prompt))


def mentions_link_outside(prompt: str, links: Mapping[str, str]) -> bool:
    """Whether the prompt may mention a file through a link of the tree that leads out of it.

    `links`: relative path -> target of every link in the tree. Names are compared without case, as
    some file systems do.
    """
    folded = {_folded(path): target for path, target in links.items()}
    if any(_goes_out(path, folded) for path in _mentioned(prompt)):
        return True
    outer = [path for path in folded if _goes_out(path, folded)]
    after = [_folded(text) for text in _SIGN.split(prompt)[1:]]
    return any(text.lstrip(_OPENING + "./ ").startswith(path) for text in after for path in outer)


def _mentioned(prompt: str) -> Iterator[str]:
    """Yield every reading of every mention: as it stands, decoded, without invisible characters."""
    for match in _MENTION.finditer(prompt):
        path = match[1]
        for _ in range(_MAX_UNQUOTED):
            yield path
            yield path.replace("\\", "/")
            yield _visible(path)
            decoded = unquote(path)
            if decoded == path:
                break
            path = decoded
        else:
            yield "/"


def _visible(path: str) -> str:
    """Return a path in its compatible form, without characters that are not seen."""
    normal = unicodedata.normalize("NFKC", path)
    return "".join(char for char in normal if unicodedata.category(char) not in ("Cf", "Cc", "Mn"))


def _leaves(path: str) -> bool:
    bare = path.lstrip(_OPENING + ".") if not path.startswith(".") else path
    return bool(_ROOT.match(bare)) or ".." in PurePosixPath(bare).parts


def _folded(path: str) -> str:
    return unicodedata.normalize("NFC", path).casefold()


def _goes_out(path: str, links: Mapping[str, str]) -> bool:
    """Whether a relative path leads out of the tree through its links (folded paths)."""
    waiting = list(reversed(_folded(path).lstrip(_OPENING).split("/")))
    place: list[str] = []
    followed = 0
    while waiting:
        part = waiting.pop()
        if part in ("", "."):
            continue
        if part == "..":
            if not place:
                return True
            place.pop()
            continue
        target = links.get("/".join([*place, part]))
        if target is None:
            place.append(part)
            continue
        followed += 1
        if target.startswith("/") or followed > _MAX_LINKS:
            return True
        waiting += reversed(_folded(target).split("/"))
    return False
