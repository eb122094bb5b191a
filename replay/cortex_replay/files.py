"""Reading and writing inside one folder, whatever links and odd names it holds."""

import os
import shutil
import stat
from pathlib import Path, PurePosixPath

TEXT_LIMIT = 2 * 1024 * 1024
"""Larger files are not looked at as text."""


def inside(path: str) -> bool:
    """Whether a relative path stays in its folder and out of `.git`."""
    pure = PurePosixPath(path)
    parts = pure.parts
    if not parts or pure.is_absolute() or "\0" in path:
        return False
    return not any(part == ".." or part.lower() == ".git" for part in parts)


def write(root: Path, path: str, content: str | None) -> bool:
    """Write (None: delete) one file below `root` and return whether it was done.

    Nothing is followed: a path that leads through a symbolic link is left alone, a link in the
    place of the file is replaced. A regular file keeps its mode.
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
    """Return the text of one file below `root`, the target of a link, None for neither.

    Binary and very large content gives None as well.
    """
    if not inside(path) or _through_link(root, path):
        return None
    target = root / path
    try:
        mode = target.lstat()
        if stat.S_ISLNK(mode.st_mode):
            return str(target.readlink())
        if not stat.S_ISREG(mode.st_mode) or mode.st_size > TEXT_LIMIT:
            return None
        return as_text(target.read_bytes())
    except OSError:
        return None


def as_text(content: bytes) -> str | None:
    """Return `content` as text, None when it is binary."""
    if b"\0" in content:
        return None
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return None


def exists(root: Path, path: str) -> bool:
    """Whether a file (or link, or folder) stands at `path` below `root`."""
    return inside(path) and not _through_link(root, path) and os.path.lexists(root / path)


def remove_tree(path: Path) -> None:
    """Remove a folder, also where programs left read-only folders behind."""
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
    """Remove a file that stands where a folder is needed."""
    for parent in reversed(PurePosixPath(path).parents):
        if parent.parts and (root / parent).is_file():
            (root / parent).unlink()
