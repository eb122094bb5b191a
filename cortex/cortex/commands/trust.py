"""Which repositories the person lets run their commands without a sandbox.

The decision lies in the person's own store, never in the repository.
"""

from dataclasses import dataclass

from cortex.commands.building import readmit
from cortex.commands.context import TRUSTED, Context
from cortex.model.tasks import CommandCheck, Task, TaskStatus
from cortex.timestamps import now


@dataclass(frozen=True, slots=True)
class Trusted:
    """The result of trusting a repository."""

    repository: str
    tasks: tuple[Task, ...]
    """Tasks that had waited, with the result of admission."""


def trust(context: Context) -> Trusted:
    """Trust the repository, and admit its tasks that waited for it.

    Raises UsageError outside of a repository.
    """
    root = str(context.root)
    context.store.key_values.set(f"{TRUSTED} {root}", now())
    return Trusted(root, tuple(readmit(context, task) for task in waiting(context)))


def revoke(context: Context) -> bool:
    """Take the trust back; return whether there was any. Raises UsageError as `trust`."""
    return context.store.key_values.remove(f"{TRUSTED} {context.root}")


def waiting(context: Context) -> tuple[Task, ...]:
    """Return the tasks of the repository that were skipped and whose checks run commands."""
    return tuple(
        task
        for task in context.store.tasks.all(repository=str(context.root))
        if task.status is TaskStatus.SKIPPED
        and any(isinstance(check, CommandCheck) for check in task.checks)
    )
