"""Starting, stopping and looking at the daemon, from outside."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from cortex.commands.context import DATABASE
from cortex.config import home
from cortex.daemon import info
from cortex.daemon.info import DaemonInfo
from cortex.errors import MachineError
from cortex.model.jobs import Job, JobStatus
from cortex_store import Store

READY_S = 10.0
STOP_S = 8.0
LOG_BYTES = 1_000_000
"""A longer log is put aside when a daemon starts; one older one is kept."""


@dataclass(frozen=True, slots=True)
class DaemonStatus:
    """What `cortex daemon status` shows."""

    running: bool
    presence: DaemonInfo | None
    silent_s: float
    sessions: int
    corrections: int
    queued: tuple[Job, ...]
    current: Job | None


def start() -> DaemonInfo:
    """Leave a daemon behind; return what it says once it is ready.

    Raises MachineError when one runs already, or when it does not get ready.
    """
    folder = home()
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if info.is_held(folder):
        raise MachineError("the daemon runs already; `cortex daemon status` shows it")
    log = _log(folder)
    with log.open("ab") as out:
        process = subprocess.Popen(
            [sys.executable, "-P", "-X", "utf8", "-m", "cortex.daemon"],
            env={**os.environ, "CORTEX_HOME": str(folder)},
            stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True, cwd="/",
        )  # fmt: skip
    end = time.monotonic() + READY_S
    while time.monotonic() < end:
        found = info.look(folder)
        if found is not None and found.ready and found.pid == process.pid:
            return found
        if process.poll() is not None:
            break
        time.sleep(0.02)
    raise MachineError(f"the daemon did not start: {_last_line(log)}")


def stop() -> bool:
    """End the daemon; return whether one ran. Raises MachineError when it does not end."""
    folder = home()
    found = info.look(folder)
    if found is None:
        return False
    os.kill(found.pid, signal.SIGTERM)
    end = time.monotonic() + STOP_S
    while time.monotonic() < end:
        if not info.is_held(folder):
            return True
        time.sleep(0.02)
    raise MachineError(f"the daemon (pid {found.pid}) does not end; kill it")


def status() -> DaemonStatus:
    """Return whether a daemon runs, and what lies in the store."""
    folder = home()
    found = info.look(folder)
    with Store.open(folder / DATABASE, read_only=True) as store:
        jobs = store.jobs.all()
        return DaemonStatus(
            running=found is not None,
            presence=found,
            silent_s=round(info.silent_for_s(folder), 1) if found else 0.0,
            sessions=len(store.sessions.places()),
            corrections=len(store.corrections.all()),
            queued=tuple(one for one in jobs if one.status is JobStatus.QUEUED),
            current=next((one for one in jobs if one.status is JobStatus.RUNNING), None),
        )


def _log(folder: Path) -> Path:
    log = folder / info.LOG
    if log.exists() and log.stat().st_size > LOG_BYTES:
        log.replace(log.with_suffix(".log.1"))
    log.touch(mode=0o600)
    return log


def _last_line(log: Path) -> str:
    lines = log.read_text("utf-8", "replace").strip().splitlines() or ["it said nothing"]
    return lines[-1]
