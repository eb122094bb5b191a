"""Which theme deserves the next candidate."""

from collections.abc import Iterable, Sequence

from cortex.model.artifacts import Candidate, CandidateStatus
from cortex.model.corrections import Theme
from cortex.model.tasks import Task, TaskStatus

OPEN = frozenset(
    {
        CandidateStatus.PROPOSED,
        CandidateStatus.UNDECIDED,
        CandidateStatus.KEPT,
        CandidateStatus.RETAINED,
    }
)
MAX_FAILURES = 2
"""A theme whose candidates were given up this often is left alone."""
REPEATING = frozenset({"template"})
"""Writers that would say the same again: their first failure is the last."""


def choose(
    themes: Iterable[Theme], tasks: Sequence[Task], candidates: Sequence[Candidate]
) -> Theme | None:
    """Return the recurring theme with the most evidence, None when there is nothing to learn.

    Evidence is admitted tasks, then sessions, then corrections. A theme without an admitted task
    cannot be measured; one with an open or kept candidate has its answer; one that was given up
    or refused twice has had its chances (once, when the writer would only repeat itself).
    """
    free = [
        theme
        for theme in themes
        if theme.recurs and tasks_of(theme, tasks) and not _spent(theme, candidates)
    ]
    return min(free, key=lambda theme: _rank(theme, tasks), default=None)


def tasks_of(theme: Theme, tasks: Iterable[Task]) -> tuple[Task, ...]:
    """Return the admitted tasks that came from the theme's corrections."""
    known = set(theme.correction_ids)
    return tuple(
        task
        for task in tasks
        if task.status is TaskStatus.ADMITTED
        and (task.theme_id == theme.id or known.intersection(task.correction_ids))
    )


def _spent(theme: Theme, candidates: Sequence[Candidate]) -> bool:
    of_theme = [candidate for candidate in candidates if candidate.theme_id == theme.id]
    failures = sum(MAX_FAILURES if candidate.writer in REPEATING else 1 for candidate in of_theme)
    return any(candidate.status in OPEN for candidate in of_theme) or failures >= MAX_FAILURES


def _rank(theme: Theme, tasks: Sequence[Task]) -> tuple[int, int, int, str]:
    """Order by falling evidence, then by id so that the choice is the same every time."""
    measured = len(tasks_of(theme, tasks))
    return -measured, -len(set(theme.session_ids)), -len(theme.correction_ids), theme.id
