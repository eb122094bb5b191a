"""Starting the program of an agent for a job: the single place where agents are started."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from cortex_replay.agents.base import AgentJob
from cortex_replay.processes import ProcessResult, run

OUTPUT_LIMIT = 8 << 20
"""Bytes that are kept of the end of an agent's output."""


def run_agent(
    argv: Sequence[str],
    job: AgentJob,
    env: Mapping[str, str],
    stdin: str | None = None,
    *,
    readable: Sequence[Path] = (),
) -> ProcessResult:
    """Run an agent's program in the workspace and return when all of its processes have ended.

    `readable` are files and folders, besides the system's, that the program itself consists of.
    Raises ProgramMissingError when it cannot be started.
    """
    del readable
    mark = str(job.workspace)
    return run(argv, job.workspace, env, job.timeout_s, stdin, limit=OUTPUT_LIMIT, mark=mark)
