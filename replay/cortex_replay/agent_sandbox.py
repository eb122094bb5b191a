"""The command line of bubblewrap around an agent: its folders, the system to read, the network.

The network is shared, because the provider must be reached; so are abstract Unix sockets.
"""

import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from cortex_replay.confinement import Confinement, Limits
from cortex_replay.sandbox import KERNEL, PLACES, PROBE_S, SETTINGS, SYSTEM
from cortex_replay.toolchains import folders

NETWORK_SETTINGS = (
    "crypto-policies", "gai.conf", "host.conf", "pki/ca-trust/extracted", "resolv.conf",
    "ssl/ca-bundle.pem", "ssl/cert.pem",
)  # fmt: skip
"""Of `/etc`, besides the settings of every sandbox: names, and certificates of authorities."""
CERTIFICATES = "/var/lib/ca-certificates"
SHARED_MEMORY = 256 << 20
"""Bytes of `/dev/shm`, `/run` and `/var/tmp` each; `/tmp` is on the disk."""


def confined_argv(
    program: str,
    argv: Sequence[str],
    env: Mapping[str, str],
    writable: Sequence[Path],
    readable: Sequence[Path],
    tmp: Path,
    confinement: Confinement,
) -> list[str]:
    """Return the command line of bubblewrap (`program`) around `argv`.

    The first of `writable` is the working folder; `tmp` becomes `/tmp`.
    """
    options = [
        *("--unshare-all", "--share-net", "--die-with-parent", "--new-session"),
        *(("--unshare-user", "--disable-userns") if _is_new() else ()),
        *("--cap-drop", "ALL", "--proc", "/proc", "--dev", "/dev"),
        *_small("/dev/shm"),
        *("--remount-ro", "/dev"),
        *_kernel(),
        *("--bind", str(tmp), "/tmp"),
        *_small("/var/tmp"),
        *_small("/run"),
        *_readable(env, readable, confinement),
    ]
    for place in map(str, writable):
        options += ["--bind", place, place]
    options += ["--remount-ro", "/", "--chdir", str(writable[0])]
    return [program, *options, "--", *_limited(confinement.limits), *argv]


@cache
def _is_new() -> bool:
    """Whether this bubblewrap (0.8 and newer) can forbid namespaces and limit the size of mounts.

    Without it an agent can make a user namespace, which gives it no more rights outside of it.
    """
    program = shutil.which("bwrap", path=os.pathsep.join(PLACES))
    if program is None:
        return False
    options = ("--unshare-user", "--disable-userns", "--size", "1000000", "--tmpfs", "/tmp")
    probe = [program, "--unshare-all", "--ro-bind", "/", "/", *options, "true"]
    try:
        ended = subprocess.run(
            probe, stdin=subprocess.DEVNULL, capture_output=True, timeout=PROBE_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return ended.returncode == 0


def _small(place: str) -> Iterator[str]:
    if _is_new():
        yield from ("--size", str(SHARED_MEMORY))
    yield from ("--tmpfs", place)


def _kernel() -> Iterator[str]:
    for place in (f"/proc/{name}" for name in KERNEL):
        yield from ("--ro-bind-try", place, place)


def _readable(
    env: Mapping[str, str], own: Sequence[Path], confinement: Confinement
) -> Iterator[str]:
    """Yield what is bound to be read: the system, then programs, never a hidden folder."""
    hidden = confinement.private()
    settings = (f"/etc/{name}" for name in (*SETTINGS, *NETWORK_SETTINGS))
    for name in (*SYSTEM, CERTIFICATES, *settings):
        yield from ("--ro-bind-try", name, name)
    for private in hidden:
        if private.is_dir() and _below(private, map(Path, SYSTEM)):
            yield from ("--tmpfs", str(private))
    programs = (Path(place) for place in folders(dict(env), SYSTEM))
    wanted = (*(place for place in programs if not _of_a_project(place, hidden[1:])), *own)
    for place in _outermost(wanted, hidden):
        yield from ("--ro-bind-try", os.path.realpath(place), str(place))


def _outermost(places: Iterable[Path], hidden: Sequence[Path]) -> tuple[Path, ...]:
    """Return the places that are not shown with another one, and show no hidden folder.

    bubblewrap cannot bind on a link, such as that of a program in a folder that is bound before.
    """
    shown: list[Path] = []
    for place in sorted(set(places), key=lambda place: (len(place.parts), place)):
        covered = _below(place, shown) or (
            _below(place, map(Path, SYSTEM)) and not _below(place, hidden)
        )
        both = (place, Path(os.path.realpath(place)))
        if not covered and not any(_below(private, both) for private in hidden):
            shown.append(place)
    return tuple(shown)


def _of_a_project(place: Path, hidden: Iterable[Path]) -> bool:
    """Whether a folder on `PATH` belongs to a hidden repository and is no virtual environment."""
    if any((folder / "pyvenv.cfg").is_file() for folder in (place, place.parent)):
        return False
    return _below(Path(os.path.realpath(place)), hidden)


def _below(place: Path, tops: Iterable[Path]) -> bool:
    return any(place.is_relative_to(top) for top in tops)


def _limited(limits: Limits) -> list[str]:
    """Return the start of a command line that sets limits of the system, where `prlimit` is there.

    Within the namespace: the number of processes is then that of the sandbox alone.
    """
    program = shutil.which("prlimit", path=os.pathsep.join(PLACES))
    if program is None:
        return []
    options = [f"--fsize={limits.file}", "--core=0"]
    if _counts_by_namespace():
        options.append(f"--nproc={limits.processes}")
    return [program, *options, "--"]


@cache
def _counts_by_namespace() -> bool:
    """Whether the kernel counts a user's processes by namespace; older ones count all of them."""
    numbers = os.uname().release.split(".")[:2]
    return all(number.isdigit() for number in numbers) and tuple(map(int, numbers)) >= (5, 14)
