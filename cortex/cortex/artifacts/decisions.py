"""What a person decided about lines of the ledger: the git hook acts on these only.

A file below Cortex's own folder for each repository, never in the repository: a line for each
text with a verdict that was reached with this person's store, or that they accepted or dismissed.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cortex.artifacts import atomic
from cortex.artifacts.ledger import LedgerEntry
from cortex.digests import digest_exact

FOLDER = "decisions"

Key = tuple[str, str | None, str]
"""Path, heading and digest of a text."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A verdict about a text, and whether it may be acted upon."""

    path: str
    heading: str | None
    digest: str
    verdict: str
    accepted: bool
    """False: dismissed, or undone by restoring the text."""

    @property
    def key(self) -> Key:
        """The text that it is about."""
        return self.path, self.heading, self.digest

    def accepts(self, entry: LedgerEntry) -> bool:
        """Whether this line of the ledger may be acted upon."""
        return self.accepted and (*self.key, self.verdict) == (*key_of(entry), entry.verdict)


def about(entry: LedgerEntry, *, accepted: bool) -> Decision:
    """Return the decision about a line of the ledger."""
    return Decision(*key_of(entry), entry.verdict, accepted)


def key_of(entry: LedgerEntry) -> Key:
    """Return the text that a line of the ledger is about."""
    return entry.path, entry.heading, entry.digest


def file_for(home: Path, common: Path) -> Path:
    """Return the file of a repository; `common` is the git folder that its work trees share."""
    return home / FOLDER / f"{digest_exact(str(common))[:16]}.jsonl"


def read(file: Path) -> dict[Key, Decision]:
    """Return the newest decision about each text; a line that cannot be read is passed over."""
    try:
        lines = file.read_bytes().decode("utf-8", "replace").splitlines()
    except OSError:
        return {}
    decisions = (_decision(line) for line in lines)
    return {decision.key: decision for decision in decisions if decision is not None}


def record(file: Path, decisions: Iterable[Decision]) -> None:
    """Put decisions in the place of earlier ones about the same texts.

    Raises UsageError when the file cannot be written.
    """
    before = read(file)
    after = before | {decision.key: decision for decision in decisions}
    if after != before:
        _write(file, after)


def forget(file: Path, key: Key) -> None:
    """Remove the decision about a text; none is fine."""
    decisions = read(file)
    if decisions.pop(key, None) is not None:
        _write(file, decisions)


def _write(file: Path, decisions: Mapping[Key, Decision]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    lines = (
        json.dumps({name: getattr(decision, name) for name in _FIELDS})
        for decision in decisions.values()
    )
    atomic.write(file, "".join(f"{line}\n" for line in lines).encode(), 0o600)


_FIELDS = ("path", "heading", "digest", "verdict", "accepted")


def _decision(line: str) -> Decision | None:
    try:
        values: dict[str, Any] = json.loads(line)
        decision = Decision(*(values[name] for name in _FIELDS))
    except (ValueError, TypeError, LookupError, RecursionError):
        return None
    texts = (decision.path, decision.digest, decision.verdict)
    valid = all(isinstance(text, str) for text in texts) and isinstance(decision.accepted, bool)
    return decision if valid and isinstance(decision.heading, str | None) else None
