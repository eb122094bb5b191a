"""The folders of the person's programs and compilers, which a sandbox needs to read."""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

_PREFIX_MARKS = ("pyvenv.cfg", "lib", "lib64", "libexec")
"""Beside `bin`: the folder is the prefix of an installation."""
_HOMES = (Path("/home"), Path("/Users"))
_CARGO = ("bin", "registry", "git")
"""Of `CARGO_HOME`, which also has the credentials."""
_CACHES = ("RUSTUP_HOME", "GOMODCACHE", "npm_config_cache", "JAVA_HOME")
_INTERPRETERS = ("python", "python3", "node", "ruby", "java")


def folders(env: Mapping[str, str], system: Sequence[str]) -> tuple[str, ...]:
    """Return the folders outside of `system` that the programs on `PATH` need, each once.

    `env` is the environment of the command. Never a home folder, nor what holds credentials.
    """
    needed = (*_on_path(env.get("PATH", "")), *_caches(env))
    outside = (folder for folder in needed if not _below(folder, system) and Path(folder).is_dir())
    return tuple(dict.fromkeys(outside))


def installation(program: Path) -> tuple[str, ...]:
    """Return the folders, outside of home folders, that a program is installed in."""
    return tuple(_installation(program.parent))


def _on_path(path: str) -> Iterator[str]:
    for name in path.split(os.pathsep):
        folder = Path(name)
        if not folder.is_absolute():
            continue
        yield str(folder)
        yield from _installation(folder)
        for interpreter in _INTERPRETERS:
            real = Path(os.path.realpath(folder / interpreter))
            if real != folder / interpreter and real.is_file():
                yield str(real.parent)
                yield from _installation(real.parent)


def _installation(folder: Path) -> Iterator[str]:
    """Yield what belongs to a folder of programs."""
    prefix = folder.parent
    if prefix in (Path("/"), Path.home()) or prefix.parent in _HOMES:
        return
    if folder.name == "shims":
        yield str(prefix)
    elif prefix.name == ".local":
        yield str(prefix / "lib")
    elif folder.name in ("bin", "sbin") and _is_prefix(prefix):
        yield str(prefix)


def _is_prefix(folder: Path) -> bool:
    """Whether programs are installed there; a checkout with `bin` and `lib` is somebody's work."""
    marked = any((folder / mark).exists() for mark in _PREFIX_MARKS)
    return marked and not (folder / ".git").exists()


def _caches(env: Mapping[str, str]) -> Iterator[str]:
    if "CARGO_HOME" in env:
        yield from (f"{env['CARGO_HOME']}/{name}" for name in _CARGO)
    yield from (env[name] for name in _CACHES if name in env)


def _below(folder: str, tops: Sequence[str]) -> bool:
    return any(folder == top or folder.startswith(f"{top}/") for top in tops)
