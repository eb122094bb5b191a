"""Harness files of a repository, read and replaced on the disk.

Text is decoded as UTF-8 with `surrogateescape`, so that every byte survives, and never with
newline translation.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from cortex.artifacts import atomic, harness
from cortex.errors import UsageError

_SKIPPED_FOLDERS = {".git", "__pycache__", "node_modules"}
is_harness = harness.is_harness


def read_files(root: Path) -> dict[str, str]:
    """Return relative path -> text of the harness files in the repository at `root`, sorted.

    With the extra files of skill folders. Links that lead out of the repository are left out.
    Raises UsageError for a file that cannot be read.
    """
    files: dict[str, str] = {}
    for path in sorted(_candidates(root)):
        relative = path.relative_to(root).as_posix()
        if is_harness(relative) and path.is_file() and _inside(path, root):
            files[relative] = read_text(path)
    return files


def places(root: Path) -> list[Path]:
    """Return the files that may be harness text, sorted, without reading them."""
    return sorted(_candidates(root))


def read_text(path: Path) -> str:
    """Return the whole file without losing a byte; UsageError when it cannot be read."""
    try:
        return path.read_bytes().decode("utf-8", "surrogateescape")
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror or error}") from None


def encode(text: str) -> bytes:
    """Return the bytes that `read_text` read."""
    return text.encode("utf-8", "surrogateescape")


def apply(root: Path, before: Mapping[str, str], after: Mapping[str, str]) -> None:
    """Turn the harness files `before` into `after`: new ones, changed ones, removed ones.

    Only files that differ between the two are looked at or written. Everything is checked and
    staged before the first file is replaced, and a failure half-way puts back what was replaced.
    Raises UsageError when a file was edited since `before` was read, lies outside the repository
    or cannot be written.
    """
    changes = {
        path: after.get(path)
        for path in sorted({*before, *after})
        if before.get(path) != after.get(path)
    }
    targets = {path: _target(root, path) for path in changes}
    for path, target in targets.items():
        _check_unchanged(path, target, before.get(path))
    staged = _stage(changes, targets)
    _commit(root, changes, targets, staged)


def _candidates(root: Path) -> Iterator[Path]:
    yield from (root / name for name in harness.INSTRUCTIONS)
    seen: set[Path] = set()
    for top in (harness.RULES, harness.SKILLS):
        for folder, folders, names in os.walk(root / top, followlinks=True):
            here = Path(folder)
            real = _real(here)
            if real in seen or not _inside(here, root):
                folders.clear()
                continue
            seen.add(real)
            folders[:] = [name for name in folders if name not in _SKIPPED_FOLDERS]
            yield from (here / name for name in names)


def _inside(path: Path, root: Path) -> bool:
    return _real(path).is_relative_to(_real(root))


def _real(path: Path) -> Path:
    """Return the path without links; a circle of links is left as it is instead of raising."""
    return Path(os.path.realpath(path))


def _target(root: Path, path: str) -> Path:
    """Return the real file that `path` stands for, inside the repository."""
    if not is_harness(path) or ".." in path.split("/"):
        raise UsageError(f"{path}: is not a harness file")
    target = root / path
    if not _inside(target, root):
        raise UsageError(f"{target}: leads out of the repository; change the file it links to")
    return target


def _check_unchanged(path: str, target: Path, known: str | None) -> None:
    if known is None and (target.exists() or target.is_symlink()):
        raise UsageError(f"{path}: exists by now; look at it and try again")
    if known is not None and (not target.is_file() or read_text(target) != known):
        raise UsageError(f"{path}: was changed meanwhile; look at it and try again")


def _stage(changes: Mapping[str, str | None], targets: Mapping[str, Path]) -> dict[str, Path]:
    staged: dict[str, Path] = {}
    try:
        for path, text in changes.items():
            if text is not None:
                staged[path] = atomic.stage(_real(targets[path]), encode(text))
            elif not os.access(targets[path].parent, os.W_OK):
                raise UsageError(f"{targets[path]}: cannot be removed: its folder is not writable")
    except UsageError:
        _discard(staged)
        raise
    return staged


def _commit(
    root: Path,
    changes: Mapping[str, str | None],
    targets: Mapping[str, Path],
    staged: Mapping[str, Path],
) -> None:
    done: list[tuple[Path, bytes | None, int]] = []
    try:
        for path in sorted(changes, key=lambda path: (path not in staged, path)):
            target = targets[path]
            old = target.read_bytes() if target.exists() else None
            mode = target.stat().st_mode & 0o7777 if target.exists() else 0
            if path in staged:
                staged[path].replace(_real(target))
            else:
                target.unlink()
            done.append((target, old, mode))
    except OSError as error:
        _put_back(done)
        _discard(staged)
        raise atomic.refusal(target, error) from None
    for target in targets.values():
        if not target.exists():
            _remove_empty_folders(target.parent, root)
        atomic.sync_folder(target.parent)


def _put_back(done: list[tuple[Path, bytes | None, int]]) -> None:
    for target, old, mode in reversed(done):
        if old is None:
            target.unlink(missing_ok=True)
        else:
            atomic.write(_real(target), old, mode)


def _discard(staged: Mapping[str, Path]) -> None:
    for path in staged.values():
        path.unlink(missing_ok=True)


def _remove_empty_folders(folder: Path, root: Path) -> None:
    """Remove folders below `.claude/rules` and `.claude/skills` that hold nothing any more."""
    tops = [root / harness.RULES, root / harness.SKILLS]
    while any(folder != top and folder.is_relative_to(top) for top in tops):
        if folder.is_symlink() or not folder.is_dir() or any(folder.iterdir()):
            return
        folder.rmdir()
        folder = folder.parent
