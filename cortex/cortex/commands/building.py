"""From corrections to admitted tasks, and to themes."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from cortex.commands.workbench import Workbench, find_repository
from cortex.mining.contrast import Contrast, contrast
from cortex.mining.themes import group
from cortex.model.corrections import Correction, Theme
from cortex.model.sessions import Turn
from cortex.model.tasks import Task
from cortex.tasks.building import build
from cortex.transcripts.turns import assemble
from cortex_replay.admission import admit
from cortex_replay.objects import commit_at


def build_tasks(bench: Workbench, corrections: Iterable[Correction]) -> tuple[Task, ...]:
    """Build, admit and keep the tasks of corrections that have none yet."""
    known = {task.id for task in bench.store.tasks.all()}
    built: list[Task] = []
    with bench.workspaces() as workspaces:
        for correction in corrections:
            draft = _draft(bench, correction)
            if draft.id in known:
                continue
            task = admit(draft, workspaces)
            bench.store.tasks.put(task)
            built.append(task)
    return tuple(built)


def readmit(bench: Workbench, task: Task) -> Task:
    """Give the proofs of admission again, and keep the answer."""
    with bench.workspaces() as workspaces:
        again = admit(task, workspaces)
    bench.store.tasks.put(again)
    return again


def themes(bench: Workbench) -> tuple[Theme, ...]:
    """Return the themes of the repository (all, outside of one), most asked for first."""
    where = str(bench.repository) if bench.repository else None
    corrections = bench.store.corrections.all(repository=where)
    return group(corrections, contrasts(bench, corrections))


def contrasts(bench: Workbench, corrections: Sequence[Correction]) -> dict[str, Contrast]:
    """Return for each correction's id what attempt and corrected result were."""
    turns: dict[str, tuple[Turn, ...]] = {}
    found: dict[str, Contrast] = {}
    for correction in corrections:
        session = correction.session_id
        if session not in turns:
            turns[session] = assemble(bench.store.sessions.events(session))
        found[correction.id] = contrast(correction, turns[session])
    return found


def _draft(bench: Workbench, correction: Correction) -> Task:
    known = contrasts(bench, [correction])[correction.id]
    repository = find_repository(Path(correction.cwd))
    if repository is None:
        return build(correction, known, "", None)
    prompt = known.prompt
    commit = commit_at(repository, prompt.branch, prompt.at)
    task = build(correction, known, str(repository), commit)
    return replace(task, session_id=correction.session_id)
