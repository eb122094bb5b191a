"""`.cortex/verdicts.jsonl`: what is known about each artifact, one line each, for the whole team.

Sorted by path and heading with sorted keys, so that two people's changes merge line by line.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cortex.artifacts import atomic
from cortex.errors import UsageError

FIELDS = (
    "path",
    "heading",
    "digest",
    "verdict",
    "reason",
    "diagnosis",
    "pairs",
    "lift",
    "e_value",
    "model",
    "agent",
    "agent_version",
    "date",
    "verdict_id",
)
_CONFLICT = ("<<<<<<<", "=======", ">>>>>>>", "|||||||")


def path_in(root: Path) -> Path:
    """Return where the ledger of the repository at `root` lies."""
    return root / ".cortex" / "verdicts.jsonl"


def record(root: Path, line: Mapping[str, Any]) -> None:
    """Put the verdict of one artifact in the place of its earlier one.

    `line` has FIELDS (others are kept as they are); `path` and `heading` say which artifact.
    Raises UsageError when the file holds something that is no verdict, or cannot be written.
    """
    lines = {_key(known): known for known in _parse(root, strict=True)}
    lines[_key(line)] = {"heading": None, **line}
    _write(root, lines)


def forget(root: Path, path: str, heading: str | None) -> None:
    """Take out the line of an artifact that is no longer there; no line is fine."""
    lines = {_key(known): known for known in _parse(root, strict=True)}
    if lines.pop((path, heading), None) is not None:
        _write(root, lines)


def read(root: Path) -> tuple[dict[str, Any], ...]:
    """Return the lines, sorted; of two for one artifact (an unfinished merge) the newer one.

    Lines that are no verdict are passed over.
    """
    newest: dict[tuple[str, str | None], dict[str, Any]] = {}
    for line in sorted(_parse(root, strict=False), key=lambda line: str(line.get("date", ""))):
        newest[_key(line)] = line
    return tuple(newest[key] for key in sorted(newest, key=_order))


def _parse(root: Path, *, strict: bool) -> list[dict[str, Any]]:
    path = path_in(root)
    try:
        text = path.read_bytes().decode("utf-8", "replace")
    except FileNotFoundError:
        return []
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror or error}") from None
    found = []
    for number, raw in enumerate(text.split("\n"), 1):
        if not raw.strip() or raw.startswith(_CONFLICT):
            continue
        line = _line(raw)
        if line is not None:
            found.append(line)
        elif strict:
            raise UsageError(f"{path}:{number}: is not a verdict; repair or remove the line")
    return found


def _line(raw: str) -> dict[str, Any] | None:
    try:
        line = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    if not isinstance(line, dict) or not isinstance(line.get("path"), str):
        return None
    return line if isinstance(line.get("heading"), str | None) else None


def _write(root: Path, lines: Mapping[tuple[str, str | None], Mapping[str, Any]]) -> None:
    ordered = (lines[key] for key in sorted(lines, key=_order))
    text = "".join(
        json.dumps(line, ensure_ascii=False, sort_keys=True, allow_nan=False) + "\n"
        for line in ordered
    )
    atomic.write(path_in(root), text.encode("utf-8", "backslashreplace"))


def _key(line: Mapping[str, Any]) -> tuple[str, str | None]:
    return line["path"], line.get("heading")


def _order(key: tuple[str, str | None]) -> tuple[str, str]:
    return key[0], key[1] or ""
