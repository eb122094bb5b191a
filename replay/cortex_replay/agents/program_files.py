"""The files that an agent's program consists of, which a sandbox must let it read."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from cortex_replay.agents.inherited import managed_by
from cortex_replay.toolchains import installation

_PACKAGES = "node_modules"


def program_files(program: str, env: Mapping[str, str]) -> tuple[Path, ...]:
    """Return files and folders of an installed program: the file, its package, its installation.

    `program` is absolute and may be a link or the shim of a version manager; `env` is its
    environment.
    """
    return tuple(dict.fromkeys(place for link in _links(Path(program)) for place in _of(link, env)))


def _links(path: Path) -> Iterator[Path]:
    """Yield a path and, where it is a link, all that it leads over."""
    yield path
    for _ in range(40):
        if not path.is_symlink():
            break
        path = Path(os.path.normpath(path.parent / path.readlink()))
        yield path
    yield Path(os.path.realpath(path))


def _of(path: Path, env: Mapping[str, str]) -> Iterator[Path]:
    yield path
    if _PACKAGES in path.parts:
        # The outermost one: a package's binary for this system may lie beside the package.
        yield Path(*path.parts[: path.parts.index(_PACKAGES) + 1])
    yield from map(Path, installation(path))
    yield from managed_by(path, env)
