from pathlib import Path

import pytest

from cortex_replay.agents.base import AgentJob
from cortex_replay.agents.claude_code import _environment

OUTER = {
    "PATH": "/usr/bin",
    "ANTHROPIC_API_KEY": "k",
    "AWS_SECRET_ACCESS_KEY": "a",
    "GOOGLE_API_KEY": "g",
    "GITHUB_TOKEN": "t",
    "DATABASE_URL": "d",
}


@pytest.mark.parametrize(
    ("more", "given"),
    [
        ({}, set()),
        ({"CLAUDE_CODE_USE_BEDROCK": "0"}, set()),
        ({"CLAUDE_CODE_USE_BEDROCK": "1"}, {"AWS_SECRET_ACCESS_KEY"}),
        ({"CLAUDE_CODE_USE_VERTEX": "true"}, {"GOOGLE_API_KEY"}),
    ],
)
def test_credentials_of_a_cloud_go_to_an_agent_that_uses_it(
    tmp_path: Path, more: dict[str, str], given: set[str]
) -> None:
    job = AgentJob(tmp_path, tmp_path, tmp_path, "x", "s", None, 9.0, None, 0)
    env = _environment(job, tmp_path, OUTER | more)
    assert env["ANTHROPIC_API_KEY"] == "k"
    assert {name for name in env if name.startswith(("AWS_", "GOOGLE_"))} == given
    assert not {"GITHUB_TOKEN", "DATABASE_URL"} & env.keys()
