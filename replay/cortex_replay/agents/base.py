"""What an agent is to a trial."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from cortex.model.sessions import Event

RunResult = Literal["finished", "timeout", "infra", "budget"]


@dataclass(frozen=True, slots=True)
class AgentJob:
    """One run of an agent."""

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


@dataclass(frozen=True, slots=True)
class AgentRun:
    """How it went, as data: an agent's failure is never an exception."""

    ended: RunResult
    detail: str = ""
    events: tuple[Event, ...] = ()
    loaded: frozenset[str] = frozenset()
    """Relative paths of rules and instruction files that reached the model, and of the
    `SKILL.md` of skills that were opened."""
    offered: frozenset[str] = frozenset()
    """`SKILL.md` of skills that were listed."""
    observes_loads: bool = True
    """False: what is not in `loaded` is unknown."""
    cost_usd: float | None = None
    input_tokens: int = 0
    output_tokens: int = 0


class Agent(Protocol):
    """Runs one prompt in one workspace."""

    name: str

    def check(self) -> None:
        """Raise MachineError, with what to do, when the agent cannot run here."""

    def version(self) -> str:
        """Return the agent's version; part of every verdict's lock."""

    def run(self, job: AgentJob) -> AgentRun:
        """Run the agent and return when nothing of it is left."""
