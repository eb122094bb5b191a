"""An agent in a container of docker or podman: the command line, and what ends it."""

import os
import platform
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from cortex.config import is_local
from cortex.digests import short_id
from cortex.errors import MachineError
from cortex_replay.confinement import Confinement

CLIENT = ("PATH", "HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "CONTAINER_HOST")
"""Of the person's environment, with `DOCKER_*`: what the client needs to find its server."""
NOT_PASSED = frozenset({"PATH", "HOME", "TMPDIR", "SHELL", "SYSTEMROOT", "COMSPEC"})
"""Of the agent's environment: the image has its own, or the value is given."""
CLIENT_TIMEOUT_S = 60.0
OWNER = "cortex.owner"
"""Label: the machine and the process that started a container."""
_ID_AND_OWNER = f'{{{{.ID}}}} {{{{.Label "{OWNER}"}}}}'
MISSING = re.compile(r"no such (image|object)|not found|not known", re.IGNORECASE)


def program_of(name: str) -> str:
    """Return the path of docker or podman; MachineError when it is missing."""
    program = shutil.which(name)
    if program is None:
        raise MachineError(f"{name} not found: install it, or set `sandbox` in [trials]")
    return program


def check_image(confinement: Confinement) -> None:
    """Raise MachineError when the container program or its image is missing; pulls nothing."""
    program, image = program_of(confinement.sandbox), str(confinement.image)
    ended = _ask(program, "image", "inspect", "--format", "{{.Id}}", image)
    if ended.returncode == 0:
        return
    answer = ended.stderr.strip().splitlines()
    if answer and not MISSING.search(answer[-1]):
        raise MachineError(f"{confinement.sandbox} does not work here: {answer[-1]}")
    raise MachineError(
        f"there is no image {image}: build it, or get it with `{confinement.sandbox} pull {image}`"
    )


def check_version(confinement: Confinement, program: str, version: str) -> None:
    """Raise MachineError unless the agent of the image has the version that verdicts name."""
    client, image = program_of(confinement.sandbox), str(confinement.image)
    options = ("--rm", "--network", "none", "--pull", "never", "--cap-drop", "ALL")
    ended = _ask(client, "run", *options, image, program, "--version")
    words = ended.stdout.split()
    if ended.returncode != 0 or not words:
        lines = ended.stderr.strip().splitlines()
        raise MachineError(
            f"{program} does not run in {image}: {lines[-1] if lines else 'no output'}"
        )
    if version not in words:
        raise MachineError(
            f"{image} has {program} {words[0]}, this machine {version}, which verdicts name: use "
            "the same version in both"
        )


def remove_leftovers(name: str) -> int:
    """Remove containers of Cortex processes of this machine that no longer run; return how many."""
    program = program_of(name)
    own = f"label={OWNER}"
    listed = _ask(program, "ps", "--all", "--filter", own, "--format", _ID_AND_OWNER)
    gone = [
        words[0]
        for words in map(str.split, listed.stdout.splitlines())
        if len(words) == 2 and _is_dead(words[1])
    ]
    if gone:
        _ask(program, "rm", "--force", *gone)
    return len(gone)


def _owner() -> str:
    return f"{platform.node()}:{os.getpid()}"


def _is_dead(owner: str) -> bool:
    machine, _, pid = owner.rpartition(":")
    if machine != platform.node() or not pid.isdigit():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        pass
    return False


def name_of(workspace: Path) -> str:
    """Return the name of the container of a workspace: one at a time."""
    return short_id("cortex", str(workspace), str(os.getpid()))


def container_argv(
    argv: Sequence[str],
    env: Mapping[str, str],
    home: Path,
    writable: Sequence[Path],
    readable: Sequence[Path],
    confinement: Confinement,
) -> list[str]:
    """Return the command line that runs an agent's program (by its name) in the image.

    The first of `writable` is the working folder. Values of variables are not in it, because every
    user of the machine can read it: the client passes them on from its environment.
    """
    limits = confinement.limits
    options = [
        *("run", "--rm", "--init", "--interactive", "--pull", "never"),
        *("--name", name_of(writable[0]), "--label", f"{OWNER}={_owner()}"),
        *("--network", "host" if _needs_host(env) else "bridge"),
        *("--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--read-only"),
        *("--pids-limit", str(limits.processes), "--memory", str(limits.memory_here())),
        *("--ulimit", f"fsize={limits.file}", "--ulimit", "core=0"),
        *("--tmpfs", "/tmp:rw,exec,size=2g", "--workdir", str(writable[0])),
        *_user(confinement.sandbox),
    ]
    for place in writable:
        options += ["--volume", f"{place}:{place}:rw"]
    for place in readable:
        options += ["--volume", f"{place}:{place}:ro"]
    options += ["--env", f"HOME={home}", "--env", "TMPDIR=/tmp"]
    for name in sorted(env.keys() - NOT_PASSED):
        options += ["--env", name]
    name, *arguments = argv
    return [program_of(confinement.sandbox), *options, str(confinement.image), Path(name).name,
            *arguments]  # fmt: skip


def client_environment(env: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of the client: the person's places, and the agent's variables."""
    own = {
        name: value
        for name, value in os.environ.items()
        if name in CLIENT or name.startswith("DOCKER_")
    }
    return {name: value for name, value in env.items() if name not in NOT_PASSED} | own


def remove(name: str, workspace: Path) -> None:
    """Kill and remove the container of a workspace; killing the client leaves it running."""
    _ask(program_of(name), "rm", "--force", name_of(workspace))


def _ask(program: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    try:
        return subprocess.run(
            (program, *arguments), stdin=subprocess.DEVNULL, capture_output=True, text=True,
            errors="replace", timeout=CLIENT_TIMEOUT_S, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise MachineError(f"{program} does not answer: {error}") from None


def _needs_host(env: Mapping[str, str]) -> bool:
    """Whether the provider is a server on this machine, or is reached by a proxy on it."""
    names = (name for name in env if name.upper().endswith(("_BASE_URL", "_PROXY")))
    return any(is_local(env[name]) for name in names if name.upper() != "NO_PROXY")


def _user(sandbox: str) -> Sequence[str]:
    """Return options by which files in the workspace belong to the person."""
    if not hasattr(os, "getuid"):
        return ()
    user = ("--user", f"{os.getuid()}:{os.getgid()}")
    return ("--userns", "keep-id", *user) if sandbox == "podman" and os.getuid() else user
