"""What the screen lists, read in one go from the store."""

from dataclasses import dataclass

from cortex.artifacts import graveyard
from cortex.commands.artifact_status import ArtifactStatus, artifact_statuses
from cortex.commands.context import Context
from cortex.commands.inbox import InboxEntry, inbox
from cortex.commands.queue import jobs
from cortex.model.jobs import Job, JobStatus
from cortex.presenting.titles import entry_state, state

LISTED = 300
"""Entries of the inbox that are listed."""


@dataclass(frozen=True, slots=True)
class Item:
    """A line of the list."""

    key: str
    """`inbox:ID`, `text:KEY` or `job:ID`."""
    name: str
    state: str
    """The word in front of the name, which has a style."""
    entry: InboxEntry | None = None
    status: ArtifactStatus | None = None
    job: Job | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything that is listed."""

    repository: str
    inbox: tuple[Item, ...]
    harness: tuple[Item, ...]
    running: tuple[Item, ...]
    buried: int
    spent_usd: float

    @property
    def items(self) -> tuple[Item, ...]:
        """All lines, in the order of the list."""
        return (*self.inbox, *self.running, *self.harness)


def take(context: Context) -> Snapshot:
    """Read the current state. Raises what the store and the disk raise."""
    entries = inbox(context)
    return Snapshot(
        repository=context.root.name,
        inbox=tuple(map(_inbox_item, entries[:LISTED])),
        harness=tuple(map(_harness_item, artifact_statuses(context))),
        running=tuple(_job_item(context, job) for job in jobs(context) if _is_open(job)),
        buried=len(graveyard.entries(context.root)),
        spent_usd=context.store.experiments.spent_usd(),
    )


def _inbox_item(entry: InboxEntry) -> Item:
    name = entry.candidate.artifact.name
    return Item(f"inbox:{entry.id}", name, entry_state(entry), entry=entry)


def _harness_item(status: ArtifactStatus) -> Item:
    return Item(f"text:{status.artifact.key}", status.artifact.name, state(status), status=status)


def _job_item(context: Context, job: Job) -> Item:
    candidate = context.store.candidates.get(job.candidate_id)
    name = candidate.artifact.name if candidate else job.candidate_id
    return Item(f"job:{job.id}", name, str(job.status), job=job)


def _is_open(job: Job) -> bool:
    return job.status in (JobStatus.QUEUED, JobStatus.RUNNING)
