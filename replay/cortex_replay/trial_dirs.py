"""The folder of all trials: outside of every folder whose harness an agent would load."""

import os
import stat
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from cortex.config import expand
from cortex.errors import UsageError
from cortex_replay.files import remove_tree
from cortex_replay.processes import kill_below

if TYPE_CHECKING:
    from filelock import BaseFileLock

NAME = "cortex-trials"
"""A component of every workspace's path starts with this, so that mining skips our sessions."""

_HARNESS = ("CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", ".claude")
_OTHERS = stat.S_IWGRP | stat.S_IWOTH


def default_root() -> Path:
    """Return `CORTEX_TRIALS`, else (also if blank) this user's folder in the temporary folder.

    Always absolute: `~` is expanded, and a relative path is below the current folder. Raises
    UsageError for a `~user` that does not exist.
    """
    override = os.environ.get("CORTEX_TRIALS", "").strip()
    if override:
        return expand(override)
    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    return Path(tempfile.gettempdir()) / f"{NAME}-{user}"


def prepare_root(root: Path) -> Path:
    """Create `root` (or `cortex-trials` below it when it has another name), check and return it.

    Raises UsageError when it cannot be created, belongs to someone else, or is below harness files.
    """
    folder = Path(os.path.abspath(root))  # noqa: PTH100 - resolve() would follow links
    if not any(part.startswith(NAME) for part in folder.parts):
        folder = folder / NAME
    check_parents(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        info = folder.lstat()
    except OSError as error:
        raise UsageError(f"{folder}: {error.strerror}; set CORTEX_TRIALS to a folder") from None
    is_foreign = hasattr(os, "getuid") and info.st_uid != os.getuid()
    if not stat.S_ISDIR(info.st_mode) or is_foreign or info.st_mode & _OTHERS:
        raise UsageError(
            f"{folder} must be a folder that only you can write; set CORTEX_TRIALS to another"
        )
    return Path(os.path.realpath(folder))


def check_parents(folder: Path) -> None:
    """Raise UsageError when `folder` or a folder above it has files that agents load."""
    for parent in (folder, *folder.parents):
        for name in _HARNESS:
            if os.path.lexists(parent / name):
                raise UsageError(
                    f"trials cannot run below {parent}, because agents would load {parent / name}; "
                    "set CORTEX_TRIALS to a folder outside it"
                )


def claim_run(root: Path) -> "tuple[Path, BaseFileLock]":
    """Create the folder of this run and lock it; the system releases the lock with the process."""
    for number in range(1, 1000):
        suffix = f"-{number}" if number > 1 else ""
        folder = root / f"run-{os.getpid()}{suffix}"
        lock = _try_lock(_lock_path(folder))
        if lock is None:
            continue
        remove_tree(folder)
        folder.mkdir(mode=0o700)
        return folder, lock
    raise UsageError(f"{root}: too many runs in this process")


def release_run(folder: Path, lock: "BaseFileLock") -> None:
    """Remove the folder of a run and its lock."""
    remove_tree(folder)
    _lock_path(folder).unlink(missing_ok=True)
    lock.release()


def clean_leftovers(root: Path) -> int:
    """Remove folders of dead processes and kill trials that still run in them.

    Returns the number of folders.
    """
    count = 0
    for folder in sorted(root.glob("run-*")):
        if not folder.is_dir() or folder.is_symlink():
            continue
        lock = _try_lock(_lock_path(folder))
        if lock is not None:
            kill_below(folder)
            release_run(folder, lock)
            count += 1
    return count


def _lock_path(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.lock")


def _try_lock(path: Path) -> "BaseFileLock | None":
    """Return the acquired lock, None when a running process holds it.

    Raises UsageError where the file system cannot lock.
    """
    from filelock import FileLock, Timeout  # 50 ms, and most commands run no trial

    # A run may be released by another thread, or at the exit of the process.
    lock = FileLock(path, blocking=False, thread_local=False)
    try:
        lock.acquire()
    except Timeout:
        return None
    except OSError as error:
        raise UsageError(
            f"cannot lock {path}: {error.strerror}; set CORTEX_TRIALS to a folder on a local disk"
        ) from None
    return lock
