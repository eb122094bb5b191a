"""`.cortex/verdicts.jsonl`: the verdict about each artifact, a line each, for the whole team.

Sorted by path and heading with sorted keys, so that two people's changes merge line by line.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from cortex.artifacts import atomic, shared
from cortex.errors import UsageError

_CONFLICT = ("<<<<<<<", "=======", ">>>>>>>", "|||||||")
_LARGEST = 2**53
"""Of a number that every JSON reader keeps exactly."""

Key = tuple[str, str | None]
"""Path and heading: the artifact that a line is about."""


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """A line of the ledger: the newest verdict about an artifact."""

    path: str
    digest: str
    """Of the text that was measured."""
    verdict: str
    heading: str | None = None
    reason: str = ""
    diagnosis: str = ""
    pairs: int = 0
    lift: float = 0.0
    e_value: float = 0.0
    model: str | None = None
    agent: str | None = None
    agent_version: str | None = None
    date: str = ""
    verdict_id: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Fields that this version does not know; kept when the line is written again."""

    @property
    def key(self) -> Key:
        """The artifact that the line is about."""
        return self.path, self.heading

    def line(self) -> dict[str, Any]:
        """Return the fields as they are written."""
        return {**self.extra, **{name: getattr(self, name) for name in FIELDS}}


FIELDS = tuple(field.name for field in fields(LedgerEntry) if field.name != "extra")


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of the file, whether or not its values are valid."""

    values: Mapping[str, Any]
    raw: str
    date: str

    @property
    def key(self) -> Key:
        return self.values["path"], self.values.get("heading")


def path_in(root: Path) -> Path:
    """Return where the ledger of the repository at `root` is."""
    return root / shared.FOLDER / "verdicts.jsonl"


def record(root: Path, entry: LedgerEntry) -> None:
    """Put the verdict about an artifact in the place of its earlier one.

    Raises UsageError when the file holds something that is no verdict, or cannot be written.
    """
    lines = {line.key: line for line in _lines(root, strict=True)}
    before = lines.get(entry.key)
    unknown = {
        name: value
        for name, value in (before.values if before else {}).items()
        if name not in FIELDS
    }
    values = {**unknown, **entry.line()}
    lines[entry.key] = _Line(values, _dump(values), entry.date)
    _write(root, lines)


def forget(root: Path, path: str, heading: str | None) -> None:
    """Remove the line of an artifact that is no longer there; no line is fine."""
    lines = {line.key: line for line in _lines(root, strict=True)}
    if lines.pop((path, heading), None) is not None:
        _write(root, lines)


def check(root: Path) -> None:
    """Raise UsageError when `record` would: before anything else is changed."""
    for _ in _lines(root, strict=True):
        pass


def read(root: Path) -> tuple[LedgerEntry, ...]:
    """Return the entries, sorted; of two for an artifact (an unfinished merge) the newer one.

    Lines that are no verdict, or have values of a wrong type, are skipped.
    """
    newest: dict[Key, LedgerEntry] = {}
    for line in sorted(_lines(root, strict=False), key=lambda line: line.date):
        entry = _entry(line.values)
        if entry is not None:
            newest[entry.key] = entry
    return tuple(newest[key] for key in sorted(newest, key=_order))


def _lines(root: Path, *, strict: bool) -> Iterator[_Line]:
    path = path_in(root)
    try:
        text = path.read_bytes().decode("utf-8", "replace")
    except FileNotFoundError:
        return
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror or error}") from None
    for number, raw in enumerate(text.split("\n"), 1):
        raw = raw.strip()
        if not raw or raw.startswith(_CONFLICT):
            continue
        line = _line(raw)
        if line is not None:
            yield line
        elif strict:
            raise UsageError(f"{path}:{number}: not a verdict; repair or remove the line")


def _line(raw: str) -> _Line | None:
    try:
        values = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    if not isinstance(values, dict) or not isinstance(values.get("path"), str):
        return None
    if not isinstance(values.get("heading"), str | None):
        return None
    return _Line(values, raw, str(values.get("date", "")))


def _entry(values: Mapping[str, Any]) -> LedgerEntry | None:
    """Return the line as a record; None when a value has a wrong type, is NaN or too large."""
    given = {name: values[name] for name in FIELDS if name in values}
    if not {"digest", "verdict"} <= given.keys():
        return None
    for name, value in given.items():
        if name in _NUMBERS:
            number = _number(value)
            if number is None:
                return None
            given[name] = number if name != "pairs" else int(number)
        elif not isinstance(value, str) and not (value is None and name in _OPTIONAL):
            return None
    extra = {name: value for name, value in values.items() if name not in FIELDS}
    return LedgerEntry(**given, extra=extra)


_NUMBERS = ("pairs", "lift", "e_value")
_OPTIONAL = ("heading", "model", "agent", "agent_version")


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if abs(value) <= _LARGEST else None


def _write(root: Path, lines: Mapping[Key, _Line]) -> None:
    """Write the file; lines with invalid values stay as they are, for a person to repair."""
    path = path_in(root)
    shared.prepare(root, path)
    ordered = (lines[key] for key in sorted(lines, key=_order))
    text = "".join(f"{_text(line)}\n" for line in ordered)
    atomic.write(shared.real(path), text.encode("utf-8", "backslashreplace"))


def _text(line: _Line) -> str:
    try:
        return _dump({"heading": None, **line.values})
    except ValueError:
        return line.raw


def _dump(values: Mapping[str, Any]) -> str:
    return json.dumps(values, ensure_ascii=False, sort_keys=True, allow_nan=False)


def _order(key: Key) -> tuple[str, str]:
    return key[0], key[1] or ""
