"""State of the agent between the prompts of a session."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path


@dataclass(slots=True)
class SessionMemory:
    """The last job of a session and the developer's feedback since."""

    feedback: list[str] = field(default_factory=list)
    """Follow-ups and rejections, which stay in the context."""
    written_slots: dict[str, list[list[str]]] = field(default_factory=dict)
    """Relative path -> [habit, good text, bad text] of each slot written to the file."""
    skipped_commands: list[tuple[str, list[str]]] = field(default_factory=list)
    """(habit, command) of commands that were skipped."""
    interrupted_prompt: str = ""
    """The prompt of a job that the developer interrupted."""

    @classmethod
    def load(cls, path: Path) -> "SessionMemory":
        """Return the saved state, or a new one."""
        try:
            raw = json.loads(path.read_text("utf-8"))
        except FileNotFoundError:
            return cls()
        return cls(**raw)

    def save(self, path: Path) -> None:
        """Save the state for the next prompt."""
        path.write_text(json.dumps(asdict(self)), "utf-8")
