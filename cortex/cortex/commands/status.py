"""Where a repository stands: `status`, and the proof that its verdicts rest on stored rows."""

from dataclasses import dataclass

from cortex.artifacts import disk, graveyard, harness
from cortex.commands.context import Context
from cortex.commands.online_fdr import Lifetime, lifetime
from cortex.errors import UsageError
from cortex.model.artifacts import Artifact, Candidate
from cortex.model.tasks import Task, TaskStatus
from cortex.model.verdicts import Ruling, Verdict


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
    """Of the repository's additions; None outside of one."""


def status(context: Context) -> Status:
    """Return where the repository stands (all repositories, outside of one)."""
    where = str(context.repository) if context.repository else None
    tasks: tuple[Task, ...] = context.store.tasks.all(repository=where)
    counts = {str(state): 0 for state in TaskStatus}
    for task in tasks:
        counts[str(task.status)] += 1
    root = context.repository
    return Status(
        repository=where,
        sessions=len(context.store.sessions.places()),
        corrections=len(context.store.corrections.all(repository=where)),
        tasks={state: count for state, count in counts.items() if count},
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
    seen = verdict.pairs + verdict.single_arm
    pairs = context.store.experiments.pairs(verdict.experiment_id)[:seen]
    direction = Direction(str(candidate.change))
    try:
        derived = verdict_of(judge(direction, lock.specs, pairs, lock.judging_policy))
    except UsageError as error:
        return str(error)
    if (derived.ruling, derived.tasks) != (verdict.ruling, verdict.tasks):
        return f"its {len(pairs)} pairs say {derived.ruling}, it says {verdict.ruling}"
    return None


def problems(context: Context) -> tuple[str, ...]:
    """Return one sentence for each row that is not what it should be (`cortex verify`)."""
    from cortex_store.verify import verify

    found = verify(context.store, lambda verdict: rejudge(context, verdict))
    return tuple(str(problem) for problem in found)


def counts_by_ruling(verdicts: tuple[Verdict, ...]) -> dict[Ruling, int]:
    """Return how many of the newest verdicts say what."""
    newest = {verdict.candidate_id: verdict for verdict in verdicts}
    counts: dict[Ruling, int] = {}
    for verdict in newest.values():
        counts[verdict.ruling] = counts.get(verdict.ruling, 0) + 1
    return counts
