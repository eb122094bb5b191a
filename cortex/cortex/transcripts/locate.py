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
    """Return all `*.jsonl` files at or below `paths`, each once, in a stable order.

    A file that is named itself is taken whatever its name. A path that does not exist gives
    nothing.
    """
    found: dict[Path, None] = {}
    for path in paths:
        for file in _files(path):
            found.setdefault(file)
    return tuple(found)


def _files(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
    elif path.is_dir():
        yield from sorted(file for file in path.rglob("*.jsonl") if file.is_file())
