"""The status of a repository, and the check that its verdicts follow from stored rows."""

from dataclasses import dataclass

from cortex.artifacts import disk, graveyard, harness
from cortex.commands.context import Context
from cortex.commands.online_fdr import Lifetime, lifetime
from cortex.model.artifacts import Artifact, Candidate, CandidateStatus
from cortex.model.verdicts import Verdict


@dataclass(frozen=True, slots=True)
class Status:
    """Counts and lists that a person wants to see first."""

    repository: str | None
    sessions: int
    corrections: int
    tasks: dict[str, int]
    """By status."""
    candidates: tuple[Candidate, ...]
    harness: tuple[Artifact, ...]
    verdicts: tuple[Verdict, ...]
    buried: int
    spent_usd: float
    lifetime: Lifetime | None
    """Of the repository's additions; None outside of a repository."""


@dataclass(frozen=True)
class Summary:
    """Counts for a person, read without decoding records."""

    repository: str | None
    sessions: int
    corrections: int
    tasks: dict[str, int]
    """By status, without zeros."""
    artifacts: int
    """Pieces of harness text."""
    buried: int
    rulings: dict[str, int]
    """Of the newest verdict of each candidate."""
    lifetime: Lifetime | None
    spent_usd: float
    """In all repositories."""
    waiting: tuple[Candidate, ...]
    """Candidates that are not decided."""


_WAITING = (CandidateStatus.PROPOSED, CandidateStatus.UNDECIDED)


def summary(context: Context) -> Summary:
    """Return the counts of the repository (of all repositories, outside of a repository)."""
    root = context.repository
    where = str(root) if root else None
    listing = context.store.listing
    waiting = [
        candidate
        for status in _WAITING
        for candidate in context.store.candidates.all(repository=where, status=status)
    ]
    return Summary(
        repository=where,
        sessions=listing.sessions(where),
        corrections=listing.corrections(where),
        tasks=listing.tasks_by_status(where),
        artifacts=len(harness.parse(disk.read_files(root))) if root else 0,
        buried=len(graveyard.entries(root)) if root else 0,
        rulings=listing.verdicts_by_ruling(where),
        lifetime=lifetime(context, where) if where else None,
        spent_usd=context.store.experiments.spent_usd(),
        waiting=tuple(sorted(waiting, key=lambda candidate: (candidate.created_at, candidate.id))),
    )


def status(context: Context) -> Status:
    """Return the counts and the records of the repository (of all, outside of a repository)."""
    root = context.repository
    where = str(root) if root else None
    listing = context.store.listing
    return Status(
        repository=where,
        sessions=listing.sessions(where),
        corrections=listing.corrections(where),
        tasks=listing.tasks_by_status(where),
        candidates=context.store.candidates.all(repository=where),
        harness=harness.parse(disk.read_files(root)) if root else (),
        verdicts=context.store.verdicts.all(repository=where),
        buried=len(graveyard.entries(root)) if root else 0,
        spent_usd=context.store.experiments.spent_usd(),
        lifetime=lifetime(context, where) if where else None,
    )


def rejudge(context: Context, verdict: Verdict) -> str | None:
    """Derive a verdict anew from its trials; return what differs, None when it holds."""
    from cortex.commands.experiments import verdict_of
    from cortex.judgement import Direction, judge

    candidate = context.store.candidates.get(verdict.candidate_id)
    if candidate is None:
        return f"its candidate {verdict.candidate_id} is gone"
    lock = verdict.lock
    if lock is None:
        return "its lock cannot be read"
    pair_count = verdict.pairs + verdict.single_arm
    pairs = context.store.experiments.pairs(verdict.experiment_id)[:pair_count]
    direction = Direction(str(candidate.change))
    try:
        derived = verdict_of(judge(direction, lock.specs, pairs, lock.judging_policy))
    except ValueError as error:
        return str(error)
    if (derived.ruling, derived.tasks) != (verdict.ruling, verdict.tasks):
        return f"its {len(pairs)} pairs say {derived.ruling}, it says {verdict.ruling}"
    return None


def purged_tasks(context: Context) -> int:
    """Return how many tasks were purged: their digests cannot be computed again."""
    from cortex_store.purge_lookup import purged_tasks as count

    return count(context.store)


def problems(context: Context) -> tuple[str, ...]:
    """Return a sentence for each row that is not what it should be (`cortex verify`)."""
    from cortex_store.verify import verify

    stored_problems = verify(context.store, lambda verdict: rejudge(context, verdict))
    return tuple(str(problem) for problem in stored_problems)
