"""Looking things up and putting things aside."""

from dataclasses import dataclass

from cortex.commands.workbench import Workbench
from cortex.errors import UsageError
from cortex.model.artifacts import Candidate
from cortex.model.corrections import Correction
from cortex.model.tasks import Task, TaskStatus
from cortex.model.verdicts import Verdict


def corrections(bench: Workbench, *, all_repositories: bool = False) -> tuple[Correction, ...]:
    """Return the corrections made in the repository, oldest first."""
    where = None if all_repositories or bench.repository is None else str(bench.repository)
    return bench.store.corrections.all(repository=where)


def tasks(
    bench: Workbench, status: TaskStatus | None = None, *, all_repositories: bool = False
) -> tuple[Task, ...]:
    """Return the tasks of the repository, oldest first."""
    where = None if all_repositories or bench.repository is None else str(bench.repository)
    return bench.store.tasks.all(repository=where, status=status)


def task(bench: Workbench, task_id: str) -> Task:
    """Return one task; UsageError for an unknown id."""
    found = bench.store.tasks.get(task_id)
    if found is None:
        raise UsageError(f"{task_id}: no such task; `cortex tasks` lists them")
    return found


def candidate(bench: Workbench, candidate_id: str) -> Candidate:
    """Return one candidate; UsageError for an unknown id."""
    found = bench.store.candidates.get(candidate_id)
    if found is None:
        raise UsageError(f"{candidate_id}: no such candidate; `cortex status` lists them")
    return found


def verdict(bench: Workbench, reference: str) -> Verdict:
    """Return a verdict by its own id or the newest of a candidate; UsageError for neither."""
    found = bench.store.verdicts.get(reference) or bench.store.verdicts.latest(reference)
    if found is None:
        raise UsageError(f"{reference}: no such verdict; `cortex verdicts` lists them")
    return found


def dismiss(bench: Workbench, reference: str) -> str:
    """Put a task or a correction (with its tasks) aside for good; return what it was."""
    if bench.store.tasks.get(reference) is not None:
        bench.store.tasks.set_status(reference, TaskStatus.DISMISSED, "dismissed by the developer")
        return "task"
    if bench.store.corrections.get(reference) is None:
        raise UsageError(f"{reference}: no such task or correction")
    with bench.store.transaction():
        bench.store.corrections.dismiss(reference)
        for one in bench.store.tasks.all():
            if reference in one.correction_ids:
                reason = "its correction was dismissed by the developer"
                bench.store.tasks.set_status(one.id, TaskStatus.DISMISSED, reason)
    return "correction"


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict with the candidate it is about."""

    verdict: Verdict
    candidate: Candidate | None
    """None when it is not in this database any more."""


def verdicts(bench: Workbench, *, all_repositories: bool = False) -> tuple[Judged, ...]:
    """Return all verdicts of the repository, oldest first."""
    where = None if all_repositories or bench.repository is None else str(bench.repository)
    found = bench.store.verdicts.all(repository=where)
    return tuple(Judged(one, bench.store.candidates.get(one.candidate_id)) for one in found)
