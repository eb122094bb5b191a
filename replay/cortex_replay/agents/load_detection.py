"""Which harness text loaded, read from an agent's transcript and its load hook."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from cortex.artifacts.harness import RULES, SKILLS
from cortex.artifacts.readers import AGENTS_FILE, CLAUDE_FILES
from cortex.model.sessions import Event, Loaded
from cortex.transcripts import claude_code
from cortex_replay.files import is_plain, read_plain

HOOK_FILE = "instructions.jsonl"
"""In a job's state folder: the inputs of the load hook, a line each. The first is of the start of
the session, so that the file is there whenever hooks run."""

HOOK_LIMIT = 64 << 20
"""Bytes of it that are read."""


def transcript_events(folder: Path) -> tuple[Event, ...]:
    """Return the events of the main thread's transcripts below a configuration folder.

    An agent may have put links or pipes there: these are passed over.
    """
    events: list[Event] = []
    for path in sorted((folder / "projects").glob("*/*.jsonl")):
        if not is_plain(path, folder):
            continue
        events += [event for _, event in claude_code.read(path).events]
    return tuple(events)


def loads(events: Iterable[Event], state: Path, workspace: Path) -> frozenset[str]:
    """Return the relative paths of text that loaded."""
    paths = {_relative(path, workspace) for path in _hooked_paths(state / HOOK_FILE)}
    for event in events:
        if isinstance(event, Loaded) and event.kind == "skill":
            paths.add(_skill_path(event.path))
        elif isinstance(event, Loaded) and event.kind != "offered":
            paths.add(_relative(event.path, workspace))
    return frozenset(path for path in paths if path)


def unseen(events: Iterable[Event], state: Path) -> tuple[str, ...]:
    """Return patterns of the paths whose loads cannot be told from this run.

    The hook tells of instruction files and rules, unless it may not run here; the transcript tells
    of skills, and alone of `AGENTS.md`, but only in versions that write down what loaded at the
    start.
    """
    shown = tuple(events)
    patterns = [] if next(iter(_hooked(state / HOOK_FILE)), None) else list(_BY_HOOK)
    if not shown:
        patterns.append(f"{SKILLS}*")
    if not any(isinstance(event, Loaded) and event.kind == "instructions" for event in shown):
        patterns.append(AGENTS_FILE)
    return tuple(patterns)


def offers(events: Iterable[Event]) -> frozenset[str]:
    """Return the `SKILL.md` of every skill that was listed."""
    return frozenset(
        _skill_path(event.path)
        for event in events
        if isinstance(event, Loaded) and event.kind == "offered"
    )


_BY_HOOK = (*CLAUDE_FILES, f"{RULES}*")


def _hooked_paths(file: Path) -> Iterable[str]:
    for value in _hooked(file):
        if isinstance(value.get("file_path"), str):
            yield value["file_path"]


def _hooked(file: Path) -> Iterable[dict[str, Any]]:
    """Yield the inputs of the hook; two that ran at a time may share a line."""
    text = read_plain(file, HOOK_LIMIT).decode("utf-8", "replace")
    decoder = json.JSONDecoder()
    for line in text.splitlines():
        start = 0
        while (start := line.find("{", start)) >= 0:
            try:
                value, start = decoder.raw_decode(line, start)
            except ValueError:
                break
            if isinstance(value, dict):
                yield value


def _skill_path(name: str) -> str:
    return f"{SKILLS}{name.rsplit(':', 1)[-1]}/SKILL.md"


def _relative(path: str, workspace: Path) -> str:
    try:
        return Path(path).relative_to(workspace).as_posix()
    except ValueError:
        return ""
