"""Calls of git that neither the person's configuration nor ours can change."""

import os
import subprocess
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import IO, Any

from cortex.errors import MachineError

MOMENT = "2024-01-01T00:00:00 +0000"
"""Date of every commit that Cortex makes: the same in both arms of a pair."""

_FIXED = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_AUTHOR_NAME": "Developer",
    "GIT_AUTHOR_EMAIL": "developer@localhost",
    "GIT_AUTHOR_DATE": MOMENT,
    "GIT_COMMITTER_NAME": "Developer",
    "GIT_COMMITTER_EMAIL": "developer@localhost",
    "GIT_COMMITTER_DATE": MOMENT,
    "LC_ALL": "C",
}
_SAFE = (
    "-c", "safe.directory=*",
    "-c", f"core.hooksPath={os.devnull}",
    "-c", "core.fsmonitor=false",
    "-c", "gc.auto=0",
    "-c", "maintenance.auto=false",
    "-c", "core.quotePath=false",
)  # fmt: skip
_TIMEOUT_S = 300.0


class GitError(MachineError):
    """git said no; the message holds its last line."""


@cache
def _environment() -> dict[str, str]:
    kept = ("PATH", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP")
    return {name: os.environ[name] for name in kept if name in os.environ} | _FIXED


def git(
    *arguments: str,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    stdin: bytes | IO[bytes] = b"",
    stdout: IO[bytes] | None = None,
) -> bytes:
    """Return the standard output of one git command, or write it to the file `stdout`.

    Raises GitError when it fails, MachineError when there is no git.
    """
    finished = _call(arguments, cwd, env, stdin, stdout)
    if finished.returncode != 0:
        lines = finished.stderr.decode("utf-8", "replace").strip().splitlines()
        raise GitError(f"git {arguments[0]} failed: {lines[-1] if lines else 'no message'}")
    return finished.stdout or b""


def ask(*arguments: str, cwd: Path | None = None) -> str | None:
    """Return the stripped output of one git command, None when git answers no."""
    finished = _call(arguments, cwd)
    if finished.returncode != 0:
        return None
    return finished.stdout.decode("utf-8", "surrogateescape").strip()


def _call(
    arguments: tuple[str, ...],
    cwd: Path | None,
    env: Mapping[str, str] | None = None,
    stdin: bytes | IO[bytes] = b"",
    stdout: IO[bytes] | None = None,
) -> subprocess.CompletedProcess[bytes]:
    given: dict[str, Any] = {"input": stdin} if isinstance(stdin, bytes) else {"stdin": stdin}
    try:
        return subprocess.run(
            ("git", *_SAFE, *arguments),
            cwd=cwd,
            env={**_environment(), **(env or {})},
            **given,
            stdout=stdout or subprocess.PIPE,
            stderr=subprocess.PIPE,
            timeout=_TIMEOUT_S,
            check=False,
            start_new_session=True,
        )
    except FileNotFoundError:
        missing = "git is not installed" if cwd is None or cwd.is_dir() else f"no folder {cwd}"
        raise MachineError(missing) from None
    except subprocess.TimeoutExpired:
        raise GitError(f"git {arguments[0]} did not end in {_TIMEOUT_S:.0f} seconds") from None
