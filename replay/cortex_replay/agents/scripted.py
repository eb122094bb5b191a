"""The scripted agent: seeded, offline, free; a process of its own like any other agent."""

import json
import sys
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from cortex.digests import digest_text
from cortex.errors import MachineError, UsageError
from cortex_replay.agents.base import AgentJob, AgentRun
from cortex_replay.agents.load_detection import loads, offers, transcript_events
from cortex_replay.environment import clean_environment
from cortex_replay.processes import run


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid")


class HabitModel(_Part):
    """How often the agent does one thing well, by what it was told."""

    id: str
    heeds: list[str] = []
    rate: float = Field(default=0.05, ge=0, le=1)
    heeded: float = Field(default=0.96, ge=0, le=1)
    misled_by: list[str] = []
    misled: float = Field(default=0.05, ge=0, le=1)


class SlotModel(_Part):
    """A place in a text that comes out well or badly, as the habit has it."""

    habit: str
    good: str
    bad: str


class JobModel(_Part):
    """What the agent does for a prompt."""

    match: str
    steps: list[dict[str, Any]]
    slots: dict[str, SlotModel] = {}


class Playbook(_Part):
    """The whole behaviour of a scripted agent."""

    model: str = "scripted-1"
    habits: list[HabitModel] = []
    opens: float = Field(default=0.9, ge=0, le=1)
    slip: float = Field(default=0.02, ge=0, le=1)
    jobs: list[JobModel] = []


class Scripted:
    """Runs `python -m cortex_replay.scripted` for each job."""

    name = "scripted"

    def __init__(self, playbook: str | None) -> None:
        self._playbook = Path(playbook).expanduser().absolute() if playbook else None

    def check(self) -> None:
        """Read the playbook; UsageError when it is missing or wrong."""
        if self._playbook is None:
            raise UsageError("the scripted agent needs `playbook` in [agent] of the configuration")
        try:
            Playbook.model_validate_json(self._playbook.read_bytes())
        except OSError as error:
            raise UsageError(f"{self._playbook}: cannot be read: {error.strerror}") from None
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            raise UsageError(f"{self._playbook}: {where}: {first['msg']}") from None

    def version(self) -> str:
        """Return the digest of the playbook: it is what the answers depend on."""
        self.check()
        assert self._playbook is not None
        return "playbook-" + digest_text(self._playbook.read_text("utf-8"))[:12]

    def run(self, job: AgentJob) -> AgentRun:
        """Run one job headless."""
        request = {
            "prompt": job.prompt,
            "workspace": str(job.workspace),
            "state": str(job.state),
            "session_id": job.session_id,
            "seed": job.seed,
            "playbook": str(self._playbook),
        }
        env = _environment(job.home)
        ended = run(_argv(), job.workspace, env, job.timeout_s, json.dumps(request))
        events = transcript_events(job.state)
        if ended.timed_out:
            return AgentRun("timeout", "did not end in time", events)
        if ended.returncode != 0:
            return AgentRun("infra", ended.stderr.strip()[-200:] or "the agent crashed", events)
        result = json.loads(ended.stdout.splitlines()[-1])
        return AgentRun(
            "finished",
            events=events,
            loaded=loads(events, job.state, job.workspace),
            offered=offers(events),
            cost_usd=result["total_cost_usd"],
            input_tokens=result["usage"]["input_tokens"],
            output_tokens=result["usage"]["output_tokens"],
        )


def play(request: dict[str, Any], home: Path, timeout_s: float = 60.0) -> Path:
    """Run one prompt of a recorded session (not a trial) and return its transcript.

    `request` is what `cortex_replay.scripted` reads. Raises MachineError when it fails.
    """
    workspace = Path(request["workspace"])
    env = _environment(home)
    ended = run(_argv(), workspace, env, timeout_s, json.dumps(request))
    if ended.timed_out or ended.returncode != 0:
        raise MachineError(f"the scripted agent failed: {ended.stderr.strip()[-300:]}")
    return Path(json.loads(ended.stdout.splitlines()[-1])["transcript_path"])


def _environment(home: Path) -> dict[str, str]:
    """Return a clean environment in which our own modules are compiled once, not every time."""
    env = clean_environment(home)
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    return env


def _argv() -> tuple[str, ...]:
    return (sys.executable, "-m", "cortex_replay.scripted")
