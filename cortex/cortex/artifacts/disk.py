"""Harness files of a repository, read and replaced on the disk.

Text is decoded as UTF-8 with `surrogateescape`, so that every byte survives, and never with
newline translation.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from cortex.artifacts import atomic, harness
from cortex.artifacts.shared import real
from cortex.errors import MachineError, UsageError
from cortex.git import ask

_SKIPPED_FOLDERS = {
    ".git", ".hg", ".svn", "__pycache__", "node_modules", ".venv", "venv", ".tox", ".nox",
    ".cache", ".mypy_cache", ".pytest_cache", ".ruff_cache",
}  # fmt: skip
"""Never harness text, and large: what tools keep, which git ignores."""
_MAX_DEPTH = 8
_MAX_FILES = 5000
"""Of files below a folder of rules or skills; the others are left alone."""
_MANY = 200
"""Files from which on git is asked for folders that it ignores: that takes some milliseconds."""
_PRECEDENCE = ("CLAUDE.md", ".claude/CLAUDE.md")
"""Names that win for a file with several: those that Claude Code loads at its start."""
is_harness = harness.is_harness


def read_files(root: Path) -> dict[str, str]:
    """Return relative path -> text of the harness files in the repository at `root`, sorted.

    With the extra files of skill folders. A file with several names, through links, is listed
    once; links that lead out of the repository are left out. Raises UsageError for a file that
    cannot be read.
    """
    names: dict[Path, list[str]] = {}
    for path in _candidates(root):
        relative = path.relative_to(root).as_posix()
        if is_harness(relative) and path.is_file() and inside(root, relative):
            names.setdefault(real(path), []).append(relative)
    chosen = sorted(min(same, key=lambda name: _rank(root, name)) for same in names.values())
    return {name: read_text(root / name) for name in chosen}


def _rank(root: Path, name: str) -> tuple[int, bool, str]:
    """Order the names of a file: what Claude Code loads, then real names before links."""
    if name in _PRECEDENCE:
        return _PRECEDENCE.index(name), False, name
    last = len(_PRECEDENCE) + (name in harness.INSTRUCTIONS)
    return last, first_link(root, name) is not None, name


def places(root: Path) -> list[Path]:
    """Return the files that may be harness text, sorted, without reading them."""
    return sorted(_candidates(root))


def first_link(root: Path, path: str) -> Path | None:
    """Return the first link on the way from `root` to the relative `path`, None without one."""
    place = root
    for part in path.split("/"):
        place = place / part
        if place.is_symlink():
            return place
    return None


def inside(root: Path, path: str) -> Path | None:
    """Return where the relative `path` is, None when it leads out of the repository."""
    if ".." in path.split("/"):
        return None
    place = root / path
    return place if real(place).is_relative_to(real(root)) else None


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
    Through a link its file is changed, but never removed: the link is. An instructions file that
    is a link is emptied instead. Raises UsageError when a file was edited since `before` was
    read, is outside of the repository or cannot be written.
    """
    changes = {
        path: after.get(path)
        for path in sorted({*before, *after})
        if before.get(path) != after.get(path)
    }
    targets = {path: _target(root, path) for path in changes}
    for path, target in targets.items():
        _check_unchanged(path, target, before.get(path))
    changes, links = _without_links(root, changes, after)
    staged = _stage(changes, targets)
    _commit(root, changes, {path: targets[path] for path in changes}, staged)
    _unlink(root, links)


def _without_links(
    root: Path, changes: Mapping[str, str | None], after: Mapping[str, str]
) -> tuple[dict[str, str | None], set[Path]]:
    """Return the changes of files, and the links to be removed instead of what they lead to."""
    files: dict[str, str | None] = {}
    links: set[Path] = set()
    for path, text in changes.items():
        link = first_link(root, path) if text is None else None
        if link is None:
            files[path] = text
        elif path in harness.INSTRUCTIONS:
            files[path] = ""
        else:
            relative = link.relative_to(root).as_posix()
            if not relative.startswith((harness.RULES, harness.SKILLS)):
                files[path] = text
            elif any(kept == relative or kept.startswith(f"{relative}/") for kept in after):
                raise UsageError(f"{path}: is reached through the link {relative}; remove it there")
            else:
                links.add(link)
    return files, links


def _unlink(root: Path, links: set[Path]) -> None:
    for link in sorted(links):
        try:
            link.unlink(missing_ok=True)
        except OSError as error:
            raise atomic.refusal(link, error) from None
        _remove_empty_folders(link.parent, root)


def _candidates(root: Path) -> list[Path]:
    paths = list(_walk(root))
    if len(paths) <= _MANY:
        return paths
    ignored = _ignored_folders(root)
    return [path for path in paths if not any(folder in ignored for folder in path.parents)]


def _ignored_folders(root: Path) -> set[Path]:
    """Return the folders inside skills that git ignores: downloads and caches, not harness text."""
    command = ("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")
    try:
        listed = ask(*command, "--", harness.SKILLS, cwd=root) or ""
    except MachineError:
        return set()
    inner = (name for name in listed.split("\0") if name.endswith("/") and name.count("/") > 3)
    return {root / name.rstrip("/") for name in inner if name.startswith(harness.SKILLS)}


def _walk(root: Path) -> Iterator[Path]:
    yield from (root / name for name in harness.INSTRUCTIONS)
    seen: set[Path] = set()
    for top in (harness.RULES, harness.SKILLS):
        left = _MAX_FILES
        for folder, folders, names in os.walk(root / top, followlinks=True):
            place = Path(folder)
            resolved = real(place)
            depth = len(place.relative_to(root / top).parts)
            if resolved in seen or left <= 0 or not resolved.is_relative_to(real(root)):
                folders.clear()
                continue
            seen.add(resolved)
            folders[:] = sorted(set(folders) - _SKIPPED_FOLDERS) if depth < _MAX_DEPTH else []
            yield from (place / name for name in sorted(names)[:left])
            left -= len(names)


def _target(root: Path, path: str) -> Path:
    """Return the file that `path` stands for, inside the repository."""
    if not is_harness(path) or ".." in path.split("/"):
        raise UsageError(f"{path}: not a harness file")
    target = root / path
    if inside(root, path) is None:
        raise UsageError(f"{target}: leads out of the repository; change the file it links to")
    return target


def _check_unchanged(path: str, target: Path, before: str | None) -> None:
    if before is None and (target.exists() or target.is_symlink()):
        raise UsageError(f"{path}: already exists; look at it and try again")
    if before is not None and (not target.is_file() or read_text(target) != before):
        raise UsageError(f"{path}: changed on disk; look at it and try again")


def _stage(changes: Mapping[str, str | None], targets: Mapping[str, Path]) -> dict[str, Path]:
    staged: dict[str, Path] = {}
    try:
        for path, text in changes.items():
            if text is not None:
                staged[path] = atomic.stage(real(targets[path]), encode(text))
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
    replaced: list[tuple[Path, bytes | None, int]] = []
    try:
        for path in sorted(changes, key=lambda path: (path not in staged, path)):
            target = targets[path]
            old = target.read_bytes() if target.exists() else None
            mode = target.stat().st_mode & 0o7777 if target.exists() else 0
            if path in staged:
                staged[path].replace(real(target))
            else:
                target.unlink()
            replaced.append((target, old, mode))
    except OSError as error:
        _put_back(replaced)
        _discard(staged)
        raise atomic.refusal(target, error) from None
    for target in targets.values():
        if not target.exists():
            _remove_empty_folders(target.parent, root)
        atomic.sync_folder(target.parent)


def _put_back(replaced: list[tuple[Path, bytes | None, int]]) -> None:
    for target, old, mode in reversed(replaced):
        if old is None:
            target.unlink(missing_ok=True)
        else:
            atomic.write(real(target), old, mode)


def _discard(staged: Mapping[str, Path]) -> None:
    for path in staged.values():
        path.unlink(missing_ok=True)


def _remove_empty_folders(folder: Path, root: Path) -> None:
    """Remove folders below `.claude/rules` and `.claude/skills` that are empty now."""
    tops = [root / harness.RULES, root / harness.SKILLS]
    while any(folder != top and folder.is_relative_to(top) for top in tops):
        if folder.is_symlink() or not folder.is_dir() or any(folder.iterdir()):
            return
        folder.rmdir()
        folder = folder.parent
