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
    """Return one entry of the inbox; UsageError when it does not wait there any more."""
    one = inboxes.entry(context, candidate_id)
    return EntryDetails(
        id=one.id,
        title=_title(one),
        path=one.candidate.artifact.path,
        before=one.before,
        after=one.after,
        markdown=markdown.evidence(evidence_of(context, one.candidate)),
    )


def _state(repository: Repository, context: Context) -> State:
    waiting = [_inbox_row(one) for one in inboxes.inbox(context)[:LISTED]]
    texts = list(_harness_rows(repository))
    queued = [one for one in jobs(context) if one.status in (JobStatus.QUEUED, JobStatus.RUNNING)]
    prunable = sum(one.ruling == "prune" for one in texts)
    summary = f"{len(waiting)} waiting · {len(texts)} texts"
    return State(
        repository=str(repository.root),
        inbox=waiting,
        harness=texts,
        jobs=[_job_row(context, one) for one in queued],
        graveyard=[_grave_row(one) for one in graves(repository)[:LISTED]],
        running=_running(context, queued),
        summary=f"{summary} · {prunable} prunable" if prunable else summary,
        error=repository.error,
    )


def _inbox_row(one: InboxEntry) -> InboxRow:
    verdict = one.verdict
    return InboxRow(
        id=one.id,
        title=_title(one),
        name=one.candidate.artifact.name,
        path=one.candidate.artifact.path,
        change="add" if one.candidate.change == "add" else "remove",
        ruling=str(verdict.ruling) if verdict else None,
        reason=verdict.reason if verdict else "Not measured yet.",
        lift=verdict.lift if verdict else None,
        pairs=verdict.pairs if verdict else 0,
        e_value=min(verdict.e_value, 1e300) if verdict else None,
    )


def _title(one: InboxEntry) -> str:
    said = str(one.verdict.ruling) if one.verdict else "not measured"
    return f"{one.candidate.artifact.name} (proposed: {said})"


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
                title=markdown.title(status).removeprefix("Cortex: "),
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


def _running(context: Context, queued: list[Job]) -> RunningRow | None:
    job = next((one for one in queued if one.status is JobStatus.RUNNING), None)
    candidate = context.store.candidates.get(job.candidate_id) if job else None
    found = evidence_of(context, candidate) if candidate else None
    if candidate is None or found is None or found.judgement is None:
        return None
    pairs = sum(one.pairs for one in found.judgement.tasks)
    return RunningRow(name=candidate.artifact.name, pairs=pairs, e_value=found.judgement.e_value)


def _name(context: Context, job: Job) -> str:
    candidate = context.store.candidates.get(job.candidate_id)
    return candidate.artifact.name if candidate else job.candidate_id
