"""Looking things up and putting things aside."""

from collections.abc import Iterable
from dataclasses import dataclass

from cortex.commands.context import Context
from cortex.digests import short_id
from cortex.errors import UsageError
from cortex.model.artifacts import Artifact, Candidate, CandidateStatus
from cortex.model.corrections import Correction
from cortex.model.tasks import Task, TaskStatus
from cortex.model.verdicts import TaskEvidence, Verdict


def corrections(context: Context, *, all_repositories: bool = False) -> tuple[Correction, ...]:
    """Return the corrections made in the repository, oldest first."""
    return context.store.corrections.all(repository=context.scope(all_repositories))


def tasks(
    context: Context, status: str | None = None, *, all_repositories: bool = False
) -> tuple[Task, ...]:
    """Return the tasks of the repository, oldest first."""
    state = TaskStatus(status) if status else None
    return context.store.tasks.all(repository=context.scope(all_repositories), status=state)


def task(context: Context, task_id: str) -> Task:
    """Return a task; UsageError for an unknown id."""
    stored_task = context.store.tasks.get(task_id)
    if stored_task is None:
        raise UsageError(f"{task_id}: no such task; `cortex tasks` lists them")
    return stored_task


def candidate(context: Context, candidate_id: str) -> Candidate:
    """Return a candidate; UsageError for an unknown id, and for one whose text was purged."""
    stored_candidate = context.store.candidates.get(candidate_id)
    if stored_candidate is None:
        raise UsageError(f"{candidate_id}: no such candidate; `cortex status` lists them")
    if stored_candidate.status is CandidateStatus.PURGED:
        raise UsageError(f"{candidate_id}: its text was purged; only its verdict is left")
    return stored_candidate


def removal_id(context: Context, artifact: Artifact) -> str:
    """Return the id of the candidate that takes this text out of the harness."""
    return short_id("cand", "remove", str(context.root), artifact.key, artifact.digest)


def verdict(context: Context, reference: str) -> Verdict:
    """Return a verdict by its own id or the newest of a candidate; UsageError for neither."""
    stored_verdict = context.store.verdicts.get(reference) or context.store.verdicts.latest(
        reference
    )
    if stored_verdict is None:
        raise UsageError(f"{reference}: no such verdict; `cortex verdicts` lists them")
    return stored_verdict


def dismiss(context: Context, reference: str) -> str:
    """Put a task or a correction (with its tasks) aside for good; return what it was."""
    if context.store.tasks.status(reference) is TaskStatus.PURGED:
        raise UsageError(f"{reference}: was purged, and is not run any more")
    if context.store.tasks.status(reference) is not None:
        context.store.tasks.set_status(
            reference, TaskStatus.DISMISSED, "dismissed by the developer"
        )
        return "task"
    if context.store.corrections.get(reference) is None:
        raise UsageError(f"{reference}: no such task or correction")
    with context.store.transaction():
        context.store.corrections.dismiss(reference)
        for stored_task in context.store.tasks.all():
            if reference in stored_task.correction_ids:
                reason = "its correction was dismissed by the developer"
                context.store.tasks.set_status(stored_task.id, TaskStatus.DISMISSED, reason)
    return "correction"


def prompts(context: Context, evidence: Iterable[TaskEvidence]) -> dict[str, str]:
    """Return the prompt of each task by its id, as far as the tasks are in this database."""
    stored_tasks = (context.store.tasks.get(row.task_id) for row in evidence)
    return {stored_task.id: stored_task.prompt for stored_task in stored_tasks if stored_task}


@dataclass(frozen=True, slots=True)
class VerdictRow:
    """A verdict with the candidate it is about."""

    verdict: Verdict
    candidate: Candidate | None
    """None when it is not in this database any more."""


def verdicts(context: Context, *, all_repositories: bool = False) -> tuple[VerdictRow, ...]:
    """Return all verdicts of the repository, oldest first."""
    where = context.scope(all_repositories)
    stored = context.store.verdicts.all(repository=where)
    return tuple(
        VerdictRow(stored_verdict, context.store.candidates.get(stored_verdict.candidate_id))
        for stored_verdict in stored
    )
