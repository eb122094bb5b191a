"""Commands of others run in bubblewrap: no network, no home folder, only the workspace to write.

Where there is no bubblewrap, they run only for a repository that the person trusts.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from cortex.errors import MachineError
from cortex_replay.environment import clean_environment
from cortex_replay.processes import ProcessResult, ProgramMissingError, run
from cortex_replay.toolchains import folders

PLACES = ("/usr/bin", "/usr/local/bin", "/bin")
"""Where bubblewrap is looked for: a PATH may have folders that others write to."""
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store")
SETTINGS = (
    "alternatives", "ca-certificates", "fonts", "group", "hosts", "java", "ld.so.cache",
    "ld.so.conf", "ld.so.conf.d", "localtime", "mime.types", "nsswitch.conf", "os-release",
    "passwd", "pki/tls/certs", "protocols", "services", "ssl/certs", "ssl/openssl.cnf", "timezone",
)  # fmt: skip
"""Of `/etc`: what programs need, nothing that is secret."""
KERNEL = ("sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "scsi", "mtrr", "driver")
"""Of `/proc`: settings of the machine, which root could write in a sandbox too."""
PROBE_S = 10.0
NOT_TRUSTED = (
    "its check runs a command of the repository: install bubblewrap, or run `cortex trust` in the "
    "repository to run it as you"
)


class NotTrustedError(MachineError):
    """There is no sandbox, and the person does not trust the repository."""


@cache
def bubblewrap() -> str | None:
    """Return the path of a bubblewrap that works here; None when there is none."""
    program = shutil.which("bwrap", path=os.pathsep.join(PLACES))
    if program is None:
        return None
    probe = [program, "--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "true"]
    try:
        ended = subprocess.run(
            probe, stdin=subprocess.DEVNULL, capture_output=True, timeout=PROBE_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return program if ended.returncode == 0 else None


def run_confined(
    argv: Sequence[str], workspace: Path, home: Path, timeout_s: float, mark: str, *, trusted: bool
) -> ProcessResult:
    """Run a command of the repository or of a transcript in `workspace`.

    `home` is its private home folder. Raises NotTrustedError when there is no sandbox and the
    person does not trust the repository, ProgramMissingError when the program is not there.
    """
    env = clean_environment(home)
    program = bubblewrap()
    if program is None:
        if not trusted:
            raise NotTrustedError(NOT_TRUSTED)
        return run(argv, workspace, env, timeout_s, mark=mark)
    env["TMPDIR"] = "/tmp"
    _require(argv[0], workspace, env.get("PATH", os.defpath))
    wrapped = [program, *_options(workspace, home, env), "--", *argv]
    result = run(wrapped, workspace, env, timeout_s, mark=mark)
    if result.returncode and result.stderr.startswith("bwrap: execvp "):
        raise ProgramMissingError(f"{argv[0]} is not within reach of the sandbox")
    return result


def _require(name: str, workspace: Path, path: str) -> None:
    place = shutil.which(str(workspace / name) if "/" in name else name, path=path)
    if place is None:
        raise ProgramMissingError(f"{name}: no such program")


def _options(workspace: Path, home: Path, env: dict[str, str]) -> Iterator[str]:
    yield from ("--unshare-all", "--die-with-parent", "--new-session")
    yield from ("--proc", "/proc", "--dev", "/dev")
    for place in (f"/proc/{name}" for name in KERNEL):
        yield from ("--ro-bind-try", place, place)
    yield from ("--tmpfs", "/tmp", "--tmpfs", "/var/tmp", "--tmpfs", "/run")
    for place in (*SYSTEM, *(f"/etc/{name}" for name in SETTINGS)):
        yield from ("--ro-bind-try", place, place)
    for folder in folders(env, SYSTEM):
        yield from ("--ro-bind-try", folder, folder)
    for place in map(str, (workspace, home)):
        yield from ("--bind", place, place)
    yield from ("--chdir", str(workspace))
