"""Start the daemon at login: write or remove the file that the service manager reads.

Nothing is started or enabled here; the person runs the command that is returned.
"""

import os
import shlex
import stat
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from cortex.artifacts import atomic
from cortex.config import expand, home
from cortex.daemon import info, unit_files
from cortex.errors import MachineError, UsageError

SYSTEMD, LAUNCHD = "systemd", "launchd"
MANAGERS = (SYSTEMD, LAUNCHD)
BOOTED = Path("/run/systemd/system")
"""Exists where systemd is the service manager (`sd_booted`)."""
FOLDERS = ("CORTEX_HOME", "CORTEX_TRIALS", "CLAUDE_CONFIG_DIR", "XDG_DATA_HOME")
"""Variables with a folder that the daemon has to find as the person's shell does."""
MAX_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class ServiceFile:
    """The file of a service manager, and what is to be done with it."""

    manager: str
    path: Path
    content: str
    state: str
    """`planned`, `written`, `unchanged`, `removed` or `missing`."""
    running: bool
    """Whether a daemon is running now."""
    next_command: str
    """For a shell: enables what was written, or ends what was removed."""


def plan(manager: str | None) -> ServiceFile:
    """Return the file as `install` would write it; `manager` None takes this machine's.

    Raises MachineError where there is neither systemd nor launchd, UsageError for paths that such
    a file cannot hold.
    """
    manager = manager or _manager()
    render = unit_files.systemd if manager == SYSTEMD else unit_files.launchd
    content = render(_command(), _environment())
    path = _path(manager)
    running = info.is_held(home())
    return ServiceFile(manager, path, content.decode(), "planned", running, _enable(manager, path))


def install(manager: str | None) -> ServiceFile:
    """Write the file, unless it is there already.

    Raises UsageError for a file that Cortex did not write, or that was edited.
    """
    planned = plan(manager)
    content = planned.content.encode()
    if os.path.lexists(planned.path) and _own(planned.path) == content:
        return replace(planned, state="unchanged")
    atomic.write(planned.path, content, 0o644)
    return replace(planned, state="written")


def uninstall(manager: str | None) -> ServiceFile:
    """Remove the file and the link that enabled it.

    Raises UsageError for a file that Cortex did not write, or that was edited.
    """
    manager = manager or _manager()
    path = _path(manager)
    content, state = b"", "missing"
    if os.path.lexists(path):
        content, state = _own(path), "removed"
        try:
            path.unlink()
        except OSError as error:
            raise atomic.refusal(path, error) from None
    wanted = path.parent / "default.target.wants" / path.name
    if manager == SYSTEMD and not path.exists():
        _remove_link(wanted, path)
    running = info.is_held(home())
    return ServiceFile(manager, path, content.decode(), state, running, _disable(manager))


def _manager() -> str:
    if sys.platform == "darwin":
        return LAUNCHD
    if BOOTED.is_dir():
        return SYSTEMD
    values = (f"{name}={value}" for name, value in _environment().items() if name != "PATH")
    line = shlex.join(["env", *values, *_command()])
    raise MachineError(f"neither systemd nor launchd is running here; start at login: {line}")


def _path(manager: str) -> Path:
    person = _home_folder()
    if manager == LAUNCHD:
        return person / "Library" / "LaunchAgents" / f"{unit_files.LABEL}.plist"
    configured = os.environ.get("XDG_CONFIG_HOME", "").strip()
    folder = Path(configured) if configured.startswith("/") else person / ".config"
    return folder / "systemd" / "user" / f"{unit_files.NAME}.service"


def _home_folder() -> Path:
    try:
        return Path.home()
    except RuntimeError:
        raise MachineError("your home folder is not known; set HOME") from None


def _command() -> Sequence[str]:
    """Return the daemon's command line: absolute, and no module of a current folder is imported.

    `-I` would hide a Cortex that is installed for the person only (`pip install --user`).
    """
    import site

    package = Path(unit_files.__file__)
    for_person = site.ENABLE_USER_SITE and package.is_relative_to(site.getusersitepackages())
    isolated = ("-E", "-P") if for_person else ("-I", "-P")
    return (sys.executable, *isolated, "-X", "utf8", "-m", "cortex.daemon", "--service")


def _environment() -> Mapping[str, str]:
    folders = {
        name: str(expand(value)) for name in FOLDERS if (value := os.environ.get(name, "").strip())
    }
    given = os.environ.get("PATH", os.defpath).split(os.pathsep)
    absolute = dict.fromkeys(folder for folder in given if folder.startswith("/"))
    return folders | {"PATH": os.pathsep.join(absolute)}


def _own(path: Path) -> bytes:
    """Return the content of a file that Cortex wrote; UsageError for any other."""
    refused = UsageError(
        f"{path}: was not written by Cortex, or was edited since; move it away, then run this again"
    )
    try:
        details = path.lstat()
        if not stat.S_ISREG(details.st_mode) or details.st_size > MAX_BYTES:
            raise refused
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
    if not unit_files.is_unchanged(content):
        raise refused
    return content


def _remove_link(link: Path, target: Path) -> None:
    """Remove what `systemctl enable` made: a link to the unit, and its folder when empty."""
    with suppress(OSError):
        if link.is_symlink() and link.parent / link.readlink() == target:
            link.unlink()
            link.parent.rmdir()


def _enable(manager: str, path: Path) -> str:
    if manager == LAUNCHD:
        return f"launchctl bootstrap gui/{os.getuid()} {shlex.quote(str(path))}"
    return f"systemctl --user daemon-reload && systemctl --user enable --now {unit_files.NAME}"


def _disable(manager: str) -> str:
    if manager == LAUNCHD:
        return f"launchctl bootout gui/{os.getuid()}/{unit_files.LABEL}"
    return f"systemctl --user stop {unit_files.NAME}; systemctl --user daemon-reload"
