"""Reads and writes inside a folder, without following links out of it."""

import os
import shutil
import stat
from pathlib import Path, PurePosixPath

TEXT_LIMIT = 2 * 1024 * 1024
"""Bytes; larger files are treated as binary."""


def inside(path: str) -> bool:
    """Whether a relative path stays in its folder and outside of `.git`."""
    pure = PurePosixPath(path)
    parts = pure.parts
    if not parts or pure.is_absolute() or "\0" in path:
        return False
    return not any(part == ".." or part.lower() == ".git" for part in parts)


def write(root: Path, path: str, content: str | None) -> bool:
    """Write (None: delete) a file below `root`; return False for a path that leaves `root`.

    Symbolic links are not followed: a path through a link is skipped, a link at the path is
    replaced. A regular file keeps its mode.
    """
    if not inside(path) or _through_link(root, path):
        return False
    target = root / path
    if target.is_symlink() or content is None:
        target.unlink(missing_ok=True)
    elif target.is_dir():
        shutil.rmtree(target)
    if content is not None:
        _clear_parents(root, path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode("utf-8", "replace"))
    return True


def read_text(root: Path, path: str) -> str | None:
    """Return the text of a file below `root`, the target of a link, None for anything else.

    None for binary and very large files too.
    """
    if not inside(path) or _through_link(root, path):
        return None
    target = root / path
    try:
        status = target.lstat()
        if stat.S_ISLNK(status.st_mode):
            return str(target.readlink())
        if not stat.S_ISREG(status.st_mode) or status.st_size > TEXT_LIMIT:
            return None
        return as_text(target.read_bytes())
    except OSError:
        return None


def read_plain(path: Path, limit: int) -> bytes:
    """Return at most `limit` bytes of the start of a file that an agent may have replaced.

    Empty for a link, a pipe, a device and anything else that is no regular file.
    """
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
    try:
        handle = os.open(path, flags)
    except OSError:
        return b""
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        return b""
    with os.fdopen(handle, "rb") as file:
        return file.read(limit)


def is_plain(path: Path, top: Path) -> bool:
    """Whether `path` is a regular file below the folder `top`, with no link from `top` on."""
    expected = Path(os.path.realpath(top.parent)) / top.name / path.relative_to(top)
    try:
        regular = stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False
    return regular and Path(os.path.realpath(path)) == expected


def as_text(content: bytes) -> str | None:
    """Return `content` as text, None when it is binary."""
    if b"\0" in content:
        return None
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return None


def exists(root: Path, path: str) -> bool:
    """Whether there is a file, link or folder at `path` below `root`."""
    return inside(path) and not _through_link(root, path) and os.path.lexists(root / path)


def remove_tree(path: Path) -> None:
    """Remove a folder, including read-only folders in it."""
    if path.is_symlink():
        path.unlink()
        return
    try:
        shutil.rmtree(path)
    except FileNotFoundError:
        return
    except OSError:
        for folder, _, _ in os.walk(path):
            Path(folder).chmod(0o700)
        shutil.rmtree(path)


def _through_link(root: Path, path: str) -> bool:
    parents = PurePosixPath(path).parents
    return any((root / parent).is_symlink() for parent in parents if parent.parts)


def _clear_parents(root: Path, path: str) -> None:
    """Remove a file at the path of a folder that is needed."""
    for parent in reversed(PurePosixPath(path).parents):
        if parent.parts and (root / parent).is_file():
            (root / parent).unlink()
