"""Agents in containers: a stand-in for docker records its calls and runs the program here."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cortex.errors import MachineError
from cortex_replay.agents.base import AgentJob
from cortex_replay.agents.running import run_agent
from cortex_replay.confinement import Confinement
from cortex_replay.containers import check_image, check_version, name_of, remove_leftovers

DOCKER = """#!{python} -I
import json, os, subprocess, sys
arguments = sys.argv[1:]
with open({log!r}, "a") as file:
    file.write(json.dumps({{"argv": arguments, "env": dict(os.environ)}}) + "\\n")
if arguments[:2] == ["image", "inspect"]:
    if arguments[-1] != "agents:1":
        sys.exit("Error response from daemon: No such image: " + arguments[-1])
if arguments[0] == "ps":
    print(open({listed!r}).read())
if arguments[0] == "run":
    place = arguments.index("agents:1")
    options, argv = arguments[:place], arguments[place + 1:]
    passed = [value for option, value in zip(options, options[1:]) if option == "--env"]
    env = {{"PATH": {tools!r}}}
    if "--workdir" not in options:
        sys.exit(subprocess.run(argv, env=env).returncode)
    for variable in passed:
        name, _, value = variable.partition("=")
        env[name] = value or os.environ[name]
    folder = options[options.index("--workdir") + 1]
    sys.exit(subprocess.run(argv, cwd=folder, env=env).returncode)
"""
AGENT = """#!/bin/sh
[ "$1" = --version ] && exec echo 1.2.3 agent
cat > prompt
env | sort > seen
echo out
{more}
"""
Calls = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Calls:
    """Put docker and podman on PATH; return a function that returns their calls."""
    programs, tools, log = tmp_path / "programs", tmp_path / "tools", tmp_path / "calls"
    programs.mkdir()
    tools.mkdir()
    text = DOCKER.format(
        python=sys.executable,
        log=str(log),
        listed=str(tmp_path / "listed"),
        tools=f"{tools}:/usr/bin:/bin",
    )
    for name in ("docker", "podman"):
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    monkeypatch.setenv("DOCKER_HOST", "unix:///person.sock")
    monkeypatch.setenv("GITHUB_TOKEN", "never")
    write_agent(tmp_path)
    return lambda: [json.loads(line) for line in log.read_text().splitlines()]


def write_agent(tmp_path: Path, more: str = "") -> None:
    program = tmp_path / "tools" / "agent"
    program.write_text(AGENT.format(more=more))
    program.chmod(0o755)


def confined(job: AgentJob, sandbox: Any, **fields: Any) -> AgentJob:
    return replace(job, confinement=Confinement(sandbox, "agents:1"), **fields)


ENV = {"ANTHROPIC_API_KEY": "secret", "PATH": "/person/bin", "HOME": "/x", "TERM": "dumb"}


@pytest.mark.parametrize("sandbox", ["docker", "podman"])
def test_the_agent_of_the_image_runs_in_its_folders(
    job: AgentJob, calls: Calls, sandbox: str
) -> None:
    result = run_agent(("/person/bin/agent", "--print"), confined(job, sandbox), ENV, "Do it")
    assert (result.returncode, result.stdout) == (0, "out\n")
    assert (job.workspace / "prompt").read_text() == "Do it"
    begun, removed = calls()
    argv = begun["argv"]
    assert argv[-3:] == ["agents:1", "agent", "--print"]
    joined = " ".join(argv)
    for option in (
        "run --rm --init --interactive --pull never",
        "--network bridge",
        "--cap-drop ALL",
        "--security-opt no-new-privileges",
        "--read-only",
        "--pids-limit 2048",
        "--memory ",
        "--tmpfs /tmp:",
        f"--workdir {job.workspace}",
        f"--volume {job.workspace}:{job.workspace}:rw",
        f"--volume {job.home}:{job.home}:rw",
        f"--volume {job.state}:{job.state}:rw",
        f"--user {os.getuid()}:{os.getgid()}",
        "--env ANTHROPIC_API_KEY --env TERM",
    ):
        assert option in joined, option
    assert removed["argv"] == ["rm", "--force", name_of(job.workspace)]


def test_values_of_variables_are_not_on_the_command_line(job: AgentJob, calls: Calls) -> None:
    run_agent(("agent",), confined(job, "docker"), ENV, "")
    (begun, _) = calls()
    assert "secret" not in " ".join(begun["argv"])
    assert begun["env"]["ANTHROPIC_API_KEY"] == "secret"
    assert begun["env"]["DOCKER_HOST"] == "unix:///person.sock"
    assert "GITHUB_TOKEN" not in begun["env"]
    seen = dict(line.split("=", 1) for line in (job.workspace / "seen").read_text().splitlines())
    assert seen["HOME"] == str(job.home)
    assert seen["TMPDIR"] == "/tmp"
    assert "/person/bin" not in seen["PATH"]


def test_a_server_on_this_machine_is_reached(job: AgentJob, calls: Calls) -> None:
    env = ENV | {"ANTHROPIC_BASE_URL": "http://127.0.0.1:1"}
    run_agent(("agent",), confined(job, "docker"), env, "")
    assert "--network host" in " ".join(calls()[0]["argv"])


def test_certificates_are_mounted_to_be_read(job: AgentJob, calls: Calls, tmp_path: Path) -> None:
    own = tmp_path / "own.pem"
    own.write_text("x")
    run_agent(
        ("agent",), confined(job, "docker"), ENV | {"SSL_CERT_FILE": str(own)}, readable=[tmp_path]
    )
    joined = " ".join(calls()[0]["argv"])
    assert f"--volume {own}:{own}:ro" in joined
    assert f"--volume {tmp_path}:" not in joined


def test_a_container_that_timed_out_is_removed(job: AgentJob, calls: Calls, tmp_path: Path) -> None:
    write_agent(tmp_path, "sleep 60")
    result = run_agent(("agent",), confined(job, "docker", timeout_s=0.5), ENV, "")
    assert result.timed_out
    assert calls()[-1]["argv"] == ["rm", "--force", name_of(job.workspace)]


def test_what_is_missing_is_named(calls: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
    check_image(Confinement("docker", "agents:1"))
    with pytest.raises(MachineError, match=r"there is no image agents:2.*`docker pull agents:2`"):
        check_image(Confinement("docker", "agents:2"))
    with pytest.raises(MachineError, match=r"needs `image` in \[trials\]"):
        Confinement("docker").level()
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(MachineError, match="docker not found: install it"):
        check_image(Confinement("docker", "agents:1"))


def test_the_image_has_the_version_that_verdicts_name(calls: Calls) -> None:
    image = Confinement("docker", "agents:1")
    check_version(image, "agent", "1.2.3")
    assert "--network none" in " ".join(calls()[0]["argv"])
    with pytest.raises(MachineError, match=r"agents:1 has agent 1\.2\.3, this machine 1\.2\.4"):
        check_version(image, "agent", "1.2.4")
    with pytest.raises(MachineError, match="no-agent does not run in agents:1"):
        check_version(image, "no-agent", "1.2.3")


def test_containers_of_dead_processes_are_removed(
    job: AgentJob, calls: Calls, tmp_path: Path
) -> None:
    run_agent(("agent",), confined(job, "docker"), ENV, "")
    argv = calls()[0]["argv"]
    label = next(value for value in argv if value.startswith("cortex.owner="))
    machine = label.partition("=")[2].rpartition(":")[0]
    with subprocess.Popen(["true"]) as ended:
        pass
    (tmp_path / "listed").write_text(
        f"aaa {machine}:{os.getpid()}\nbbb {machine}:{ended.pid}\nccc other:{ended.pid}\nddd\n"
    )
    assert remove_leftovers("docker") == 1
    assert calls()[-1]["argv"] == ["rm", "--force", "bbb"]
