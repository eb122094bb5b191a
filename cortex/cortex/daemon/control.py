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
"""A longer log is rotated when a daemon starts; the previous log is kept."""


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
    """Start a daemon in the background; return its state once it is ready.

    Raises MachineError when one is running, or when it does not become ready: then none is left.
    """
    folder = home()
    log = prepare_log(folder)
    if info.is_held(folder):
        raise MachineError(info.RUNNING)
    with log.open("ab") as out:
        process = subprocess.Popen(
            [sys.executable, "-P", "-X", "utf8", "-m", "cortex.daemon"],
            env={**os.environ, "CORTEX_HOME": str(folder)},
            stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True, cwd="/",
        )  # fmt: skip
    ready = _wait_until_ready(folder, process)
    if ready is None:
        _end(process)
        raise MachineError(f"the daemon did not start: {_last_line(log)}")
    return ready


def _wait_until_ready(folder: Path, process: "subprocess.Popen[bytes]") -> DaemonInfo | None:
    end = time.monotonic() + READY_S
    try:
        while time.monotonic() < end and process.poll() is None:
            daemon = info.look(folder)
            if daemon is not None and daemon.ready and daemon.pid == process.pid:
                return daemon
            time.sleep(0.02)
    except BaseException:
        _end(process)
        raise
    return None


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End a daemon that did not become ready."""
    process.terminate()
    try:
        process.wait(STOP_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def stop() -> bool:
    """Stop the daemon; return whether one was running.

    Raises MachineError when it does not stop.
    """
    folder = home()
    daemon = info.look(folder)
    if daemon is None:
        return False
    os.kill(daemon.pid, signal.SIGTERM)
    end = time.monotonic() + STOP_S
    while time.monotonic() < end:
        if not info.is_held(folder):
            return True
        time.sleep(0.02)
    raise MachineError(f"the daemon did not stop; run `kill {daemon.pid}`")


def status() -> DaemonStatus:
    """Return the daemon's state with the counts of the store."""
    folder = home()
    daemon = info.look(folder)
    with Store.open(folder / DATABASE, read_only=True) as store:
        jobs = store.jobs.all()
        return DaemonStatus(
            running=daemon is not None,
            presence=daemon,
            silent_s=round(info.silent_for_s(folder), 1) if daemon else 0.0,
            sessions=store.listing.sessions(None),
            corrections=store.listing.corrections(None),
            queued=tuple(job for job in jobs if job.status is JobStatus.QUEUED),
            current=next((job for job in jobs if job.status is JobStatus.RUNNING), None),
        )


def prepare_log(folder: Path) -> Path:
    """Return the log in Cortex's folder, both created where missing; a long log is rotated.

    Raises MachineError when the folder cannot be written.
    """
    log = folder / info.LOG
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if log.exists() and log.stat().st_size > LOG_BYTES:
            log.replace(log.with_suffix(".log.1"))
        log.touch(mode=0o600)
    except OSError as error:
        reason = error.strerror or error
        raise MachineError(f"{folder}: {reason}; set CORTEX_HOME to a writable folder") from None
    return log


def _last_line(log: Path) -> str:
    lines = log.read_text("utf-8", "replace").strip().splitlines() or ["no log output"]
    return lines[-1]
