"""Where transcripts lie."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path


def default_roots() -> tuple[Path, ...]:
    """Return the folders in which Claude Code keeps transcripts, as far as they exist."""
    configured = os.environ.get("CLAUDE_CONFIG_DIR")
    usual = [Path.home() / ".claude", Path.home() / ".config" / "claude"]
    homes = [Path(configured)] if configured else usual
    roots = (home / "projects" for home in homes)
    return tuple(root for root in roots if root.is_dir())


def find(paths: Sequence[Path]) -> tuple[Path, ...]:
    """Return all `*.jsonl` files at or below `paths` by their real path, each once, sorted by root.

    Linked folders are followed, each real folder once, so that circles end. A file that is named
    itself is taken whatever its name. A path that does not exist gives nothing.
    """
    visited: set[str] = set()
    files = (file for path in paths for file in _files(path, visited))
    return tuple(dict.fromkeys(files))


def linked_folders(root: Path) -> tuple[Path, ...]:
    """Return the real folders behind links below `root` that lie outside of it.

    Watchers of `root` do not follow links, so these need watches of their own.
    """
    real_root = os.path.realpath(root)
    visited: set[str] = set()
    folders = (folder for folder, _ in _walk(root, visited))
    outside = [folder for folder in folders if not _is_below(folder, real_root)]
    tops = [
        folder
        for folder in outside
        if not any(_is_below(folder, top) for top in outside if top != folder)
    ]
    return tuple(Path(folder) for folder in tops)


def _files(path: Path, visited: set[str]) -> Iterator[Path]:
    if path.is_file():
        yield Path(os.path.realpath(path))
        return
    for folder, names in _walk(path, visited):
        for name in names:
            file = Path(folder, name)
            if name.endswith(".jsonl") and file.is_file():
                yield Path(os.path.realpath(file))


def _walk(root: Path, visited: set[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield each real folder at or below `root` once, with the names of its files, sorted."""
    for folder, subfolders, names in os.walk(root, followlinks=True):
        real = os.path.realpath(folder)
        if real in visited:
            subfolders.clear()
            continue
        visited.add(real)
        subfolders.sort()
        yield real, sorted(names)


def _is_below(folder: str, top: str) -> bool:
    return folder == top or folder.startswith(top.rstrip("/") + "/")
