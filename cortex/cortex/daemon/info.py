"""One daemon at a time, and how others see that it is there.

The lock is the system's: it goes with the process, however that ends. The file beside it says who
holds it; its time of change is the heartbeat.
"""

import fcntl
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

from cortex.artifacts import atomic
from cortex.errors import MachineError

LOCK, STATE, LOG = "daemon.lock", "daemon.json", "daemon.log"


@dataclass(frozen=True, slots=True)
class DaemonInfo:
    """What a running daemon says about itself."""

    pid: int
    since: str
    ready: bool = False
    watches: tuple[str, ...] = ()
    polls: bool = False
    """Native watching failed, or was not wanted."""


@contextmanager
def alone(home: Path) -> Iterator[None]:
    """Hold the lock of the daemon; MachineError when another one does."""
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    with _open(home / LOCK) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise MachineError("the daemon runs already; `cortex daemon status` shows it") from None
        yield


def is_held(home: Path) -> bool:
    """Whether a daemon runs."""
    if not (home / LOCK).exists():
        return False
    with _open(home / LOCK) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return True
    return False


def announce(home: Path, presence: DaemonInfo) -> None:
    """Say who runs."""
    atomic.write(home / STATE, json.dumps(asdict(presence)).encode())


def beat(home: Path) -> None:
    """Say that it still does."""
    (home / STATE).touch()


def look(home: Path) -> DaemonInfo | None:
    """Return what the running daemon says; None when none runs, or it has not said yet."""
    if not is_held(home):
        return None
    try:
        said = json.loads((home / STATE).read_text("utf-8"))
        found = DaemonInfo(**{**said, "watches": tuple(said["watches"])})
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return found if _alive(found.pid) else None


def silent_for_s(home: Path) -> float:
    """Return the seconds since the last heartbeat."""
    try:
        return time.time() - (home / STATE).stat().st_mtime
    except OSError:
        return 0.0


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _open(path: Path) -> IO[str]:
    return os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600), "r+")
