"""A version whose output Cortex cannot read is found out before anything is spent."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.agent_cli.test_endings import wrapper
from tests.integration.replay_confinement.test_containers import DOCKER
from tests.servers.messages import say, serve

from cortex_replay.agents.claude_code import ClaudeCode
from cortex_replay.canary import run_canary
from cortex_replay.confinement import Confinement

pytestmark = pytest.mark.agent_cli

RENAMED = (
    '"$CLI" "$@" | "$PYTHON" -Ic "import json, sys\n'
    "for line in sys.stdin:\n"
    "    event = json.loads(line)\n"
    "    event = {names.get(key, key): value for key, value in event.items()}\n"
    '    print(json.dumps(event))"'
)


def renamed(**names: str) -> str:
    return RENAMED.replace("import json, sys", f"import json, sys; names = {names}")


@pytest.fixture
def tools(place: Path, on_path: None) -> Path:
    folder = place / "tools"
    folder.mkdir(parents=True, mode=0o700)
    return folder


def test_a_supported_version_shows_everything(cli: str) -> None:
    report = run_canary(ClaudeCode(cli))
    assert report is not None
    assert report.missing == ()
    assert report.version in cli


def test_it_runs_in_a_container(cli: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in for docker starts what a container would, in the folders of this machine."""
    programs, tools, log = tmp_path / "programs", tmp_path / "tools", tmp_path / "calls"
    for folder in (programs, tools):
        folder.mkdir()
    (tools / Path(cli).name).symlink_to(cli)
    path = f"{tools}:{os.environ['PATH']}"
    text = DOCKER.format(python=sys.executable, log=str(log), listed="/dev/null", tools=path)
    (programs / "docker").write_text(text)
    (programs / "docker").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    report = run_canary(ClaudeCode(cli), Confinement("docker", "agents:1"))
    assert report is not None
    assert (report.missing, report.detail) == ((), "")
    begun = json.loads(log.read_text().splitlines()[0])["argv"]
    assert "--network host" in " ".join(begun), "the scripted model is on loopback"


@pytest.mark.parametrize(
    ("around", "missing"),
    [
        (renamed(total_cost_usd="price"), {"what a run cost"}),
        (renamed(usage="used"), {"the tokens that a run used"}),
        (renamed(type="kind"), {"the result of a run"}),
        (
            '"$CLI" "$@" --no-session-persistence',
            {
                "files that were read (transcript)",
                "files that were edited (transcript)",
                "the agent's words (transcript)",
                "loads of skills",
                "skills that are offered",
            },
        ),
        (
            'a=(); for x in "$@"; do case "$x" in */settings.json) x={} ;; esac; a+=("$x"); done; '
            '"$CLI" "${a[@]}"',
            {"loads of instruction files"},
        ),
    ],
)
def test_what_is_missing_is_named(cli: str, tools: Path, around: str, missing: set[str]) -> None:
    report = run_canary(ClaudeCode(wrapper(cli, around, tools)))
    assert report is not None
    # What is written down at the start differs between versions, so that a load may be seen twice.
    assert set(report.missing) == missing - ({"loads of instruction files"} & _seen_twice(cli))


def _seen_twice(cli: str) -> set[str]:
    return set() if "2.1.197" in cli else {"loads of instruction files"}


def test_nothing_is_spent_with_a_version_that_cannot_be_read(
    cli: str, tools: Path, tmp_path: Path, model: Callable[[str], None]
) -> None:
    home = tmp_path / "cortex-home"
    home.mkdir()
    command = wrapper(cli, renamed(total_cost_usd="price"), tools, version="9.9.9")
    (home / "config.toml").write_text(f'[agent]\ncommand = "{command}"\n')

    def cortex(*arguments: str) -> "subprocess.CompletedProcess[str]":
        argv = [sys.executable, "-m", "cortex.cli.main", *arguments]
        env = {**os.environ, "CORTEX_HOME": str(home)}
        return subprocess.run(
            argv, cwd=tmp_path, env=env, capture_output=True, text=True, check=False
        )

    with serve(lambda _: say("Done.")) as server:
        model(server.url)
        gate = cortex("selftest", "gate", "--only", "same-added", "--repeats", "1", "--budget", "5")
        doctor = cortex("doctor", "--json")
    assert server.requests == []
    assert gate.returncode == 3
    assert "no longer shows Cortex what a run cost; nothing was spent" in gate.stderr
    assert doctor.returncode == 1
    states = {check["name"]: check["state"] for check in json.loads(doctor.stdout)["checks"]}
    assert states["canary"] == "problem"
    assert states["agent"] == states["git"] == states["store"] == "ok"
