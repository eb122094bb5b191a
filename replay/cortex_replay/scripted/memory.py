"""What the agent remembers between the prompts of one session."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path


@dataclass(slots=True)
class Memory:
    """The last job of a session and what the developer said since."""

    words: list[str] = field(default_factory=list)
    """Follow-ups and refusals: they are in the context of all that comes later."""
    written: dict[str, list[list[str]]] = field(default_factory=dict)
    """Relative path -> [habit, good text, bad text] of each slot written there."""
    skipped: list[tuple[str, list[str]]] = field(default_factory=list)
    """(habit, command) of commands that were left out."""
    interrupted: str = ""
    """The prompt of a job that the developer stopped."""

    @classmethod
    def load(cls, path: Path) -> "Memory":
        """Return what was saved; a new memory when nothing was."""
        try:
            raw = json.loads(path.read_text("utf-8"))
        except FileNotFoundError:
            return cls()
        return cls(**raw)

    def save(self, path: Path) -> None:
        """Keep it for the next prompt."""
        path.write_text(json.dumps(asdict(self)), "utf-8")
