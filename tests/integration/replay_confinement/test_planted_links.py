"""What an agent leaves behind is read and cleaned without following its links."""

import json
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.integration.replay_confinement.conftest import Play

from cortex_replay.agents.base import AgentJob
from cortex_replay.agents.claude_login import CREDENTIALS, logged_in
from cortex_replay.agents.load_detection import HOOK_FILE, loads, transcript_events, unseen

OUTER: Mapping[str, str] = {"ANTHROPIC_API_KEY": "k"}


@pytest.fixture
def transcripts(home: Path) -> Path:
    """The person's own transcripts, in the folder of their agent."""
    folder = home / ".claude" / "projects" / "-shop"
    folder.mkdir(parents=True)
    line = {
        "type": "user",
        "uuid": "u",
        "parentUuid": None,
        "isSidechain": False,
        "timestamp": "2026-01-05T10:00:00.000Z",
        "cwd": "/shop",
        "sessionId": "s",
        "version": "2.1.200",
        "promptSource": "typed",
        "message": {"role": "user", "content": "PLANTED"},
    }
    (folder / "s.jsonl").write_text(json.dumps(line) + "\n")
    assert transcript_events(home / ".claude")
    return folder


@pytest.mark.slow
@pytest.mark.parametrize(
    "script",
    [
        "mv config gone; ln -s $W/person/.claude config",
        "ln -s $W/person/.claude/projects config/projects",
        "mkdir config/projects; ln -s $W/person/.claude/projects/-shop config/projects/-shop",
        "mkdir -p config/projects/-shop; cd config/projects/-shop; "
        "ln -s $W/person/.claude/projects/-shop/s.jsonl s.jsonl",
    ],
)
def test_transcripts_are_read_without_links(
    play: Play, job: AgentJob, transcripts: Path, script: str
) -> None:
    config = job.state / "config"
    config.mkdir()
    own = transcripts.parents[1] / CREDENTIALS
    with logged_in(config, OUTER, 1.0):
        assert play(f"cd {job.state}; {script}").returncode == 0
    assert transcript_events(config) == ()
    assert "PLANTED" in own.read_text()


@pytest.mark.slow
def test_a_lent_login_is_taken_back_from_a_folder_that_was_moved(
    play: Play, job: AgentJob, home: Path
) -> None:
    login = {"claudeAiOauth": {"accessToken": "a", "refreshToken": "r"}}
    (home / ".claude" / CREDENTIALS).write_text(json.dumps(login))
    config = job.state / "config"
    config.mkdir()
    with logged_in(config, {"HOME": str(home)}, 1.0):
        assert "accessToken" in (config / CREDENTIALS).read_text()
        play(f"cd {job.state}; mv config gone; ln -s $W/person/.claude config")
    assert not (job.state / "gone" / CREDENTIALS).exists()
    assert "refreshToken" in (home / ".claude" / CREDENTIALS).read_text()


@pytest.mark.slow
@pytest.mark.parametrize("script", ["mkfifo {0}", "ln -s /dev/zero {0}", "mkdir {0}"])
def test_odd_files_do_not_hold_up(play: Play, job: AgentJob, script: str) -> None:
    (job.state / "config" / "projects" / "-shop").mkdir(parents=True)
    for name in (HOOK_FILE, "config/projects/-shop/s.jsonl"):
        play(f"cd {job.state}; {script.format(name)}")
    started = time.monotonic()
    assert transcript_events(job.state / "config") == ()
    assert loads((), job.state, job.workspace) == frozenset()
    assert unseen((), job.state)
    assert time.monotonic() - started < 1


@pytest.mark.slow
def test_a_hard_link_to_outside_needs_the_same_mount(play: Play, job: AgentJob) -> None:
    play(f"ln /usr/bin/env env; ln {job.state}/x x; true")
    assert list(job.workspace.iterdir()) == []
