"""The scripted agent: seeded, offline and free; a separate process like any other agent."""

import json
import sys
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from cortex.digests import digest_text
from cortex.errors import MachineError, UsageError
from cortex_replay.agents.base import AgentJob, AgentRun
from cortex_replay.agents.load_detection import loads, offers, transcript_events
from cortex_replay.agents.running import run_agent
from cortex_replay.environment import clean_environment
from cortex_replay.processes import ProcessResult, run

_ARGV = (sys.executable, "-I", "-m", "cortex_replay.scripted")
"""Isolated: no module of the workspace, of PYTHONPATH or of the home folder is imported."""


class _StrictModel(BaseModel):
    model_config = ConfigDict(extra="forbid")


class HabitModel(_StrictModel):
    """How often the agent follows a convention, depending on its context."""

    id: str
    heeds: list[str] = []
    rate: float = Field(default=0.05, ge=0, le=1)
    heeded: float = Field(default=0.96, ge=0, le=1)
    misled_by: list[str] = []
    misled: float = Field(default=0.05, ge=0, le=1)


class SlotModel(_StrictModel):
    """A placeholder in a text, filled with `good` or `bad` as the habit decides."""

    habit: str
    good: str
    bad: str


class JobModel(_StrictModel):
    """Steps for the prompts that `match`."""

    match: str
    steps: list[dict[str, Any]]
    slots: dict[str, SlotModel] = {}


class Playbook(_StrictModel):
    """The whole behaviour of a scripted agent."""

    model: str = "scripted-1"
    habits: list[HabitModel] = []
    opens: float = Field(default=0.9, ge=0, le=1)
    slip: float = Field(default=0.02, ge=0, le=1)
    jobs: list[JobModel] = []


class ScriptedAgent:
    """Runs `python -m cortex_replay.scripted` for each job."""

    name = "scripted"
    runs_commands = False

    def __init__(self, playbook: str | None) -> None:
        self._playbook = Path(playbook).expanduser().absolute() if playbook else None

    def check(self) -> None:
        """Read the playbook; UsageError when it is missing or invalid."""
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
        """Return the digest of the playbook, which determines the agent's behaviour."""
        self.check()
        assert self._playbook is not None
        return "playbook-" + digest_text(self._playbook.read_text("utf-8"))[:12]

    def run(self, job: AgentJob) -> AgentRun:
        """Run a job headless."""
        request = {
            "prompt": job.prompt,
            "workspace": str(job.workspace),
            "state": str(job.state),
            "session_id": job.session_id,
            "seed": job.seed,
            "playbook": str(self._playbook),
            "reads_agents_file": job.reads_agents_file,
        }
        env = _environment(job.home)
        process = run_agent(_ARGV, job, env, json.dumps(request))
        events = transcript_events(job.state)
        if process.timed_out:
            return AgentRun("timeout", f"timed out after {job.timeout_s:.0f} s", events)
        result = _result(process)
        if result is None:
            return AgentRun("infra", _failure(process), events)
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
    """Run a prompt of a recorded session (not a trial) and return its transcript.

    `request` is what `cortex_replay.scripted` reads. Raises MachineError when it fails.
    """
    workspace = Path(request["workspace"])
    env = _environment(home)
    process = run(_ARGV, workspace, env, timeout_s, json.dumps(request))
    if process.timed_out:
        raise MachineError(f"the scripted agent timed out after {timeout_s:.0f} s")
    result = _result(process)
    if result is None:
        raise MachineError(f"the scripted agent failed: {_failure(process)}")
    return Path(result["transcript_path"])


def _result(process: ProcessResult) -> dict[str, Any] | None:
    """Return the result line of a run that exited with 0, else None."""
    if process.returncode != 0:
        return None
    try:
        result = json.loads(process.stdout.splitlines()[-1])
    except (IndexError, ValueError):
        return None
    return result if isinstance(result, dict) else None


def _failure(process: ProcessResult) -> str:
    return process.stderr.strip()[-200:] or f"exit code {process.returncode}, no result"


def _environment(home: Path) -> dict[str, str]:
    """Return a clean environment in which Python caches the bytecode of our modules."""
    env = clean_environment(home)
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    return env
