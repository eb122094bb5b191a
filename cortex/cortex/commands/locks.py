"""Locks between processes of the same person: commands, the daemon, editors, the terminal UI."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from cortex.commands.context import Context
from cortex.digests import digest_text
from cortex.errors import MachineError

FOLDER = "locks"
PATIENCE_S = 20.0
"""Changing the harness takes some hundredths of a second."""

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


@contextmanager
def alone(context: Context, work: str, problem: str, patience_s: float = 0.0) -> Iterator[None]:
    """Hold the lock of `work`, in one thread as often as it likes.

    Raises MachineError with `problem` when another process holds it for longer than `patience_s`.
    """
    from filelock import FileLock, Timeout  # 50 ms, and most commands need no lock

    folder = context.home / FOLDER
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = folder / f"{digest_text(work)[:16]}.lock"
    lock = FileLock(path, mode=0o600, is_singleton=True)
    try:
        lock.acquire(timeout=patience_s)
    except Timeout:
        raise MachineError(problem) from None
    try:
        yield
    finally:
        lock.release()


def changes_harness(
    function: Callable[Concatenate[Context, Arguments], Result],
) -> Callable[Concatenate[Context, Arguments], Result]:
    """Let one process at a time change the harness of a repository."""

    @wraps(function)
    def locked(
        context: Context, /, *arguments: Arguments.args, **named: Arguments.kwargs
    ) -> Result:
        problem = f"{context.root}: another Cortex is changing the harness; try again"
        with alone(context, f"harness {context.root}", problem, PATIENCE_S):
            return function(context, *arguments, **named)

    return locked
