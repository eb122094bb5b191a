"""Starting the program of an agent for a job: the single place where agents are started."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from cortex.errors import MachineError
from cortex_replay import containers
from cortex_replay.agent_sandbox import confined_argv
from cortex_replay.agents.base import AgentJob
from cortex_replay.agents.inherited import named_files
from cortex_replay.confinement import CONTAINERS, Confinement
from cortex_replay.processes import ProcessResult, ProgramMissingError, run
from cortex_replay.sandbox import bubblewrap
from cortex_replay.watching import UsageWatch

OUTPUT_LIMIT = 8 << 20
"""Bytes that are kept of the end of an agent's output."""
TMP = "tmp"
"""Folder in the state of a job, which a sandboxed agent sees as `/tmp`."""


def run_agent(
    argv: Sequence[str],
    job: AgentJob,
    env: Mapping[str, str],
    stdin: str | None = None,
    *,
    readable: Sequence[Path] = (),
) -> ProcessResult:
    """Run an agent's program in the workspace and return when all of its processes have ended.

    It is confined as the job says. `readable` are files and folders, besides the system's, that
    the program itself consists of; files that `env` names, such as certificates, can be read too.
    Raises ProgramMissingError when it cannot be started, NotConfinedError where there is no sandbox
    and the person did not accept that.
    """
    if job.confinement is None:
        return _run(argv, job, env, stdin)
    confinement, level = job.confinement, job.confinement.require()
    readable = (*readable, *named_files(env))
    if level in CONTAINERS:
        return _in_container(argv, job, env, stdin, readable, confinement)
    program = bubblewrap()
    if level == "none" or program is None:
        return _run(argv, job, env, stdin)
    return _in_sandbox(program, argv, job, env, stdin, readable, confinement)


def _in_sandbox(
    program: str,
    argv: Sequence[str],
    job: AgentJob,
    env: Mapping[str, str],
    stdin: str | None,
    readable: Sequence[Path],
    confinement: Confinement,
) -> ProcessResult:
    tmp = job.state / TMP
    tmp.mkdir(mode=0o700, exist_ok=True)
    env = {**env, "TMPDIR": "/tmp"}
    writable = (job.workspace, job.home, job.state)
    wrapped = confined_argv(program, argv, env, writable, readable, tmp, confinement)
    watch = UsageWatch(confinement.limits, writable)
    result = _run(wrapped, job, env, stdin, watch)
    _require_started(argv[0], result)
    return result


def _require_started(name: str, result: ProcessResult) -> None:
    """Raise MachineError when bubblewrap could not start the program."""
    message = result.stderr
    if result.stdout or not result.returncode:
        return
    if message.startswith(("bwrap: execvp ", "prlimit: failed to execute ")):
        raise ProgramMissingError(f"{name} is not within reach of the sandbox")
    if message.startswith("bwrap: "):
        raise MachineError(f"the sandbox does not start: {message.splitlines()[0]}")


def _in_container(
    argv: Sequence[str],
    job: AgentJob,
    env: Mapping[str, str],
    stdin: str | None,
    readable: Sequence[Path],
    confinement: Confinement,
) -> ProcessResult:
    # The image has the program; only files that the environment names come from this machine.
    named = [place for place in named_files(env) if place in readable]
    writable = (job.workspace, job.home, job.state)
    wrapped = containers.container_argv(argv, env, job.home, writable, named, confinement)
    try:
        return _run(wrapped, job, containers.client_environment(env), stdin)
    finally:
        containers.remove(confinement.sandbox, job.workspace)


def _run(
    argv: Sequence[str],
    job: AgentJob,
    env: Mapping[str, str],
    stdin: str | None,
    watch: UsageWatch | None = None,
) -> ProcessResult:
    mark, on_start = str(job.workspace), watch.begin if watch else None
    try:
        result = run(
            argv,
            job.workspace,
            env,
            job.timeout_s,
            stdin,
            limit=OUTPUT_LIMIT,
            mark=mark,
            on_start=on_start,
        )
    finally:
        if watch is not None:
            watch.end()
    if watch is None or not watch.reason:
        return result
    # It is the agent's own doing, as running out of time is.
    return replace(result, timed_out=True, stopped=watch.reason)
