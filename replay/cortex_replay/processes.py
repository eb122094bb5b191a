"""Runs a program with bounded time and output, and kills every process that it started."""

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
"""Bytes that are kept of each stream, from its end."""

MARK = "CORTEX_TRIAL"
"""Environment variable that identifies processes which left their group."""

GRACE_S = 2.0
"""Seconds between SIGTERM and SIGKILL of a group that timed out."""

_SCANS = 200
_BETWEEN_SCANS_S = 0.005
_CHUNK = 16 * 1024
_running: dict[int, subprocess.Popen[bytes]] = {}
_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class ProcessResult:
    """Exit code and output of a program; `stdout` and `stderr` hold the end of long output."""

    returncode: int
    stdout: str
    stderr: str
    timed_out: bool
    seconds: float
    stopped: str = ""
    """What it used too much of, where that ended it."""


class ProgramMissingError(MachineError):
    """The program is not installed or cannot be started."""


def run(
    argv: Sequence[str],
    cwd: Path,
    env: Mapping[str, str],
    timeout_s: float,
    stdin: str | None = None,
    *,
    limit: int = OUTPUT_LIMIT,
    mark: str | None = None,
    on_start: Callable[[int], None] | None = None,
) -> ProcessResult:
    """Run `argv` in its own process group and return when the whole group has ended.

    The environment is exactly `env`. Without `stdin` the program reads an empty one. A group that
    still runs after `timeout_s` seconds gets SIGTERM and then SIGKILL; a group that outlives its
    leader is killed at once. With `mark` (the same for both arms of a pair, used once at a time)
    processes that started their own session are found and killed too (Linux). `on_start` is called
    with the id of the process.

    Raises ProgramMissingError when the program cannot be started.
    """
    full_env = {**env, MARK: mark} if mark is not None else dict(env)
    started = time.monotonic()
    process = _start(argv, cwd, full_env, stdin is not None)
    timed_out = False
    try:
        if on_start is not None:
            on_start(process.pid)
        readers = _start_readers(process, stdin, limit)
        if not _wait_for_exit(process, timeout_s):
            timed_out = True
            _signal_group(process, signal.SIGTERM)
            _wait_for_exit(process, GRACE_S)
    finally:
        _kill_group(process)
        with _lock:
            _running.pop(process.pid, None)
        process.wait()
        if mark is not None:
            _kill_marked(mark)
    for reader in readers:
        reader.join()
    out, err = (reader.text() for reader in readers)
    return ProcessResult(process.returncode, out, err, timed_out, time.monotonic() - started)


def kill_all() -> int:
    """Kill every running group, from any thread; return their number.

    `run` returns in the threads that wait for them. A caller that stops several threads must keep
    them from starting the next program, or call this until they have ended.
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


class _TailReader:
    """Reads a stream in a thread and keeps its last bytes."""

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
        """Wait for the end of the stream, at most a second: another process may hold it open."""
        self._thread.join(1.0)
        if not self._thread.is_alive():
            self._stream.close()

    def text(self) -> str:
        with self._lock:
            content = b"".join(self._chunks)
        return content[-self._limit :].decode("utf-8", "replace")


def _start_readers(
    process: subprocess.Popen[bytes], stdin: str | None, limit: int
) -> tuple[_TailReader, _TailReader]:
    assert process.stdout is not None
    assert process.stderr is not None
    readers = (_TailReader(process.stdout, limit), _TailReader(process.stderr, limit))
    if process.stdin is not None:
        content = (stdin or "").encode("utf-8", "replace")
        threading.Thread(target=_write_stdin, args=(process.stdin, content), daemon=True).start()
    return readers


def _write_stdin(stream: IO[bytes], content: bytes) -> None:
    with suppress(OSError), stream:
        stream.write(content)


def _wait_for_exit(process: subprocess.Popen[bytes], timeout_s: float) -> bool:
    """Return whether the leader exited in time; with pidfd, without polling.

    It is not reaped, so that its id still identifies its group.
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
    """Kill processes with `mark` in their environment, or that work in the folder which the mark
    names, until there are none; needs /proc."""
    variable = f"{MARK}={mark}".encode()
    folder = mark.partition("#")[0]
    for _ in range(_SCANS):
        if _kill_where(lambda variables: variable in variables, folder):
            time.sleep(_BETWEEN_SCANS_S)
        elif not _kill_where(lambda variables: variable in variables, folder):
            # Twice none: a process that is just being started shows no environment.
            return


def kill_below(folder: Path) -> None:
    """Kill processes with a mark below `folder`, whoever started them; needs /proc."""
    prefix = f"{MARK}={folder}{os.sep}".encode()
    _kill_where(lambda variables: any(variable.startswith(prefix) for variable in variables))


def _kill_where(matches: Callable[[list[bytes]], bool], folder: str | None = None) -> int:
    """Kill processes by their environment or working folder; return their number."""
    if not sys.platform.startswith("linux"):
        return 0
    own_pid, killed = os.getpid(), 0
    for name in os.listdir("/proc"):  # noqa: PTH208 - thousands of times
        if not name.isdigit() or int(name) == own_pid:
            continue
        with suppress(OSError):
            if (folder and _works_in(name, folder)) or matches(_environment(name)):
                os.kill(int(name), signal.SIGKILL)
                killed += 1
    return killed


def _environment(pid: str) -> list[bytes]:
    with open(f"/proc/{pid}/environ", "rb") as file:  # noqa: PTH123
        return file.read().split(b"\0")


def _works_in(pid: str, folder: str) -> bool:
    here = os.readlink(f"/proc/{pid}/cwd").removesuffix(" (deleted)")  # noqa: PTH115
    return here == folder or here.startswith(f"{folder}/")
