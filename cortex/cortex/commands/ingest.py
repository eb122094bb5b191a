"""Transcripts in, corrections and tasks out: the free part of the main loop."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from cortex.commands.building import build_pending, sessions_after
from cortex.commands.context import Context
from cortex.commands.quarantine import Failure, Quarantine
from cortex.commands.real_paths import real_folder, with_real_paths
from cortex.digests import digest_bytes
from cortex.errors import UsageError
from cortex.mining import mine
from cortex.model.corrections import Correction
from cortex.model.tasks import Task
from cortex.transcripts import claude_code, locate
from cortex.transcripts.redaction import redact
from cortex.transcripts.sessions import describe
from cortex.transcripts.turns import assemble
from cortex_store.purge_marks import has_marks, is_purged, remove_mark
from cortex_store.sessions import FileMark

FINGERPRINT_BYTES = 1024
MINING = "2"
"""Version of the mining rules: a new version mines every session again."""


@dataclass(frozen=True, slots=True)
class Ingested:
    """The result of an ingestion."""

    files: int
    sessions: int
    """Transcripts that had something new."""
    events: int
    """New events."""
    skipped: int
    """Lines that are no transcript lines."""
    corrections: tuple[Correction, ...]
    """New ones."""
    tasks: tuple[Task, ...]
    """New tasks, with the result of admission; also of corrections that an interrupted run left."""
    unreadable: tuple[str, ...] = ()
    """Files that could not be read, with the reason."""
    quarantined: tuple[str, ...] = ()
    """Transcripts, sessions and corrections that a bug of Cortex keeps from being read."""
    purged: int = 0
    """Transcripts that were skipped because their session was purged."""


def ingest(
    context: Context,
    paths: Sequence[Path] = (),
    *,
    include_headless: bool = False,
    tasks: bool = True,
    include_purged: bool = False,
    on_file: Callable[[Path, int, int], None] | None = None,
    on_failure: Callable[[Failure], None] | None = None,
) -> Ingested:
    """Read transcripts from where the last reading ended, and mine what is new.

    `paths` are files or folders; none means the configured or the agents' own folders. A file or
    session that cannot be read is set aside, and the others are read. Purged sessions are skipped
    unless `include_purged` takes their marks away. Raises UsageError for a path that does not exist
    or cannot be read.
    """
    files = locate.find([_readable(path) for path in paths or _roots(context)])
    quarantine = Quarantine(context)
    if include_purged:
        _unmark(context, files)
    result = _read_all(context, files, quarantine, on_file)
    after = sessions_after(context)
    corrections: list[Correction] = []
    for session in _with_earlier(result.touched, after):
        state = _mined_state(context, session, after, include_headless)
        if not quarantine.holds(session, state):
            with quarantine.around(session, state):
                corrections += mine_session(
                    context, session, after, include_headless=include_headless
                )
    built = build_pending(context, quarantine) if tasks else ()
    if on_failure:
        for failure in quarantine.failures:
            on_failure(failure)
    return Ingested(
        len(files),
        result.sessions,
        result.events,
        result.skipped,
        tuple(corrections),
        built,
        tuple(result.unreadable),
        tuple(failure.subject for failure in quarantine.failures),
        result.purged,
    )


@dataclass(slots=True)
class _Reading:
    """What the files of a run held."""

    touched: list[str] = field(default_factory=list)
    """Ids of their sessions."""
    sessions: int = 0
    events: int = 0
    skipped: int = 0
    purged: int = 0
    unreadable: list[str] = field(default_factory=list)


def _read_all(
    context: Context,
    files: Sequence[Path],
    quarantine: Quarantine,
    on_file: Callable[[Path, int, int], None] | None,
) -> _Reading:
    reading = _Reading()
    known = {place.path: place.session_id for place in context.store.sessions.places()}
    for number, path in enumerate(files):
        if on_file:
            on_file(path, number, len(files))
        try:
            state = _file_state(path)
            if quarantine.holds(str(path), state):
                continue
            with quarantine.around(str(path), state):
                if _was_purged(context, path):
                    reading.purged += 1
                    continue
                session, new, bad = read_file(context, path)
                reading.events += new
                reading.skipped += bad
                reading.sessions += new > 0
                if session := session or known.get(str(path)):
                    reading.touched.append(session)
        except UsageError as error:
            reading.unreadable.append(str(error))
        except OSError as error:
            reading.unreadable.append(f"{path}: {error.strerror or error}")
    return reading


def _was_purged(context: Context, path: Path) -> bool:
    """Whether a transcript is of a purged session, without reading more of it than its head."""
    if not has_marks(context.store):
        return False
    session = describe(path)
    return session is not None and is_purged(context.store, session.id)


def _unmark(context: Context, files: Sequence[Path]) -> None:
    for path in files if has_marks(context.store) else ():
        with suppress(OSError):
            session = describe(path)
            if session is not None:
                remove_mark(context.store, session.id)


def _file_state(path: Path) -> str:
    info = path.stat()
    return f"{info.st_size} {info.st_mtime_ns}"


def read_file(context: Context, path: Path) -> tuple[str | None, int, int]:
    """Store what is new in a transcript; return (session id, new events, skipped lines)."""
    name = str(path)
    fingerprint = _fingerprint(path)
    mark = context.store.sessions.offset(name)
    start = mark.offset if mark and mark.fingerprint == fingerprint else 0
    chunk = claude_code.read(path, start)
    session = chunk.session
    if session is None:
        if start and chunk.offset != start:
            context.store.sessions.set_offset(name, FileMark(chunk.offset, fingerprint))
        return None, 0, chunk.skipped
    session = replace(session, cwd=real_folder(session.cwd))
    with context.store.transaction():
        if is_purged(context.store, session.id):
            return None, 0, chunk.skipped
        known = context.store.sessions.get(session.id)
        if known is not None:
            session = replace(
                session,
                started_at=known.started_at or session.started_at,
                cwd=known.cwd or session.cwd,
                headless=known.headless or session.headless,
            )
        context.store.sessions.add(session)
        new = context.store.sessions.append(
            session.id, ((key, redact(with_real_paths(event))) for key, event in chunk.events)
        )
        context.store.sessions.set_offset(name, FileMark(chunk.offset, fingerprint))
    return session.id, new, chunk.skipped


def mine_session(
    context: Context, session_id: str, after: Mapping[str, str], *, include_headless: bool
) -> tuple[Correction, ...]:
    """Store the new corrections of a session and return them.

    `after` maps each session to the next one in its folder, which may show hand edits.
    """
    session = context.store.sessions.get(session_id)
    if session is None or session.own or session.subagent:
        return ()
    next_id = after.get(session_id)
    key, state = f"mined {session_id}", _mined_state(context, session_id, after, include_headless)
    if context.store.key_values.get(key) == state:
        return ()
    turns = assemble(context.store.sessions.events(session_id))
    later = assemble(context.store.sessions.events(next_id)) if next_id else ()
    mined = mine(
        session,
        turns,
        include_headless=include_headless,
        later=later,
        later_session_id=next_id or "",
    )
    new = [
        correction for correction in mined if context.store.corrections.get(correction.id) is None
    ]
    with context.store.transaction():
        # A purge may have removed a session while it was mined.
        if not all(context.store.sessions.knows(part) for part in (session_id, next_id) if part):
            return ()
        for correction in new:
            context.store.corrections.put(correction)
        context.store.key_values.set(key, state)
    return tuple(new)


def _mined_state(
    context: Context, session_id: str, after: Mapping[str, str], include_headless: bool
) -> str:
    """Return what the result of mining a session depends on."""
    parts = (session_id, after.get(session_id))
    counts = [context.store.sessions.count(part) for part in parts if part]
    return f"{MINING} {include_headless} {counts}"


def _with_earlier(touched: Sequence[str], after: Mapping[str, str]) -> tuple[str, ...]:
    """Return sessions and the ones before them, whose hand edits may show only now."""
    new = set(touched)
    earlier = [
        session_id
        for session_id, following in after.items()
        if following in new and session_id not in new
    ]
    return tuple(dict.fromkeys((*earlier, *touched)))


def _readable(path: Path) -> Path:
    if not path.exists():
        raise UsageError(f"{path}: no such file or folder")
    if not os.access(path, os.R_OK):
        raise UsageError(f"{path}: cannot be read; check its permissions")
    return path


def _roots(context: Context) -> Iterable[Path]:
    configured = [Path(folder).expanduser() for folder in context.config.transcripts]
    roots = configured or [root for root in locate.default_roots() if root.is_dir()]
    if not roots:
        raise UsageError(
            "no transcripts found: pass their folder, or set `transcripts` in the configuration"
        )
    return roots


def _fingerprint(path: Path) -> str:
    """Return a digest of the first line: it differs when a file was replaced, not when it grew."""
    try:
        with path.open("rb") as file:
            head = file.read(FINGERPRINT_BYTES)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror or error}") from None
    return digest_bytes(head.split(b"\n", 1)[0])
