"""Ends a confined agent that uses too much: works for every user, without control groups.

Limits of the system do not bind root, and none of them adds up the memory of several processes.
"""

import os
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from cortex_replay.confinement import Limits

INTERVAL_S = 0.2
DISK_EVERY = 10
"""Intervals between two looks at the disk."""


class UsageWatch:
    """Watches a process and all below it; `reason` says why it was ended, "" when it was not."""

    def __init__(self, limits: Limits, folders: Sequence[Path]) -> None:
        self.reason = ""
        self._limits = limits
        self._folders = tuple(folders)
        self._memory = limits.memory_here()
        self._free = _free(self._folders)
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def begin(self, pid: int) -> None:
        """UsageWatch from now on, in a thread."""
        if not hasattr(os, "pidfd_open"):
            return
        self._thread = threading.Thread(target=self._watch, args=(pid,), daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Stop watching."""
        self._ended.set()
        if self._thread is not None:
            self._thread.join()

    def _watch(self, pid: int) -> None:
        try:
            handle = os.pidfd_open(pid)
        except OSError:
            return
        rounds = 0
        try:
            while not self._ended.wait(INTERVAL_S):
                rounds += 1
                reason = self._excess(pid) or (self._disk() if rounds % DISK_EVERY == 0 else "")
                if reason:
                    self.reason = reason
                    # bubblewrap takes its whole namespace with it.
                    with suppress(OSError):
                        signal.pidfd_send_signal(handle, signal.SIGKILL)
                    return
        finally:
            os.close(handle)

    def _excess(self, pid: int) -> str:
        # Counted first, and no further than the limit: each look at a process costs time in which
        # a fork bomb grows.
        tasks, processes = 0, []
        for process in _tree(pid):
            tasks += process.count
            if tasks > self._limits.processes:
                return f"used more than {self._limits.processes} processes and threads"
            processes.append(process.pid)
        private = shared = 0
        for own, common in map(_resident, processes):
            private, shared = private + own, max(shared, common)
        if private + shared > self._memory:
            return f"used more than {self._memory >> 20} MB of memory"
        return ""

    def _disk(self) -> str:
        # What is free says for nothing that there is no need to count files.
        if self._free - _free(self._folders) <= self._limits.disk:
            return ""
        if sum(map(_size, self._folders)) <= self._limits.disk:
            return ""
        return f"wrote more than {self._limits.disk >> 20} MB"


class _Process:
    def __init__(self, pid: str, count: int) -> None:
        self.pid, self.count = pid, count


def _tree(pid: int) -> Iterator[_Process]:
    """Yield a process and all below it with their number of threads.

    Whatever runs in a process namespace is below the first process of it.
    """
    waiting = [str(pid)]
    while waiting:
        current = waiting.pop()
        try:
            tasks = os.listdir(f"/proc/{current}/task")  # noqa: PTH208 - many times a second
        except OSError:
            continue
        yield _Process(current, len(tasks))
        for task in tasks:
            with suppress(OSError), open(f"/proc/{current}/task/{task}/children") as file:  # noqa: PTH123
                waiting += file.read().split()


def _resident(pid: str) -> tuple[int, int]:
    """Return the bytes of memory that are the process's own, and those it may share."""
    own = shared = 0
    with suppress(OSError), open(f"/proc/{pid}/status", "rb") as file:  # noqa: PTH123
        for line in file:
            if line.startswith(b"RssAnon:"):
                own = int(line.split()[1]) << 10
            elif line.startswith(b"RssShmem:"):
                shared = int(line.split()[1]) << 10
                break
    return own, shared


def _free(folders: Sequence[Path]) -> int:
    try:
        status = os.statvfs(folders[0])
    except OSError:
        return 0
    return status.f_bavail * status.f_frsize


def _size(folder: Path) -> int:
    """Return the bytes on the disk of all files in a folder."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                total += os.lstat(os.path.join(place, name)).st_blocks * 512  # noqa: PTH118
    return total
