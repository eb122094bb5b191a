"""From corrections to admitted tasks, and to themes."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from cortex.commands.context import Context, find_repository
from cortex.commands.quarantine import Quarantine, attempt
from cortex.errors import UsageError
from cortex.mining.contrast import Contrast, Contrasts
from cortex.mining.themes import group
from cortex.model.corrections import Correction, Theme
from cortex.model.sessions import Turn
from cortex.model.tasks import Task, TaskStatus
from cortex.tasks.building import build
from cortex.transcripts.turns import assemble
from cortex_replay.admission import admit
from cortex_replay.objects import commit_at
from cortex_replay.workspace import Workspaces

BUILT = "built"
"""Key in `KeyValue` of a correction whose task was built, or cannot be."""


def build_pending(context: Context, quarantine: Quarantine) -> tuple[Task, ...]:
    """Build, admit and store the tasks of all corrections that have none yet: the new ones, and
    those that a process stored before it was interrupted."""
    pending = context.store.corrections.without_fact(BUILT)
    if not pending:
        return ()
    contrast_of = _contrasts(context, pending, quarantine)
    built: list[Task] = []
    with context.workspaces() as workspaces:
        for correction in pending:
            with quarantine.around(correction.id, ""):
                task = _built(context, correction, contrast_of.get(correction.id), workspaces)
                built += [task] if task else []
            with context.store.transaction():
                if context.store.corrections.knows(correction.id):
                    context.store.key_values.set(f"{BUILT} {correction.id}", "1")
    return tuple(built)


def _contrasts(
    context: Context, corrections: Sequence[Correction], quarantine: Quarantine
) -> dict[str, Contrast]:
    """Return the contrasts of all, one by one when a bug keeps them from being read together."""
    together = attempt(lambda: contrasts(context, corrections))
    if together is not None:
        return together
    single: dict[str, Contrast] = {}
    for correction in corrections:
        with quarantine.around(correction.id, ""):
            single |= contrasts(context, (correction,))
    return single


def _built(
    context: Context, correction: Correction, contrast: Contrast | None, workspaces: Workspaces
) -> Task | None:
    """Return the stored task of a correction; None without a contrast, or when it was there.

    None too when its session was purged while it was admitted.
    """
    if contrast is None:
        return None
    draft = _draft(correction, contrast)
    if context.store.tasks.status(draft.id) not in (None, TaskStatus.PURGED):
        return None
    known = context.store.corrections.knows
    return _admitted(context, draft, workspaces, lambda: known(correction.id))


def readmit(context: Context, task: Task) -> Task:
    """Re-run the admission checks of a task and store the result.

    Raises UsageError for a purged task, which has nothing to run.
    """

    def exists() -> bool:
        return context.store.tasks.status(task.id) not in (None, TaskStatus.PURGED)

    readmitted = None
    if exists():
        with context.workspaces() as workspaces:
            readmitted = _admitted(context, task, workspaces, exists)
    if readmitted is None:
        raise UsageError(f"{task.id}: was purged; `cortex ingest --purged` reads its session again")
    return readmitted


def _admitted(
    context: Context, task: Task, workspaces: Workspaces, wanted: Callable[[], bool]
) -> Task | None:
    """Return the task admitted and stored; None when it was purged meanwhile.

    A purge may remove the base tree before the task that needs it is stored: then once more.
    """
    while True:
        admitted = admit(task, workspaces)
        with context.store.transaction():
            if not wanted():
                return None
            tree = admitted.base.tree
            if tree is None or workspaces.objects.has(tree):
                context.store.tasks.put(admitted)
                return admitted


def themes(context: Context) -> tuple[Theme, ...]:
    """Return the themes of the repository, most frequent first; outside of a repository, all."""
    folder = str(context.repository) if context.repository else None
    corrections = context.store.corrections.all(repository=folder)
    return group(corrections, contrasts(context, corrections))


def sessions_after(context: Context) -> dict[str, str]:
    """Return for each session the id of the next one in its folder, sub-agents left out."""
    newest: dict[str, str] = {}
    after: dict[str, str] = {}
    for place in context.store.sessions.places():
        if place.subagent:
            continue
        if place.cwd in newest:
            after[newest[place.cwd]] = place.session_id
        newest[place.cwd] = place.session_id
    return after


def contrasts(context: Context, corrections: Sequence[Correction]) -> dict[str, Contrast]:
    """Return for each correction's id the work before and after it.

    Corrections whose line is in no session of their folder any more are left out.
    """
    by_session: dict[str, list[Correction]] = defaultdict(list)
    for stored in context.store.corrections.all(include_dismissed=True):
        by_session[stored.session_id].append(stored)

    @cache
    def turns_of(session_id: str) -> tuple[Turn, ...]:
        return assemble(context.store.sessions.events(session_id))

    @cache
    def lines_of(session_id: str) -> frozenset[str]:
        return frozenset(uuid for turn in turns_of(session_id) for uuid in turn.order)

    @cache
    def of_session(session_id: str, later_id: str) -> Contrasts:
        turns = (*turns_of(session_id), *(turns_of(later_id) if later_id else ()))
        return Contrasts(turns, by_session[session_id])

    @cache
    def following() -> dict[str, str]:
        return sessions_after(context)

    def later_session(correction: Correction) -> str | None:
        """Return the later session that shows it, "" for its own one, None when none does."""
        if correction.later_session_id:
            later = correction.later_session_id
            return later if correction.uuid in lines_of(later) else None
        later = correction.session_id
        while correction.uuid not in lines_of(later):
            # Records of earlier versions do not name the later session.
            if correction.work_uuid or later not in following():
                return None
            later = following()[later]
        return "" if later == correction.session_id else later

    places = ((correction, later_session(correction)) for correction in corrections)
    return {
        correction.id: of_session(correction.session_id, later).of(correction)
        for correction, later in places
        if later is not None
    }


def _draft(correction: Correction, contrast: Contrast) -> Task:
    repository = find_repository(Path(correction.cwd))
    if repository is None:
        return build(correction, contrast, "", None)
    prompt = contrast.prompt
    commit = commit_at(repository, prompt.branch, prompt.at)
    task = build(correction, contrast, str(repository), commit)
    return replace(task, session_id=correction.session_id)
