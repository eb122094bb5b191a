"""What the screen shows, read in one go from the store."""

from dataclasses import dataclass

from cortex.artifacts import graveyard
from cortex.commands.artifact_status import ArtifactStatus, artifact_statuses
from cortex.commands.context import Context
from cortex.commands.inbox import InboxEntry, inbox
from cortex.commands.queue import jobs
from cortex.model.jobs import Job, JobStatus

LISTED = 300
"""Entries of the inbox that are listed; the rest is counted."""


@dataclass(frozen=True, slots=True)
class Item:
    """One line of the list."""

    key: str
    """`inbox:ID`, `text:KEY` or `job:ID`."""
    name: str
    ruling: str
    """The word that colours it."""
    note: str
    entry: InboxEntry | None = None
    status: ArtifactStatus | None = None
    job: Job | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything that is listed."""

    repository: str
    waiting: tuple[Item, ...]
    harness: tuple[Item, ...]
    running: tuple[Item, ...]
    buried: int
    spent_usd: float

    @property
    def items(self) -> tuple[Item, ...]:
        """All lines, in the order of the list."""
        return (*self.waiting, *self.running, *self.harness)


def take(context: Context) -> Snapshot:
    """Read what is shown now. Raises what the store and the disk raise."""
    entries = inbox(context)
    return Snapshot(
        repository=context.root.name,
        waiting=tuple(map(_waiting, entries[:LISTED])),
        harness=tuple(map(_status, artifact_statuses(context))),
        running=tuple(_job(context, one) for one in jobs(context) if _is_open(one)),
        buried=len(graveyard.entries(context.root)),
        spent_usd=context.store.experiments.spent_usd(),
    )


def _waiting(entry: InboxEntry) -> Item:
    said = str(entry.verdict.ruling) if entry.verdict else "proposed"
    return Item(f"inbox:{entry.id}", entry.candidate.artifact.name, said, said, entry=entry)


def _status(status: ArtifactStatus) -> Item:
    ruling = str(status.ruling or "")
    note = ruling or ("stale" if status.stale else "untested")
    key = f"text:{status.artifact.key}"
    return Item(key, status.artifact.name, ruling, note, status=status)


def _job(context: Context, job: Job) -> Item:
    candidate = context.store.candidates.get(job.candidate_id)
    name = candidate.artifact.name if candidate else job.candidate_id
    return Item(f"job:{job.id}", name, str(job.status), str(job.status), job=job)


def _is_open(job: Job) -> bool:
    return job.status in (JobStatus.QUEUED, JobStatus.RUNNING)
