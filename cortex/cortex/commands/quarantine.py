"""What hits a bug of Cortex is set aside: it ends nothing else, and waits until it changes."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from cortex import __version__
from cortex.commands.context import Context
from cortex.errors import CortexError
from cortex_store.connection import FAULTS

PREFIX = "quarantined"
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Failure:
    """A transcript, a session or a correction that could not be processed."""

    subject: str
    error: Exception


@dataclass(frozen=True, slots=True)
class Quarantine:
    """Runs steps that may fail on somebody's data, each on its own."""

    context: Context
    failures: list[Failure] = field(default_factory=list)
    """Of this run."""

    def holds(self, subject: str, state: str) -> bool:
        """Whether this version of Cortex failed on the subject in this state."""
        return self.context.store.key_values.get(f"{PREFIX} {subject}") == _mark(state)

    @contextmanager
    def around(self, subject: str, state: str) -> Iterator[None]:
        """Set the subject aside when the step raises what is neither a CortexError nor a fault of
        the database or the system."""
        bugs: list[Exception] = []
        with _collected(bugs):
            yield
        for error in bugs:
            self.failures.append(Failure(subject, error))
            self.context.store.key_values.set(f"{PREFIX} {subject}", _mark(state))


def attempt(step: Callable[[], Result]) -> Result | None:
    """Return what the step returns; None when it hits a bug, which is for the caller to narrow."""
    results: list[Result] = []
    with _collected([]):
        results.append(step())
    return results[0] if results else None


@contextmanager
def _collected(bugs: list[Exception]) -> Iterator[None]:
    try:
        yield
    except (CortexError, OSError, *FAULTS):
        raise
    except Exception as error:  # noqa: BLE001 - whatever a hostile transcript provokes
        bugs.append(error)


def _mark(state: str) -> str:
    return f"{__version__} {state}"
