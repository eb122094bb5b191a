"""The answers to the custom requests."""

from collections.abc import Iterator

from cortex.artifacts import disk
from cortex.artifacts.entries import GraveyardEntry
from cortex.commands import inbox as inboxes
from cortex.commands.context import Context
from cortex.commands.evidence import evidence_of
from cortex.commands.inbox import InboxEntry
from cortex.commands.queue import jobs
from cortex.errors import CortexError
from cortex.model.jobs import Job, JobStatus
from cortex.presenting.formats import e_value
from cortex.presenting.titles import (
    NOT_MEASURED_YET,
    PRUNABLE,
    entry_detail,
    entry_title,
    running_detail,
    status_detail,
    status_title,
    summary,
)
from cortex.presenting.titles import state as state_word
from cortex_lsp import markdown
from cortex_lsp.actions import graves
from cortex_lsp.payloads import (
    EntryDetails,
    GraveRow,
    HarnessRow,
    InboxRow,
    JobRow,
    RunningRow,
    State,
)
from cortex_lsp.repository import Repository

LISTED = 200


def state(repository: Repository | None) -> State:
    """Return everything that the sidebar shows; what went wrong is in `error`."""
    if repository is None:
        return State(repository=None, summary="no repository")
    repository.refresh()
    try:
        return _state(repository, repository.feed.context())
    except CortexError as error:
        return State(repository=str(repository.root), error=str(error))


def entry(context: Context, candidate_id: str) -> EntryDetails:
    """Return an entry of the inbox; UsageError when it is no longer in the inbox."""
    inbox_entry = inboxes.entry(context, candidate_id)
    return EntryDetails(
        id=inbox_entry.id,
        title=entry_title(inbox_entry),
        path=inbox_entry.candidate.artifact.path,
        before=inbox_entry.before,
        after=inbox_entry.after,
        markdown=markdown.evidence(evidence_of(context, inbox_entry.candidate)),
    )


def _state(repository: Repository, context: Context) -> State:
    entries = [_inbox_row(entry) for entry in inboxes.inbox(context)[:LISTED]]
    texts = list(_harness_rows(repository))
    open_jobs = [
        job for job in jobs(context) if job.status in (JobStatus.QUEUED, JobStatus.RUNNING)
    ]
    return State(
        repository=str(repository.root),
        inbox=entries,
        harness=texts,
        jobs=[_job_row(context, job) for job in open_jobs],
        graveyard=[_grave_row(grave) for grave in graves(repository)[:LISTED]],
        running=_running(context, open_jobs),
        summary=summary(len(entries), len(texts), sum(row.state == PRUNABLE for row in texts)),
        error=repository.error,
    )


def _inbox_row(entry: InboxEntry) -> InboxRow:
    verdict = entry.verdict
    return InboxRow(
        id=entry.id,
        title=entry_title(entry),
        detail=entry_detail(entry),
        name=entry.candidate.artifact.name,
        path=entry.candidate.artifact.path,
        change="add" if entry.candidate.change == "add" else "remove",
        ruling=str(verdict.ruling) if verdict else None,
        reason=verdict.reason if verdict else NOT_MEASURED_YET,
        lift=verdict.lift if verdict else None,
        pairs=verdict.pairs if verdict else 0,
        e_value=min(verdict.e_value, 1e300) if verdict else None,
        evidence=e_value(verdict.e_value) if verdict else "",
    )


def _harness_rows(repository: Repository) -> Iterator[HarnessRow]:
    for path, text in disk.read_files(repository.root).items():
        for place, status in repository.artifact_statuses(path, text):
            artifact, known = status.artifact, status.known
            yield HarnessRow(
                key=artifact.key,
                name=artifact.name,
                path=path,
                line=place.start,
                kind=artifact.kind.value,
                ruling=str(known.ruling) if known else None,
                stale=status.stale,
                state=state_word(status),
                title=status_title(status),
                detail=status_detail(status),
                tokens=status.tokens,
                reason=known.reason if known else "",
            )


def _job_row(context: Context, job: Job) -> JobRow:
    return JobRow(
        id=str(job.id),
        candidate_id=job.candidate_id,
        name=_name(context, job),
        status=str(job.status),
        note=job.note,
    )


def _grave_row(entry: GraveyardEntry) -> GraveRow:
    return GraveRow(
        id=entry.id,
        name=entry.name,
        path=entry.path,
        ruling=entry.ruling or None,
        reason=entry.reason,
    )


def _running(context: Context, open_jobs: list[Job]) -> RunningRow | None:
    job = next((job for job in open_jobs if job.status is JobStatus.RUNNING), None)
    candidate = context.store.candidates.get(job.candidate_id) if job else None
    evidence = evidence_of(context, candidate) if candidate else None
    if candidate is None or evidence is None or evidence.judgement is None:
        return None
    pairs = sum(task.pairs for task in evidence.judgement.tasks)
    return RunningRow(
        name=candidate.artifact.name,
        pairs=pairs,
        e_value=evidence.judgement.e_value,
        detail=running_detail(pairs, evidence.judgement.e_value),
    )


def _name(context: Context, job: Job) -> str:
    candidate = context.store.candidates.get(job.candidate_id)
    return candidate.artifact.name if candidate else job.candidate_id
