"""Where the person lets commands of a repository, or agents of trials, run without a sandbox.

The decision lies in the person's own store, never in the repository.
"""

from dataclasses import dataclass
from pathlib import Path

from cortex.commands.building import readmit
from cortex.commands.context import TRUSTED, UNCONFINED, Context
from cortex.errors import UsageError
from cortex.model.tasks import CommandCheck, Task, TaskStatus
from cortex.timestamps import now
from cortex_replay import containers
from cortex_replay.agents import Agent
from cortex_replay.confinement import CONTAINERS, NotConfinedError, SandboxLevel

_PROGRAMS = {"claude-code": "claude"}
"""Agent -> its program, where they differ."""


@dataclass(frozen=True, slots=True)
class Trusted:
    """The result of trusting a repository."""

    repository: str
    tasks: tuple[Task, ...]
    """Tasks that had waited, with the result of admission."""


def trust(context: Context) -> Trusted:
    """Trust the repository, and admit its tasks that waited for it.

    Raises UsageError outside of a repository.
    """
    root = str(context.root)
    context.store.key_values.set(f"{TRUSTED} {root}", now())
    return Trusted(root, tuple(readmit(context, task) for task in waiting(context)))


def revoke(context: Context) -> bool:
    """Take the trust back; return whether there was any. Raises UsageError as `trust`."""
    return context.store.key_values.remove(f"{TRUSTED} {context.root}")


def accept_trials(context: Context) -> str:
    """Let agents run without a sandbox in the repository; return its folder.

    Raises UsageError outside of a repository.
    """
    root = str(context.root)
    context.store.key_values.set(f"{UNCONFINED} {root}", now())
    return root


def revoke_trials(context: Context) -> bool:
    """Take that back; return whether it was given. Raises UsageError as `accept_trials`."""
    return context.store.key_values.remove(f"{UNCONFINED} {context.root}")


def needs_consent(context: Context, agent: Agent) -> bool:
    """Whether agents of trials run here only if the person accepts that nothing confines them.

    Raises MachineError when the sandbox that the configuration names is missing.
    """
    if not agent.runs_commands or context.repository is None:
        return False
    confinement = context.confinement()
    return confinement.level() == "none" and not confinement.accepted


def ensure_confined(context: Context, agent: Agent) -> SandboxLevel:
    """Return what confines the agent, before anything is spent.

    Raises UsageError where nothing does and the person did not accept that, MachineError when the
    sandbox that the configuration names, or its image, is missing.
    """
    if not agent.runs_commands:
        return "none"
    confinement = context.confinement()
    try:
        level = confinement.require()
    except NotConfinedError as error:
        raise UsageError(str(error)) from None
    if level in CONTAINERS:
        containers.check_image(confinement)
        containers.remove_leftovers(level)
        containers.check_version(confinement, _program(context, agent), agent.version())
    return level


def _program(context: Context, agent: Agent) -> str:
    """Return the name of the agent's program, which an image has under its own path."""
    command = context.config.agent.command
    return Path(command).name if command else _PROGRAMS.get(agent.name, agent.name)


def waiting(context: Context) -> tuple[Task, ...]:
    """Return the tasks of the repository that were skipped and whose checks run commands."""
    return tuple(
        task
        for task in context.store.tasks.all(repository=str(context.root))
        if task.status is TaskStatus.SKIPPED
        and any(isinstance(check, CommandCheck) for check in task.checks)
    )
