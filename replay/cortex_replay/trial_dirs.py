"""Where trials live: outside every folder whose harness an agent would read."""

import os
import stat
import tempfile
from pathlib import Path
from typing import IO

from cortex.errors import UsageError
from cortex_replay.files import remove_tree
from cortex_replay.processes import kill_below

NAME = "cortex-trials"
"""Some component of every workspace's path begins with this, so that mining skips our sessions."""

_HARNESS = ("CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", ".claude")
_OTHERS = stat.S_IWGRP | stat.S_IWOTH


def default_root() -> Path:
    """Return `CORTEX_TRIALS`, else a folder of this user's own in the temporary folder."""
    override = os.environ.get("CORTEX_TRIALS")
    if override:
        return Path(override)
    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    return Path(tempfile.gettempdir()) / f"{NAME}-{user}"


def prepare_root(root: Path) -> Path:
    """Make `root` (below it `cortex-trials` when it is not named so), check it and return it.

    Raises UsageError when it cannot be made, is somebody else's, or a parent holds harness files.
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
    foreign = hasattr(os, "getuid") and info.st_uid != os.getuid()
    if not stat.S_ISDIR(info.st_mode) or foreign or info.st_mode & _OTHERS:
        raise UsageError(
            f"{folder} must be a folder that only you can write; set CORTEX_TRIALS to another one"
        )
    return Path(os.path.realpath(folder))


def check_parents(folder: Path) -> None:
    """Raise UsageError when `folder` or a folder above it holds files that agents load."""
    for parent in (folder, *folder.parents):
        for name in _HARNESS:
            if os.path.lexists(parent / name):
                raise UsageError(
                    f"trials cannot run below {parent}, because agents would load {parent / name}; "
                    "set CORTEX_TRIALS to a folder outside it"
                )


def claim_run(root: Path) -> tuple[Path, IO[bytes]]:
    """Make the folder of this run and hold its lock, which the system drops when we die."""
    for number in range(1, 1000):
        suffix = f"-{number}" if number > 1 else ""
        folder = root / f"run-{os.getpid()}{suffix}"
        lock = _lock(_lock_path(folder))
        if lock is None:
            continue
        remove_tree(folder)
        folder.mkdir(mode=0o700)
        return folder, lock
    raise UsageError(f"{root}: too many runs of one process")


def release_run(folder: Path, lock: IO[bytes]) -> None:
    """Remove the folder of a run and its lock."""
    remove_tree(folder)
    _lock_path(folder).unlink(missing_ok=True)
    lock.close()


def clean_leftovers(root: Path) -> int:
    """Remove folders of processes that died, with the trials that run on in them.

    Returns: how many folders there were.
    """
    count = 0
    for folder in sorted(root.glob("run-*")):
        if not folder.is_dir() or folder.is_symlink():
            continue
        lock = _lock(_lock_path(folder))
        if lock is not None:
            kill_below(folder)
            release_run(folder, lock)
            count += 1
    return count


def _lock_path(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.lock")


def _lock(path: Path) -> IO[bytes] | None:
    """Return the locked file, None when a living process holds it."""
    import fcntl

    handle = path.open("ab")
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        handle.close()
        return None
    return handle
