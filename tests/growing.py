"""Transcripts that grow: copies of a real session with a rejection, each with ids of its own."""

import re
import uuid
from dataclasses import dataclass
from pathlib import Path

SAMPLE = (
    Path(__file__).parent
    / "data"
    / "transcripts"
    / "g-interactive-reject-interrupt.transcript.jsonl"
)
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
REJECTION = 15
"""Index of the line that completes the first correction."""
CORRECTIONS = 2
"""In the whole session."""


@dataclass
class Growing:
    """A session that an agent is still writing."""

    path: Path
    lines: list[str]
    written: int = 0

    def grow(self, until: int) -> None:
        """Append the lines up to `until`, as an agent does."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write("".join(self.lines[self.written : until]))
        self.written = until


def session(folder: Path, number: int) -> Growing:
    """Return a new session without a line yet; the same number gives the same ids."""
    text = UUID.sub(lambda match: _renumbered(match.group(), number), SAMPLE.read_text("utf-8"))
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{_renumbered('session', number)}.jsonl"
    return Growing(folder / name, text.splitlines(keepends=True))


def _renumbered(old: str, number: int) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_OID, f"{number} {old}"))
