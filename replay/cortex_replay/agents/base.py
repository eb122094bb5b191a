"""The interface of an agent to a trial."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from cortex.model.sessions import Event
from cortex_replay.confinement import Confinement

RunStatus = Literal["finished", "timeout", "infra", "budget"]


@dataclass(frozen=True, slots=True)
class AgentJob:
    """Input of a run of an agent."""

    workspace: Path
    state: Path
    """Fresh folder for configuration, session and transcript; the same path in both arms."""
    home: Path
    """The home folder that the agent sees."""
    prompt: str
    session_id: str
    """A UUID, the same in both arms of a pair."""
    model: str | None
    timeout_s: float
    budget_usd: float | None
    seed: int
    reads_agents_file: bool = False
    """Whether an agent that reads `AGENTS.md` only where there is no `CLAUDE.md` reads it: the
    same in both arms, also where one of them lacks the last `CLAUDE.md`."""
    provider_url: str | None = None
    """A model server of Cortex on loopback in place of the agent's provider; for canaries."""
    confinement: Confinement | None = None
    """None for an agent whose model runs no commands."""


@dataclass(frozen=True, slots=True)
class AgentRun:
    """Result of a run, as data: an agent's failure is never an exception."""

    status: RunStatus
    detail: str = ""
    events: tuple[Event, ...] = ()
    loaded: frozenset[str] = frozenset()
    """Relative paths of rules and instruction files that loaded, and of the `SKILL.md` of skills
    that were opened."""
    offered: frozenset[str] = frozenset()
    """`SKILL.md` of skills that were listed."""
    unseen: tuple[str, ...] = ()
    """Patterns of harness paths whose loads this run could not show: a path that is missing from
    `loaded` is then unknown, not absent."""
    cost_usd: float | None = None
    input_tokens: int = 0
    output_tokens: int = 0


class Agent(Protocol):
    """Runs a prompt in a workspace."""

    name: str
    runs_commands: bool
    """Whether the model can run commands, and so reach what the person's account can reach."""

    def check(self) -> None:
        """Raise MachineError, with what to do, when the agent cannot run here."""

    def version(self) -> str:
        """Return the agent's version; part of the experiment's lock."""

    def run(self, job: AgentJob) -> AgentRun:
        """Run the agent and return when all of its processes have ended."""
