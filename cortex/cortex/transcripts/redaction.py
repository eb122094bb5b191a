"""Secrets are taken out of events before anything is kept.

Equal secrets become equal text, so that contents before and after an edit still fit together.
"""

from dataclasses import replace
from typing import Any

from cortex.model.sessions import Event
from cortex.transcripts.known_secrets import REMOVED, without_known
from cortex.transcripts.secret_context import without_named

__all__ = ["REMOVED", "redact", "redact_text"]

_FIELDS = (
    "text", "words", "output", "before", "after", "proposed", "replaces", "command", "path", "cwd",
    "branch", "skill",
)  # fmt: skip


def redact(event: Event) -> Event:
    """Return `event` without secrets in prompts, commands, files, outputs, paths and branches."""
    changed: dict[str, Any] = {}
    for name in _FIELDS:
        value = getattr(event, name, None)
        if isinstance(value, str) and (clean := redact_text(value)) != value:
            changed[name] = clean
    edits = getattr(event, "edits", ())
    clean_edits = tuple((redact_text(old), redact_text(new), each) for old, new, each in edits)
    if clean_edits != edits:
        changed["edits"] = clean_edits
    return replace(event, **changed) if changed else event


def redact_text(text: str) -> str:
    """Return `text` with every secret replaced by `REMOVED`."""
    return text if len(text) < 8 else without_named(without_known(text))
