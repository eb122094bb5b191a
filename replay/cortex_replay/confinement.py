"""What confines an agent that runs commands: bubblewrap, a container, or the person's consent."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from cortex.errors import MachineError
from cortex_replay.sandbox import bubblewrap

SandboxName = Literal["auto", "bubblewrap", "docker", "podman", "none"]
SandboxLevel = Literal["bubblewrap", "docker", "podman", "none"]
CONTAINERS = ("docker", "podman")
REACH = (
    "no sandbox confines the agents of trials here: an agent could read and change every file of "
    "your account (keys, logins, other projects), start programs as you, and use the network"
)
ADVICE = (
    "install bubblewrap, or set `sandbox` and `image` in [trials] of config.toml to a container, "
    "or run `cortex trust --trials` in the repository to accept it there"
)


class NotConfinedError(MachineError):
    """An agent that runs commands has no sandbox, and the person did not accept that."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a confined agent may use with all of its processes; more ends its run."""

    processes: int = 2048
    """Threads count too."""
    memory: int = 8 << 30
    """Bytes, also at most three quarters of the machine's."""
    file: int = 4 << 30
    """Bytes of a single file."""
    disk: int = 16 << 30
    """Bytes of the workspace, the private home folder and the state together."""

    def memory_here(self) -> int:
        """Return the limit of memory in bytes on this machine."""
        try:
            there = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        except (ValueError, OSError):
            return self.memory
        return min(self.memory, there * 3 // 4)


@dataclass(frozen=True, slots=True)
class Confinement:
    """How agents that run commands are confined in trials and canaries."""

    sandbox: SandboxName = "auto"
    image: str | None = None
    """Container image that has the agent."""
    accepted: bool = False
    """The person lets agents run without a sandbox."""
    hidden: tuple[str, ...] = ()
    """Folders that no agent may see: the repository and its clones, Cortex's own folder."""
    limits: Limits = Limits()

    def level(self) -> SandboxLevel:
        """Return what confines an agent here.

        Raises MachineError when the sandbox that the person chose is missing.
        """
        if self.sandbox == "auto":
            return "bubblewrap" if bubblewrap() else "none"
        if self.sandbox == "bubblewrap" and bubblewrap() is None:
            raise MachineError(
                "bubblewrap does not work here: install it, or set `sandbox` in [trials] of "
                "config.toml"
            )
        if self.sandbox in CONTAINERS and not self.image:
            raise MachineError(
                f"sandbox = {self.sandbox!r} needs `image` in [trials] of config.toml: a container "
                "image that has the agent"
            )
        return self.sandbox

    def require(self) -> SandboxLevel:
        """Return the level; NotConfinedError where there is none and the person did not accept it.

        Raises MachineError as `level`.
        """
        level = self.level()
        if level == "none" and not self.accepted:
            raise NotConfinedError(f"{REACH}; {ADVICE}")
        return level

    def private(self) -> tuple[Path, ...]:
        """Return the folders that are hidden, with the person's home folder."""
        places = (str(Path.home()), *self.hidden)
        return tuple(Path(os.path.realpath(place)) for place in places)


DEFAULT = Confinement()
"""As without a configuration."""
