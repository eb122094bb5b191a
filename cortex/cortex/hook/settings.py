"""What the hook may act on and how: read by itself, because it starts with every commit."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cortex.artifacts import decisions
from cortex.artifacts.decisions import Decision, Key
from cortex.artifacts.ledger import LedgerEntry
from cortex.config import MAX_SHARED_BYTES, home
from cortex.errors import CortexError
from cortex.hook.gitstate import Commit
from cortex.hook.reporting import say

UNUSED = ("report", "archive", "ignore")


@dataclass(frozen=True, slots=True)
class Settings:
    """The person's settings and decisions, and the repository's `[hook] unused`."""

    unused: str
    trusts_repository: bool
    decisions: dict[Key, Decision]

    def accepts(self, entry: LedgerEntry) -> bool:
        """Whether the hook may act on a line of the ledger."""
        decision = self.decisions.get(decisions.key_of(entry))
        if decision is not None:
            return decision.accepts(entry)
        return self.trusts_repository

    def knows(self, entry: LedgerEntry) -> bool:
        """Whether the person decided about the text of this line, in whatever way."""
        return decisions.key_of(entry) in self.decisions


def read(commit: Commit) -> Settings:
    """Return the settings for the repository; what cannot be read is reported and left out."""
    try:
        folder = home()
    except CortexError as error:
        say(f"{error}; no verdict is acted upon")
        return Settings("report", trusts_repository=False, decisions={})
    own = _hook_section(folder / "config.toml", str(folder / "config.toml"))
    shared = _hook_section(commit.root / ".cortex" / "config.toml", ".cortex/config.toml")
    return Settings(
        unused=_unused(shared, own),
        trusts_repository=own.get("trust") == "repository",
        decisions=decisions.read(decisions.file_for(folder, commit.common)),
    )


def _unused(shared: dict[str, Any], own: dict[str, Any]) -> str:
    chosen = shared.get("unused", own.get("unused", "report"))
    if chosen in UNUSED:
        return str(chosen)
    say(f"[hook] unused = {chosen!r} is none of {', '.join(UNUSED)}; unused text is reported")
    return "report"


def _hook_section(file: Path, name: str) -> dict[str, Any]:
    if not file.is_file():
        return {}
    import tomllib

    try:
        if file.stat().st_size > MAX_SHARED_BYTES:
            raise ValueError(f"larger than {MAX_SHARED_BYTES} bytes")
        section = tomllib.loads(file.read_text("utf-8")).get("hook")
    except (OSError, ValueError, RecursionError) as error:
        say(f"{name} cannot be read ({error}); its [hook] settings are ignored")
        return {}
    return section if isinstance(section, dict) else {}
