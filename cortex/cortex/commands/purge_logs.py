"""What the logs in Cortex's folder say about purged sessions."""

import re
from collections.abc import Iterable, Sequence, Set
from contextlib import suppress
from pathlib import Path

from cortex import crash
from cortex.timestamps import parse

LOGS = "daemon.log*"
_TOKEN = re.compile(rb"[\w-]+")
_ENTRY = re.compile(rb"\d{4}-\d\d-\d\dT")
"""How an entry of the daemon's log begins; other lines belong to the entry before."""


def crash_logs(home: Path, since: Sequence[str]) -> tuple[Path, ...]:
    """Return the logs of bugs written after the first of the times `since` (ISO 8601).

    Such a log names no session, and its error may quote any that existed by then.
    """
    starts = []
    for each in since:
        try:
            starts.append(parse(each).timestamp())
        except ValueError:
            starts.append(0.0)
    if not starts:
        return ()
    logs = sorted((home / crash.FOLDER).glob("*.log"))
    return tuple(log for log in logs if _changed(log) >= min(starts))


def remove(logs: Iterable[Path]) -> None:
    """Remove logs of bugs; some may be gone already."""
    for log in logs:
        log.unlink(missing_ok=True)


def named_lines(home: Path, names: Set[str], phrases: Iterable[str]) -> int:
    """Return how many lines of the daemon's logs name one of `names` or hold one of `phrases`."""
    matcher = _Matcher(names, phrases)
    return sum(matcher.clean(log.read_bytes())[1] for log in home.glob(LOGS))


def remove_lines(home: Path, names: Set[str], phrases: Iterable[str]) -> None:
    """Remove these lines; what a running daemon appends meanwhile stays."""
    matcher = _Matcher(names, phrases)
    for log in home.glob(LOGS):
        with suppress(FileNotFoundError), log.open("r+b") as file:
            clean, count = matcher.clean(file.read())
            if count:
                clean += file.read()
                file.seek(0)
                file.write(clean)
                file.truncate()


class _Matcher:
    """Tells entries of a log that name something from the others."""

    def __init__(self, names: Set[str], phrases: Iterable[str]) -> None:
        encoded = {name.encode("utf-8", "backslashreplace") for name in names if name}
        self._tokens = {name for name in encoded if _TOKEN.fullmatch(name)}
        self._phrases = [phrase.encode("utf-8", "backslashreplace") for phrase in phrases if phrase]
        self._phrases += sorted(encoded - self._tokens)

    def clean(self, content: bytes) -> tuple[bytes, int]:
        """Return the log without the entries, and how many lines these had."""
        kept, removing = [], False
        lines = content.splitlines(keepends=True)
        for line in lines:
            if _ENTRY.match(line):
                removing = False
            removing = removing or self._names(line)
            if not removing:
                kept.append(line)
        return b"".join(kept), len(lines) - len(kept)

    def _names(self, line: bytes) -> bool:
        if any(token in self._tokens for token in _TOKEN.findall(line)):
            return True
        return any(phrase in line for phrase in self._phrases)


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return 0.0
