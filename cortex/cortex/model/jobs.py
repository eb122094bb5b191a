"""Jobs of the daemon's queue."""

from dataclasses import dataclass
from enum import StrEnum


class JobStatus(StrEnum):
    """State of a job. The last three are final."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Job:
    """One experiment that somebody asked for, with the money that it may cost."""

    id: int
    repository: str
    candidate_id: str
    budget_usd: float | None
    """None only for agents that cost nothing."""
    status: JobStatus = JobStatus.QUEUED
    note: str = ""
    """What came of it, in a sentence."""
    created_at: str = ""
    started_at: str | None = None
    finished_at: str | None = None
    owner: str | None = None
    """The daemon that runs it."""
