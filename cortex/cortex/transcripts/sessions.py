"""Properties of a session, from its transcript file."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from cortex.model.sessions import Session
from cortex.transcripts.entries import is_conversational
from cortex.transcripts.fields import Record, flag, text
from cortex.transcripts.jsonl import complete_lines, decode, is_bulk

AGENT = "claude-code"
OWN_FOLDER = "cortex-trials"
"""A path component that begins so marks the working folder of one of Cortex's own runs."""

_HEAD_LINES = 500


def describe(path: Path) -> Session | None:
    """Return the session of a transcript file from its head; None when it is no transcript.

    A file is a sub-agent's when all of its head is: older versions mixed both in the same file.
    """
    head = islice(_head(path), _HEAD_LINES)
    described = (line for line in head if is_conversational(line) and text(line, "cwd"))
    first = next(described, None)
    if first is None:
        return None
    if flag(first, "isSidechain"):
        first = next((line for line in described if not flag(line, "isSidechain")), first)
    return _session(first, path)


def _head(path: Path) -> Iterator[Record]:
    for line, _ in complete_lines(path):
        entry = None if line is None or is_bulk(line) else decode(line)
        if entry is not None:
            yield entry


def _session(line: Record, path: Path) -> Session:
    cwd, agent_id = text(line, "cwd"), text(line, "agentId")
    subagent = flag(line, "isSidechain") or path.parent.name == "subagents"
    session_id = text(line, "sessionId")
    return Session(
        id=f"{session_id}/{agent_id or path.stem}" if subagent else session_id,
        agent=AGENT,
        path=str(path),
        cwd=cwd,
        version=text(line, "version"),
        headless=text(line, "promptSource") == "sdk" or text(line, "entrypoint").startswith("sdk"),
        subagent=subagent,
        own=is_own(cwd),
        started_at=text(line, "timestamp"),
    )


def is_own(cwd: str) -> bool:
    """Return whether a working folder belongs to Cortex's own runs."""
    return any(part.startswith(OWN_FOLDER) for part in cwd.replace("\\", "/").split("/"))
