"""Claude Code by its headless command line, isolated so that arms differ in the artifact alone.

Measured with the CLI: a fresh configuration folder, project settings only, no
auto-memory, no bundled skills and a short tool list give requests that are identical but for the
artifact's text.
"""

import json
import os
import shlex
import shutil
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cortex.errors import MachineError
from cortex_replay.agents import claude_output
from cortex_replay.agents.base import AgentJob, AgentRun
from cortex_replay.agents.claude_login import lent_login, logged_in
from cortex_replay.agents.inherited import inherited
from cortex_replay.agents.load_detection import HOOK_FILE, loads, offers, transcript_events, unseen
from cortex_replay.agents.program_files import program_files
from cortex_replay.agents.running import run_agent
from cortex_replay.processes import ProcessResult, ProgramMissingError, run

TOOLS = "Read,Edit,Write,Bash,Glob,Grep,Skill"
VERSION_TIMEOUT_S = 60.0
LOGIN_LASTS_S = 60.0
"""At least, before a first trial is started."""
_CREDENTIALS = (
    "ANTHROPIC_",
    "CLAUDE_CODE_USE_",
    "CLAUDE_CODE_OAUTH_TOKEN",
    "CLAUDE_CODE_CLIENT_",
    "CLAUDE_CODE_SKIP_",
)
_CLOUDS = {
    "CLAUDE_CODE_USE_BEDROCK": ("AWS_",),
    "CLAUDE_CODE_USE_VERTEX": ("GOOGLE_", "CLOUD_ML_REGION", "VERTEX_"),
}
"""Switch of a provider -> its credentials, which only go to an agent that uses it."""
_OFF = ("", "0", "false", "no", "off")
_FIXED = {
    "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1",
    "CLAUDE_CODE_DISABLE_BUNDLED_SKILLS": "1",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "CLAUDE_CODE_DISABLE_TERMINAL_TITLE": "1",
    "DISABLE_TELEMETRY": "1",
    "DISABLE_AUTOUPDATER": "1",
    "DISABLE_ERROR_REPORTING": "1",
    "TERM": "dumb",
    "NO_COLOR": "1",
}


class ClaudeCode:
    """Runs `claude -p` for each job."""

    name = "claude-code"
    runs_commands = True

    def __init__(self, command: str | None = None) -> None:
        self._command = command

    def check(self) -> None:
        """Ask for the version and the login.

        Raises MachineError when the CLI is missing, or its login is about to expire.
        """
        self.version()
        lent_login(os.environ, LOGIN_LASTS_S)

    def version(self) -> str:
        """Return the CLI's version, such as `2.1.197`."""
        return _version(self._program())

    def run(self, job: AgentJob) -> AgentRun:
        """Run a job headless."""
        program = self._program()
        config = job.state / "config"
        config.mkdir(mode=0o700, parents=True)
        settings = job.state / "settings.json"
        settings.write_text(json.dumps(_settings(job)), "utf-8")
        argv = _argv(program, job, settings)
        outer = os.environ if job.provider_url is None else _towards(job.provider_url)
        with logged_in(config, outer, job.timeout_s):
            env = _environment(job, config, outer)
            process = run_agent(argv, job, env, job.prompt, readable=program_files(program, env))
        return _as_run(process, job, config)

    def _program(self) -> str:
        command = self._command or "claude"
        program = shutil.which(command)
        if program is None:
            raise MachineError(
                f"Claude Code CLI not found ({command}): install it with `npm install -g "
                "@anthropic-ai/claude-code`, or set `command` in [agent] of the configuration"
            )
        return os.path.abspath(program)  # noqa: PTH100 - a link to a shim stays a link


@cache
def _version(program: str) -> str:
    """Return the version; asked as a trial asks, with another home folder than the person's."""
    with TemporaryDirectory(prefix="cortex-version-") as home:
        env = inherited(os.environ) | _FIXED | {"HOME": home, "CLAUDE_CONFIG_DIR": home}
        process = _ask_version(program, env)
        if process.returncode != 0 and _ask_version(program, env | _own_home()).returncode == 0:
            raise MachineError(
                f"{program} works with your HOME only, so it is probably the shim of a version "
                "manager: set `command` in [agent] to the program itself, such as the output of "
                "`mise which claude` or `asdf which claude`"
            )
    words = process.stdout.split()
    if process.timed_out:
        raise MachineError(f"{program} --version timed out after {VERSION_TIMEOUT_S:.0f} s")
    if process.returncode != 0 or not words:
        lines = process.stderr.strip().splitlines()
        raise MachineError(f"{program} --version failed: {lines[-1] if lines else 'no output'}")
    return words[0]


def _ask_version(program: str, env: Mapping[str, str]) -> ProcessResult:
    try:
        return run((program, "--version"), Path.cwd(), env, VERSION_TIMEOUT_S)
    except ProgramMissingError as error:
        raise MachineError(f"Claude Code CLI: {error}") from None


def _own_home() -> dict[str, str]:
    return {"HOME": os.environ["HOME"]} if "HOME" in os.environ else {}


def _argv(program: str, job: AgentJob, settings: Path) -> tuple[str, ...]:
    argv = [
        program,
        "--print",
        "--output-format",
        "stream-json",
        "--verbose",
        "--setting-sources",
        "project",
        "--settings",
        str(settings),
        "--tools",
        TOOLS,
        "--session-id",
        job.session_id,
        "--permission-mode",
        "bypassPermissions",
    ]
    if job.model:
        argv += ["--model", job.model]
    if job.budget_usd is not None:
        argv += ["--max-budget-usd", f"{job.budget_usd:.4f}"]
    return tuple(argv)


AGENTS_FILE_PLUGIN = "cc-plugin-agents-md@builtin"
"""Of newer versions: decides whether `AGENTS.md` is read. Older ones never read it."""


def _settings(job: AgentJob) -> dict[str, Any]:
    """Return settings with a hook that logs loads, and with the instruction files to read.

    The hook prints nothing: its output would be added to the prompt.
    """
    command = f"{{ cat; echo; }} >> {shlex.quote(str(job.state / HOOK_FILE))}"
    hook = {"hooks": [{"type": "command", "command": command}]}
    files = "claude-md-and-agents-md" if job.reads_agents_file else "claude-md"
    return {
        "hooks": {"SessionStart": [hook], "InstructionsLoaded": [hook]},
        "pluginConfigs": {AGENTS_FILE_PLUGIN: {"options": {"instructionFiles": files}}},
    }


def _towards(url: str) -> dict[str, str]:
    """Return the environment with a server on loopback as the provider, without any login."""
    outer = {name: value for name, value in os.environ.items() if not name.startswith(_CREDENTIALS)}
    for name in ("NO_PROXY", "no_proxy"):
        outer[name] = ",".join(filter(None, (outer.get(name), "127.0.0.1")))
    return outer | {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "canary"}


def _environment(
    job: AgentJob, config: Path, outer: Mapping[str, str] | None = None
) -> dict[str, str]:
    outer = os.environ if outer is None else outer
    clouds = (
        prefixes
        for switch, prefixes in _CLOUDS.items()
        if outer.get(switch, "").lower() not in _OFF
    )
    credentials = (*_CREDENTIALS, *(prefix for prefixes in clouds for prefix in prefixes))
    env = inherited(outer)
    env |= {name: value for name, value in outer.items() if name.startswith(credentials)}
    env |= _FIXED | {"HOME": str(job.home), "CLAUDE_CONFIG_DIR": str(config)}
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        env["IS_SANDBOX"] = "1"
    return env


def _as_run(process: ProcessResult, job: AgentJob, config: Path) -> AgentRun:
    result = claude_output.result_line(process.stdout)
    events = transcript_events(config)
    status, detail = claude_output.outcome(process, result, events)
    return AgentRun(
        status,
        detail,
        events,
        loads(events, job.state, job.workspace),
        offers(events),
        unseen(events, job.state),
        cost_usd=claude_output.cost(result),
        input_tokens=claude_output.tokens(result, "input_tokens"),
        output_tokens=claude_output.tokens(result, "output_tokens"),
    )
