"""The Messages API itself, for people with only a key, or with a model server of their own.

The agent is a process of Cortex (`cortex_replay.messages`) that is confined as any other. It gets
the key by standard input: neither its environment nor that of the model's commands has it.
"""

import json
import os
import socket
import sys
import time
from collections.abc import Mapping
from dataclasses import asdict
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import cortex
import cortex_replay
from cortex.config import AgentConfig, is_local
from cortex.errors import MachineError, UsageError
from cortex_replay.agents.base import AgentJob, AgentRun, RunStatus
from cortex_replay.agents.inherited import inherited
from cortex_replay.agents.load_detection import transcript_events
from cortex_replay.agents.pricing import Usage, cost_usd
from cortex_replay.agents.running import run_agent
from cortex_replay.processes import ProcessResult

KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")
ENDING_S = 3.0
"""A run ends by itself so long before its time is up, or a tenth of it earlier, whichever is
less: then it can say why."""
CONNECT_S = 3.0
DETAIL = 200
_MODULE = ("-I", "-m", "cortex_replay.messages")
"""Isolated: no module of the workspace, of PYTHONPATH or of the home folder is imported."""


class MessagesAgent:
    """Runs `python -m cortex_replay.messages` for each job."""

    name = "messages"

    def __init__(self, config: AgentConfig) -> None:
        self._config = config
        self.runs_commands = config.edit_format == "tools"

    def check(self) -> None:
        """Look for settings, key and server.

        Raises UsageError for a setting that is missing, MachineError for a key or a server.
        """
        if not self._config.model:
            raise UsageError("the messages agent needs `model` in [agent] of config.toml")
        if self._config.usd_per_million is None and not self._config.free:
            raise UsageError(
                "the messages agent needs `usd_per_million` in [agent] of config.toml, such as "
                "{ input = 3.0, output = 15.0 }: its provider reports tokens and no prices"
            )
        url = self._url(os.environ)
        if is_local(url):
            _require_server(str(url))
        elif not any(os.environ.get(name) for name in KEYS):
            raise MachineError(
                f"the messages agent needs {KEYS[0]} in the environment, or `base_url` in [agent] "
                "of a model server on this machine"
            )

    def version(self) -> str:
        """Return what decides how it works: the versions of Cortex and the SDK, the format."""
        sdk = version_of("anthropic")
        return f"{cortex.__version__} (anthropic {sdk}, {self._config.edit_format})"

    def run(self, job: AgentJob) -> AgentRun:
        """Run a job headless."""
        env = inherited(os.environ) | {"HOME": str(job.home), "TERM": "dumb", "NO_COLOR": "1"}
        url = job.provider_url or self._url(os.environ)
        if is_local(url):
            # A container then shares the network of this machine.
            env["ANTHROPIC_BASE_URL"] = str(url)
        argv = (_python(job), *_MODULE)
        request = json.dumps(self._request(job, url))
        process = run_agent(argv, job, env, request, readable=_own_files())
        return self._as_run(process, job)

    def _request(self, job: AgentJob, url: str | None) -> dict[str, Any]:
        ending_s = min(ENDING_S, job.timeout_s / 10)
        prices = self._config.usd_per_million
        return {
            "prompt": job.prompt,
            "workspace": str(job.workspace),
            "state": str(job.state),
            "session_id": job.session_id,
            "model": job.model or self._config.model,
            "deadline": time.time() + job.timeout_s - ending_s,
            "timeout_s": job.timeout_s,
            "edit_format": self._config.edit_format,
            "base_url": url,
            "budget_usd": job.budget_usd,
            "prices": asdict(prices) if prices else None,
            "reads_agents_file": job.reads_agents_file,
            **({} if self._keyless(job) else _key(os.environ)),
        }

    def _url(self, outer: Mapping[str, str]) -> str | None:
        return self._config.base_url or outer.get("ANTHROPIC_BASE_URL") or None

    def _keyless(self, job: AgentJob) -> bool:
        """Whether the server gets no key: what is free must not be able to spend."""
        return self._config.free or job.provider_url is not None

    def _as_run(self, process: ProcessResult, job: AgentJob) -> AgentRun:
        events = transcript_events(job.state)
        line = _last_line(process.stdout)
        status, detail = _outcome(process, line)
        usage = _usage(line)
        cost = None if usage is None else cost_usd(usage, self._config.usd_per_million)
        if cost is None and self._config.free:
            cost = 0.0
        return AgentRun(
            status,
            detail,
            events,
            loaded=frozenset(line.get("loaded", ())),
            offered=frozenset(line.get("offered", ())),
            cost_usd=cost,
            input_tokens=usage.input if usage else 0,
            output_tokens=usage.output if usage else 0,
        )


def _key(outer: Mapping[str, str]) -> dict[str, str]:
    """Return the key, or the token where there is no key."""
    if outer.get(KEYS[0]):
        return {"api_key": outer[KEYS[0]]}
    return {"auth_token": outer[KEYS[1]]} if outer.get(KEYS[1]) else {}


def _python(job: AgentJob) -> str:
    """Return the Python that runs the agent; a container's image brings its own."""
    confinement = job.confinement
    if confinement is not None and confinement.sandbox in ("docker", "podman"):
        return "python3"
    return sys.executable


def _own_files() -> tuple[Path, ...]:
    """Return the folders of this Python, its packages and Cortex's own."""
    packages = (Path(str(module.__file__)).parent for module in (cortex, cortex_replay))
    places = (Path(sys.prefix), Path(sys.base_prefix), *packages)
    return tuple(dict.fromkeys(places))


def _require_server(url: str) -> None:
    """Raise MachineError when nothing listens there."""
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        socket.create_connection((str(parts.hostname), port), CONNECT_S).close()
    except OSError as error:
        reason = error.strerror or error
        raise MachineError(
            f"no model server answers at {url} ({reason}): start it, or set `base_url` in [agent]"
        ) from None


def _last_line(output: str) -> dict[str, Any]:
    """Return the last line that the agent printed; empty when there is none."""
    for text in reversed(output.splitlines()):
        try:
            line = json.loads(text)
        except ValueError:
            continue
        if isinstance(line, dict):
            return line
    return {}


def _outcome(process: ProcessResult, line: Mapping[str, Any]) -> tuple[RunStatus, str]:
    if process.stopped:
        return "timeout", process.stopped
    if line.get("type") == "result":
        return line["status"], str(line["detail"])
    if process.timed_out:
        return "timeout", f"timed out after {process.seconds:.0f} s"
    lines = process.stderr.strip().splitlines()
    last = lines[-1][:DETAIL] if lines else "no result"
    return "infra", f"exit code {process.returncode}: {last}"


def _usage(line: Mapping[str, Any]) -> Usage | None:
    return Usage(**line["usage"]) if line.get("usage") else None
