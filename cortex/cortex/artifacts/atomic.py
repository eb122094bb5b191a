"""Writing a file so that a reader, or a crash at any moment, finds the old or the new content."""

import os
from contextlib import suppress
from pathlib import Path

from cortex.errors import UsageError


def write(path: Path, content: bytes, mode: int | None = None) -> None:
    """Replace the file at `path` with `content`; `mode` None keeps the mode that it has.

    Raises UsageError when the folder cannot be written.
    """
    staged = stage(path, content, mode)
    try:
        staged.replace(path)
    except OSError as error:
        with suppress(OSError):
            staged.unlink()
        raise refusal(path, error) from None
    sync_folder(path.parent)


def stage(path: Path, content: bytes, mode: int | None = None) -> Path:
    """Write `content` beside `path`, on the disk, and return the file to be renamed."""
    staged = path.with_name(f".{path.name}.{os.urandom(4).hex()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(staged, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        staged.chmod(_mode(path, staged) if mode is None else mode)
    except OSError as error:
        with suppress(OSError):
            staged.unlink()
        raise refusal(path, error) from None
    return staged


def sync_folder(folder: Path) -> None:
    """Put the folder's entries on the disk, where the system can open a folder."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def refusal(path: Path, error: OSError) -> UsageError:
    """Return the error that a person reads when the file system refuses."""
    return UsageError(f"{path}: cannot be written: {error.strerror or error}")


def _mode(path: Path, staged: Path) -> int:
    return (path if path.exists() else staged).stat().st_mode & 0o7777
