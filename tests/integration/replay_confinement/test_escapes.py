"""Attempts of an agent to leave its sandbox: a script prints ESCAPED where one succeeds."""

import os
import socket
import stat
import subprocess
import threading
import tomllib
from pathlib import Path

import pytest
from tests.integration.replay_confinement.conftest import Play

from cortex_replay.agents.base import AgentJob

ATTEMPTS = tomllib.loads((Path(__file__).parent / "attempts.toml").read_text("utf-8"))


@pytest.mark.slow
@pytest.mark.parametrize("name", ATTEMPTS)
def test_it_does_not_escape(
    name: str, play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_OF_PARENT", "x")
    with socket.socket(socket.AF_UNIX) as server:
        monkeypatch.chdir(tmp_path)
        server.bind("agent.sock")
        server.listen()
        result = play(f"OUR_PID={os.getpid()}; export OUR_PID; {ATTEMPTS[name]}")
    assert "ESCAPED" not in result.stdout
    assert not result.timed_out
    assert not result.stderr.startswith("bwrap: ")


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "read the home folder",
        "read a key",
        "read the store",
        "read another workspace",
        "read templates",
        "find any planted file",
        "environment of the parent",
        "see our process",
        "kill our process",
        "the socket of an agent for keys",
    ],
)
def test_it_reaches_everything_without_a_sandbox(
    name: str, play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that an attempt fails because of the sandbox."""
    with socket.socket(socket.AF_UNIX) as server:
        monkeypatch.chdir(tmp_path)
        server.bind("agent.sock")
        server.listen()
        script = ATTEMPTS[name].replace("PLANTED / ", "PLANTED $W ")
        result = play(f"export OUR_PID={os.getpid()}; {script}", confinement=None)
    assert "ESCAPED" in result.stdout


@pytest.mark.slow
def test_its_own_folders_can_be_written(play: Play, job: AgentJob) -> None:
    result = play("echo made > made; echo home > ~/made; echo tmp > /tmp/made; python3 -V; pwd")
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines()[-1] == str(job.workspace)
    assert (job.workspace / "made").read_text() == "made\n"
    assert (job.home / "made").read_text() == "home\n"
    assert not Path("/tmp/made").exists()


@pytest.mark.slow
def test_a_fork_bomb_ends(play: Play) -> None:
    """Before its time limit, for root too, which no limit of the system binds."""
    result = play("b() { b | b & }; b; sleep 15")
    assert result.stopped == "used more than 150 processes and threads"
    assert _running("sleep 15") == 0


@pytest.mark.slow
@pytest.mark.parametrize("shared", [False, True])
def test_a_memory_bomb_ends(play: Play, shared: bool) -> None:
    memory = "mmap.mmap(-1, 1 << 20)" if shared else "bytearray(1 << 20)"
    step = f"m = {memory}; m[:] = b'x' * (1 << 20); kept.append(m); time.sleep(0.001)"
    result = play(f'python3 -c "import mmap, time\nkept = []\nwhile True: {step}"')
    assert result.stopped == "used more than 400 MB of memory"


@pytest.mark.slow
def test_a_huge_file_ends(play: Play, job: AgentJob) -> None:
    play("head -c 100000000 /dev/zero > big")
    assert (job.workspace / "big").stat().st_size <= 8 << 20


@pytest.mark.slow
def test_many_files_end_it(play: Play) -> None:
    result = play("i=0; while :; do i=$((i+1)); head -c 8000000 /dev/zero > f$i; sleep 0.1; done")
    assert result.stopped == "wrote more than 64 MB"


@pytest.mark.slow
@pytest.mark.parametrize("start", ["", "setsid ", "setsid env -i "])
def test_nothing_outlives_the_agent(play: Play, job: AgentJob, start: str) -> None:
    play(f"cd /; ({start}sh -c 'cd /; sleep 1; echo late > {job.workspace}/late' &) ; true")
    threading.Event().wait(1.5)
    assert not (job.workspace / "late").exists()


@pytest.mark.slow
def test_a_run_that_times_out_leaves_nothing(play: Play) -> None:
    result = play("trap '' TERM; (setsid env -i sleep 316 &); sleep 317", timeout_s=1.0)
    assert result.timed_out
    assert not result.stopped
    assert _running("sleep 31") == 0


@pytest.mark.slow
def test_its_mount_points_stay(play: Play, job: AgentJob) -> None:
    play('echo kept > ~/f; cd /; rm -rf "$OLDPWD" ~ 2> /dev/null; ln -s /etc "$OLDPWD"')
    assert job.workspace.is_dir()
    assert not job.workspace.is_symlink()
    assert stat.S_ISDIR(job.home.lstat().st_mode)


def _running(words: str) -> int:
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)
    return sum(line.startswith(words) for line in listed.stdout.splitlines())
