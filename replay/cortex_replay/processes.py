"""Run a program and leave nothing behind: no child, no unbounded output, no inherited secrets."""

import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from cortex.errors import MachineError

OUTPUT_LIMIT = 64 * 1024
"""Bytes of each stream that are kept: the last ones."""

MARK = "CORTEX_TRIAL"
"""Environment variable by which processes that left their group are found again."""

GRACE_S = 2.0
"""Between asking a timed out group to end and killing it."""

_CHUNK = 16 * 1024
_running: dict[int, subprocess.Popen[bytes]] = {}
_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class ProcessResult:
    """How a program ended; `stdout` and `stderr` hold the end of long output."""

    returncode: int
    stdout: str
    stderr: str
    timed_out: bool
    seconds: float


class ProgramMissingError(MachineError):
    """The program is not on this machine or cannot be started."""


def run(
    argv: Sequence[str],
    cwd: Path,
    env: Mapping[str, str],
    timeout_s: float,
    stdin: str | None = None,
    *,
    limit: int = OUTPUT_LIMIT,
    mark: str | None = None,
) -> ProcessResult:
    """Run `argv` in its own process group and return when the whole group is gone.

    The environment is exactly `env`. Without `stdin` the program reads an empty one. A group that
    is still there after `timeout_s` seconds is asked to end and then killed; a group that outlives
    its leader is killed at once. With `mark` (the same for both arms of a pair, one at a time)
    processes that made themselves a session of their own are found and killed too (Linux).

    Raises ProgramMissingError when the program cannot be started.
    """
    full_env = {**env, MARK: mark} if mark is not None else dict(env)
    started = time.monotonic()
    process = _start(argv, cwd, full_env, stdin is not None)
    timed_out = False
    try:
        tails = _drain(process, stdin, limit)
        if not _ended(process, timeout_s):
            timed_out = True
            _signal_group(process, signal.SIGTERM)
            _ended(process, GRACE_S)
    finally:
        _kill_group(process)
        with _lock:
            _running.pop(process.pid, None)
        process.wait()
        if mark is not None:
            _kill_marked(mark)
    for tail in tails:
        tail.join()
    out, err = (tail.text() for tail in tails)
    return ProcessResult(process.returncode, out, err, timed_out, time.monotonic() - started)


def kill_all() -> int:
    """Kill every group that runs now, from any thread; return how many there were.

    The threads that wait for them return as if the program had died. A caller that stops many
    threads keeps them from starting the next program, or calls this until they have ended.
    """
    with _lock:
        for process in _running.values():
            _kill_group(process)
        return len(_running)


def _start(
    argv: Sequence[str], cwd: Path, env: Mapping[str, str], has_input: bool
) -> subprocess.Popen[bytes]:
    with _lock:
        try:
            process = subprocess.Popen(
                list(argv),
                cwd=cwd,
                env=env,
                stdin=subprocess.PIPE if has_input else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise ProgramMissingError(f"cannot run {argv[0]}: {error.strerror or error}") from None
        _running[process.pid] = process
    return process


class _Tail:
    """The last bytes of a stream, read by a thread of its own."""

    def __init__(self, stream: IO[bytes], limit: int) -> None:
        self._stream = stream
        self._limit = limit
        self._chunks: deque[bytes] = deque()
        self._size = 0
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        with suppress(OSError, ValueError):
            while chunk := os.read(self._stream.fileno(), _CHUNK):
                self._keep(chunk)

    def _keep(self, chunk: bytes) -> None:
        with self._lock:
            self._chunks.append(chunk)
            self._size += len(chunk)
            while self._size - len(self._chunks[0]) >= self._limit:
                self._size -= len(self._chunks.popleft())

    def join(self) -> None:
        """Wait for the end; a process outside the group that holds the pipe is not waited for."""
        self._thread.join(1.0)
        if not self._thread.is_alive():
            self._stream.close()

    def text(self) -> str:
        with self._lock:
            content = b"".join(self._chunks)
        return content[-self._limit :].decode("utf-8", "replace")


def _drain(process: subprocess.Popen[bytes], stdin: str | None, limit: int) -> tuple[_Tail, _Tail]:
    assert process.stdout is not None
    assert process.stderr is not None
    tails = (_Tail(process.stdout, limit), _Tail(process.stderr, limit))
    if process.stdin is not None:
        content = (stdin or "").encode("utf-8", "replace")
        threading.Thread(target=_feed, args=(process.stdin, content), daemon=True).start()
    return tails


def _feed(stream: IO[bytes], content: bytes) -> None:
    with suppress(OSError), stream:
        stream.write(content)


def _ended(process: subprocess.Popen[bytes], timeout_s: float) -> bool:
    """Whether the leader ended in time; where the system can tell, without looking again and again.

    It is not reaped, so that its id still names its group.
    """
    if not hasattr(os, "pidfd_open"):
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout_s)
            return True
        return False
    handle = os.pidfd_open(process.pid)
    try:
        poller = select.poll()
        poller.register(handle, select.POLLIN)
        return bool(poller.poll(timeout_s * 1000))
    finally:
        os.close(handle)


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    _signal_group(process, signal.SIGKILL)


def _signal_group(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


def _kill_marked(mark: str) -> None:
    """Kill processes that carry `mark` in their environment; needs /proc."""
    wanted = f"{MARK}={mark}".encode()
    _kill_where(lambda variables: wanted in variables)


def kill_below(folder: Path) -> None:
    """Kill what still runs with a mark below `folder`, whoever started it; needs /proc."""
    wanted = f"{MARK}={folder}{os.sep}".encode()
    _kill_where(lambda variables: any(one.startswith(wanted) for one in variables))


def _kill_where(is_meant: Callable[[list[bytes]], bool]) -> None:
    if not sys.platform.startswith("linux"):
        return
    own = os.getpid()
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == own:
            continue
        with suppress(OSError):
            if is_meant((entry / "environ").read_bytes().split(b"\0")):
                os.kill(int(entry.name), signal.SIGKILL)
