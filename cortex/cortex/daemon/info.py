"""One daemon at a time, and its state for other processes.

The operating system releases the lock with the process, also after `kill -9`. The file beside it
names the holder; its time of change is the heartbeat.
"""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from cortex.artifacts import atomic
from cortex.errors import MachineError
from cortex.liveness import lives

LOCK, STATE, LOG = "daemon.lock", "daemon.json", "daemon.log"
LOCK_S = 1.0
"""A command that looks whether a daemon is running holds the lock for less than this."""
RUNNING = "the daemon is already running; `cortex daemon status` shows it"


@dataclass(frozen=True, slots=True)
class DaemonInfo:
    """The state that a running daemon publishes."""

    pid: int
    since: str
    ready: bool = False
    watches: tuple[str, ...] = ()
    polls: bool = False
    """Native watching failed, or was not wanted."""


@contextmanager
def alone(home: Path) -> Iterator[None]:
    """Hold the lock of the daemon; MachineError when another process holds it."""
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    with _lock(home, LOCK_S) as lock:
        if lock is None:
            raise MachineError(RUNNING)
        yield


def is_held(home: Path) -> bool:
    """Return whether a daemon is running."""
    if not (home / LOCK).exists():
        return False
    with _lock(home, 0) as lock:
        return lock is None


@contextmanager
def _lock(home: Path, timeout_s: float) -> Iterator[FileLock | None]:
    """Yield the lock, None when another process holds it for longer than `timeout_s`."""
    lock = FileLock(home / LOCK, timeout=timeout_s, mode=0o600)
    try:
        lock.acquire()
    except Timeout:
        yield None
        return
    try:
        yield lock
    finally:
        lock.release()


def announce(home: Path, presence: DaemonInfo) -> None:
    """Publish the state of this daemon."""
    atomic.write(home / STATE, json.dumps(asdict(presence)).encode())


def beat(home: Path) -> None:
    """Update the heartbeat."""
    (home / STATE).touch()


def look(home: Path) -> DaemonInfo | None:
    """Return the state of the running daemon; None without one, or before it has published it."""
    if not is_held(home):
        return None
    try:
        state = json.loads((home / STATE).read_text("utf-8"))
        info = DaemonInfo(**{**state, "watches": tuple(state["watches"])})
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return info if lives(info.pid) else None


def silent_for_s(home: Path) -> float:
    """Return the seconds since the last heartbeat; 0 after the clock went back."""
    try:
        return max(0.0, time.time() - (home / STATE).stat().st_mtime)
    except OSError:
        return 0.0
