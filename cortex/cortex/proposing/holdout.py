"""Which tasks of a theme the writer does not get to see."""

from collections.abc import Sequence

from cortex.digests import digest_text
from cortex.model.tasks import Task

MIN_TASKS = 3


def split(tasks: Sequence[Task]) -> tuple[tuple[Task, ...], tuple[Task, ...]]:
    """Return (seen, held out): with three tasks or more a third is held out, else none.

    The choice depends on the ids alone, so that it is the same in every run; a task that is
    marked as held out stays so.
    """
    marked = {task.id for task in tasks if task.held_out}
    if len(tasks) >= MIN_TASKS:
        others = sorted((task.id for task in tasks if not task.held_out), key=digest_text)
        marked.update(others[: max(0, len(tasks) // 3 - len(marked))])
    seen = tuple(task for task in tasks if task.id not in marked)
    return seen, tuple(task for task in tasks if task.id in marked)
