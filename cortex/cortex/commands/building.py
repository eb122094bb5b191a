"""From corrections to admitted tasks, and to themes."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from cortex.commands.context import Context, find_repository
from cortex.mining.contrast import Contrast, Contrasts
from cortex.mining.themes import group
from cortex.model.corrections import Correction, Theme
from cortex.model.sessions import Turn
from cortex.model.tasks import Task
from cortex.tasks.building import build
from cortex.transcripts.turns import assemble
from cortex_replay.admission import admit
from cortex_replay.objects import commit_at

BUILT = "built"
"""The fact about a correction that its task was built, or cannot be."""


def build_tasks(context: Context, corrections: Iterable[Correction]) -> tuple[Task, ...]:
    """Build, admit and keep the tasks of corrections that have none yet."""
    made_from = list(corrections)
    found = contrasts(context, made_from)
    built: list[Task] = []
    with context.workspaces() as workspaces:
        for correction in made_from:
            if correction.id not in found:
                continue
            draft = _draft(correction, found[correction.id])
            if context.store.tasks.get(draft.id) is not None:
                continue
            task = admit(draft, workspaces)
            context.store.tasks.put(task)
            built.append(task)
    _mark(context, made_from)
    return tuple(built)


def build_pending(context: Context) -> tuple[Task, ...]:
    """Build the tasks of corrections that were kept by a process which died before it did."""
    pending = context.store.corrections.without_fact(BUILT)
    return build_tasks(context, pending) if pending else ()


def _mark(context: Context, corrections: Iterable[Correction]) -> None:
    with context.store.transaction():
        for one in corrections:
            context.store.key_values.set(f"{BUILT} {one.id}", "1")


def readmit(context: Context, task: Task) -> Task:
    """Give the proofs of admission again, and keep the answer."""
    with context.workspaces() as workspaces:
        again = admit(task, workspaces)
    context.store.tasks.put(again)
    return again


def themes(context: Context) -> tuple[Theme, ...]:
    """Return the themes of the repository (all, outside of one), most asked for first."""
    where = str(context.repository) if context.repository else None
    corrections = context.store.corrections.all(repository=where)
    return group(corrections, contrasts(context, corrections))


def sessions_after(context: Context) -> dict[str, str]:
    """Return for each session the id of a person's next one in the same folder."""
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
    """Return for each correction's id what attempt and corrected result were.

    A correction whose line is in no session of its folder any more is left out.
    """

    @cache
    def known(session_id: str) -> tuple[Turn, ...]:
        return assemble(context.store.sessions.events(session_id))

    @cache
    def together(session_id: str, later: str | None) -> Contrasts:
        return Contrasts((*known(session_id), *(known(later) if later else ())))

    def where(correction: Correction) -> tuple[str, str | None] | None:
        """Return its session, and the later one in which alone it shows."""
        own = correction.session_id
        if _shows(correction, known(own)):
            return own, None
        later = after.get(own)
        while later is not None and not _shows(correction, known(later)):
            later = after.get(later)
        return (own, later) if later is not None else None

    after = sessions_after(context)
    found = ((one, where(one)) for one in corrections)
    return {one.id: together(*place).of(one) for one, place in found if place is not None}


def _shows(correction: Correction, turns: Sequence[Turn]) -> bool:
    return any(correction.uuid in turn.order for turn in turns)


def _draft(correction: Correction, known: Contrast) -> Task:
    repository = find_repository(Path(correction.cwd))
    if repository is None:
        return build(correction, known, "", None)
    prompt = known.prompt
    commit = commit_at(repository, prompt.branch, prompt.at)
    task = build(correction, known, str(repository), commit)
    return replace(task, session_id=correction.session_id)
