"""Removing what Cortex copied from sessions, without a trace in its database, objects and logs.

Every step can be done again: a purge that was killed is finished by the same command.
"""

from collections.abc import Iterable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from datetime import date, datetime, time
from pathlib import Path

from cortex.artifacts import decisions
from cortex.commands import purge_logs
from cortex.commands.context import Context, find_repository
from cortex.commands.locks import alone
from cortex.commands.quarantine import PREFIX as QUARANTINED
from cortex.commands.real_paths import real_folder
from cortex.errors import MachineError, UsageError
from cortex.timestamps import now, timestamp
from cortex.transcripts.sessions import describe
from cortex_replay.objects import ObjectStore
from cortex_replay.trial_dirs import clean_leftovers, default_root
from cortex_store import purge_lookup as lookup
from cortex_store.compaction import CompactionError, compact, empty_log, prepared
from cortex_store.purge_marks import PENDING, is_purged
from cortex_store.purge_rows import Amount, amounts, delete
from cortex_store.purge_scope import PurgeScope, Selection

PATIENCE_S = 15.0
"""How long other processes may keep the database busy before compacting is left to another call."""


@dataclass(frozen=True, slots=True)
class PurgePlan:
    """What a purge removes."""

    selection: Selection
    what: str
    """Said to a person: `session 0c7c15f7`, `/home/sam/shop`."""
    amounts: tuple[Amount, ...] = ()
    trees: int = 0
    """Base trees of tasks that no other task needs."""
    log_lines: int = 0
    crash_logs: int = 0
    transcripts: tuple[str, ...] = ()
    """Files of the agent that hold the sessions, as far as they exist: they stay."""
    shared_with: tuple[str, ...] = ()
    """Other sessions that keep lines which they have in common with the purged ones."""
    pending: bool = False
    """An earlier purge is not finished."""

    @property
    def empty(self) -> bool:
        """Whether there is nothing to remove."""
        return not self.amounts and not self.selection.paths


@dataclass(frozen=True, slots=True)
class PurgeResult:
    """What a purge did."""

    plan: PurgePlan
    compacted: bool
    """False: the rows are deleted, and the file still has to be rewritten."""
    problem: str = ""
    """Why it could not be rewritten."""
    freed_bytes: int = 0
    """By which Cortex's folder shrank."""


def select_session(context: Context, prefix: str) -> Selection:
    """Return the session whose id begins with `prefix`, or nothing when it was purged already.

    Raises UsageError when there is none, or several.
    """
    unread = {session: path for path, session, _ in _unread(context) if session.startswith(prefix)}
    ids = sorted({*lookup.sessions_like(context.store, prefix), *unread}) if prefix else []
    if len(ids) == 1:
        paths = {path for path, session, _ in _unread(context) if session == ids[0]}
        return Selection(frozenset(ids), paths=frozenset(paths))
    if ids:
        shown = ", ".join(ids[:4]) + (", …" if len(ids) > 4 else "")
        raise UsageError(f"{prefix}: {len(ids)} sessions begin so ({shown}); give more of the id")
    if prefix and (is_purged(context.store, prefix) or _pending(context)):
        return Selection()
    raise UsageError(f"{prefix}: no such session; its id is the name of the agent's transcript")


def select_repository(context: Context, path: Path) -> Selection:
    """Return all of the repository around `path`, which may be gone from the disk."""
    root = str(find_repository(path) or real_folder(str(path.absolute())))
    below = root.rstrip("/") + "/"
    unread = [
        (transcript, session)
        for transcript, session, cwd in _unread(context)
        if cwd == root or cwd.startswith(below)
    ]
    return Selection(
        frozenset(session for _, session in unread),
        root,
        frozenset(transcript for transcript, _ in unread),
    )


def select_before(context: Context, day: str) -> Selection:
    """Return the sessions that ended before a day (local time). UsageError for another text."""
    try:
        start = datetime.combine(date.fromisoformat(day), time.min).astimezone()
    except (ValueError, OverflowError):
        raise UsageError(f"{day}: not a date; write it as 2026-01-31") from None
    return Selection(lookup.sessions_before(context.store, timestamp(start)))


def plan(context: Context, selection: Selection, what: str) -> PurgePlan:
    """Return what a purge of the selection removes; nothing is changed."""
    with prepared(context.store):
        scope = PurgeScope(context.store, selection)
        return _planned(context, scope, selection, what)


def purge(
    context: Context, selection: Selection, what: str, patience_s: float = PATIENCE_S
) -> PurgeResult:
    """Remove what belongs to the selection, and finish earlier purges.

    Raises MachineError when another process purges, or runs an experiment that is concerned: then
    nothing was changed.
    """
    busy = "another Cortex is purging; wait for it"
    with alone(context, "purge", busy):
        before = _folder_size(context.home)
        with prepared(context.store):
            planned = _delete(context, selection, what)
        problem = ""
        if planned.pending or not planned.empty:
            problem = _finish(context, patience_s)
        freed = max(0, before - _folder_size(context.home))
    return PurgeResult(planned, not problem, problem, freed)


def _delete(context: Context, selection: Selection, what: str) -> PurgePlan:
    """Delete rows and lines of logs; the logs first, because rows say which lines these are."""
    with ExitStack() as locks, context.store.transaction():
        scope = PurgeScope(context.store, selection)
        planned = _planned(context, scope, selection, what)
        if planned.empty:
            return planned
        for experiment in scope.experiments():
            problem = (
                f"{experiment} is running on what is to be purged; stop it (`cortex daemon stop`, "
                "or Ctrl-C where it runs), then run the same command again"
            )
            locks.enter_context(alone(context, experiment, problem))
        names, phrases = _names(context, selection, scope)
        logs = purge_logs.crash_logs(context.home, _starts(context))
        purge_logs.remove_lines(context.home, names, phrases)
        purge_logs.remove(logs)
        delete(context.store, scope, selection.repository, now())
        if selection.repository:
            # Those of a linked work tree are those of its repository: they stay.
            folder = Path(real_folder(selection.repository)) / ".git"
            decisions.file_for(context.home, folder).unlink(missing_ok=True)
    purge_logs.remove_lines(context.home, names, phrases)
    return planned


def _finish(context: Context, patience_s: float) -> str:
    """Remove base trees that no task needs, and rewrite the database; return what keeps it."""
    objects = ObjectStore(context.home / "objects")
    # A task that is admitted at this moment looks for its tree when it is stored, also inside of a
    # transaction, so that it stores the tree again.
    with context.store.transaction():
        objects.forget(lookup.needed_trees(context.store))
    objects.prune()
    with suppress(UsageError, OSError):
        if default_root().is_dir():
            clean_leftovers(default_root())
    try:
        compact(context.store, patience_s)
    except CompactionError as error:
        return str(error)
    context.store.key_values.remove(PENDING)
    empty_log(context.store)
    return ""


def _planned(context: Context, scope: PurgeScope, selection: Selection, what: str) -> PurgePlan:
    store = context.store
    counted = amounts(store)
    if not counted and not selection.paths:
        return PurgePlan(selection, what, pending=_pending(context))
    kept = lookup.trees_after(store)
    paths = [path for path, _ in lookup.transcripts(store)]
    return PurgePlan(
        selection,
        what,
        counted,
        len(ObjectStore(context.home / "objects").trees() - kept),
        purge_logs.named_lines(context.home, *_names(context, selection, scope)),
        len(purge_logs.crash_logs(context.home, _starts(context))),
        tuple(path for path in sorted({*paths, *selection.paths}) if Path(path).is_file()),
        scope.sharing(),
        _pending(context),
    )


def _names(
    context: Context, selection: Selection, scope: PurgeScope
) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the ids and other texts by which logs name what is purged."""
    paths = {path for path, _ in lookup.transcripts(context.store)} | scope.paths
    stems = {Path(path).stem for path in paths}
    folder = (selection.repository,) if selection.repository else ()
    return lookup.names(context.store) | stems, (*sorted(paths), *folder)


def _starts(context: Context) -> list[str]:
    return [started for _, started in lookup.transcripts(context.store)]


def _unread(context: Context) -> Iterable[tuple[str, str, str]]:
    """Yield path, session and folder of transcripts that a bug kept from being read."""
    for name in context.store.key_values.below(QUARANTINED):
        path = Path(name)
        session = describe(path) if name.endswith(".jsonl") and path.is_file() else None
        if session is not None:
            yield name, session.id.split("/")[0], real_folder(session.cwd)


def _pending(context: Context) -> bool:
    return context.store.key_values.get(PENDING) is not None


def _folder_size(folder: Path) -> int:
    size = 0
    for path in folder.rglob("*"):
        with suppress(OSError):
            size += path.lstat().st_size
    return size


def incomplete(result: PurgeResult) -> MachineError:
    """Return the error of a purge whose file still has to be rewritten."""
    return MachineError(
        f"the rows are deleted, but the file is not compacted yet: {result.problem}; stop the "
        "daemon (`cortex daemon stop`), close editors and `cortex tui`, then run the same command "
        "again"
    )
