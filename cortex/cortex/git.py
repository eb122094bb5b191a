"""Every call of git: the only module that starts it, light enough for the git hook.

`git` and `ask` run in a fixed environment that no configuration of the person changes.
`person_git` runs in the person's own (index, configuration, safe directories), for the commit
that they are making. Neither runs hooks, a pager, a file system monitor or a lazy fetch.
"""

import os
import signal
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import IO

from cortex.errors import MachineError

MOMENT = "2024-01-01T00:00:00 +0000"
"""Date of every commit that Cortex makes: the same in both arms of a pair."""

_QUIET = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_PAGER": "cat",
    "LC_ALL": "C",
}
"""No transport is allowed at all: older gits do not know GIT_NO_LAZY_FETCH."""
_FIXED = _QUIET | {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_AUTHOR_NAME": "Developer",
    "GIT_AUTHOR_EMAIL": "developer@localhost",
    "GIT_AUTHOR_DATE": MOMENT,
    "GIT_COMMITTER_NAME": "Developer",
    "GIT_COMMITTER_EMAIL": "developer@localhost",
    "GIT_COMMITTER_DATE": MOMENT,
}
_NO_HOOKS = ("-c", f"core.hooksPath={os.devnull}")
_NO_MONITOR = ("-c", "core.fsmonitor=false")
_NO_BARE = ("-c", "safe.bareRepository=explicit")
"""A folder of the work tree that looks like a bare repository is none, whatever it configures."""
_SAFE = (
    "-c", "safe.directory=*",
    *_NO_HOOKS,
    *_NO_MONITOR,
    "-c", "gc.auto=0",
    "-c", "maintenance.auto=false",
    "-c", "core.quotePath=false",
    "-c", "log.showSignature=false",
    "-c", "commit.gpgSign=false",
    "-c", "gpg.program=false",
    "-c", "core.pager=cat",
    "-c", "core.sshCommand=false",
    "-c", "credential.helper=",
    "-c", "core.alternateRefsCommand=true",
    *_NO_BARE,
)  # fmt: skip
_CONFIGURATION = ("rev-parse", "config")
"""Commands that run no hook and must see the person's `core.hooksPath`."""
_TIMEOUT_S = 300.0
"""Of a copy of a large repository."""
_ASK_TIMEOUT_S = 30.0
_PERSON_TIMEOUT_S = 60.0


class GitError(MachineError):
    """git failed; the message holds its last line."""


@cache
def _environment() -> dict[str, str]:
    names = ("PATH", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP")
    return {name: os.environ[name] for name in names if name in os.environ} | _FIXED


def git(
    *arguments: str,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    stdin: bytes | IO[bytes] = b"",
    stdout: IO[bytes] | None = None,
) -> bytes:
    """Return the standard output of a git command, or write it to the file `stdout`.

    Raises GitError when it fails, MachineError when there is no git.
    """
    command = (*_SAFE, *arguments)
    full = {**_environment(), **(env or {})}
    finished = _call(command, cwd, full, stdin, stdout, timeout_s=_TIMEOUT_S)
    if finished.returncode != 0:
        raise GitError(f"git {arguments[0]} failed: {_message(finished, -1)}")
    return finished.stdout or b""


def ask(*arguments: str, cwd: Path | None = None) -> str | None:
    """Return the stripped output of a git command, None when git exits with an error."""
    finished = _call((*_SAFE, *arguments), cwd, _environment(), timeout_s=_ASK_TIMEOUT_S)
    if finished.returncode != 0:
        return None
    return finished.stdout.decode("utf-8", "surrogateescape").strip()


def common_folder(root: Path) -> Path:
    """Return the git folder that all work trees of a repository share, links resolved.

    Raises GitError outside of a repository.
    """
    answer = git("rev-parse", "--git-common-dir", cwd=root).decode("utf-8", "surrogateescape")
    return Path(os.path.realpath(root / answer.removesuffix("\n")))


def person_git(*arguments: str, cwd: Path) -> str:
    """Return the output of a git command that runs as the person: their index and configuration.

    Raises GitError with git's first line when it fails, MachineError when there is no git.
    """
    hooks = () if arguments[0] in _CONFIGURATION else _NO_HOOKS
    command = (*_NO_MONITOR, *_NO_BARE, *hooks, *arguments)
    finished = _call(command, cwd, {**os.environ, **_QUIET}, timeout_s=_PERSON_TIMEOUT_S)
    if finished.returncode != 0:
        raise GitError(_message(finished, 0))
    return finished.stdout.decode("utf-8", "surrogateescape")


def person_ask(*arguments: str, cwd: Path) -> str | None:
    """Return the output of `person_git`, None when git exits with an error."""
    try:
        return person_git(*arguments, cwd=cwd)
    except GitError:
        return None


def _message(finished: "subprocess.CompletedProcess[bytes]", line: int) -> str:
    lines = finished.stderr.decode("utf-8", "replace").strip().splitlines()
    return lines[line] if lines else f"exit code {finished.returncode}"


def _call(
    arguments: tuple[str, ...],
    cwd: Path | None,
    env: Mapping[str, str],
    stdin: bytes | IO[bytes] = b"",
    stdout: IO[bytes] | None = None,
    *,
    timeout_s: float,
) -> "subprocess.CompletedProcess[bytes]":
    content = stdin if isinstance(stdin, bytes) else None
    try:
        process = subprocess.Popen(
            ("git", *arguments),
            cwd=cwd,
            env=env,
            stdin=subprocess.PIPE if isinstance(stdin, bytes) else stdin,
            stdout=stdout or subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except (FileNotFoundError, NotADirectoryError):
        missing = "git is not installed" if cwd is None or cwd.is_dir() else f"no folder {cwd}"
        raise MachineError(missing) from None
    except PermissionError as error:
        raise MachineError(f"git cannot be started: {error.strerror}") from None
    try:
        output, errors = process.communicate(content, timeout_s)
    except subprocess.TimeoutExpired:
        command = next((word for word in arguments if word[0] != "-" and "=" not in word), "")
        where = "" if cwd is None else f" in {cwd}"
        raise GitError(
            f"git {command} timed out after {timeout_s:.0f} seconds{where}; "
            f"run it by hand to see what it waits for"
        ) from None
    finally:
        _end(process)
    return subprocess.CompletedProcess(process.args, process.returncode, output, errors)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End git with all that it started, unless it ended by itself."""
    if process.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with suppress(BrokenPipeError):
                pipe.close()
