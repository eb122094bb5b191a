"""Trials of an agent that runs commands, on a machine without a sandbox."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from tests.integration.commands.conftest import Shell

AGENT = """#!/bin/sh
case "$*" in *--version*) echo "2.1.197 (Claude Code)"; exit 0;; esac
touch {ran}
"""


@pytest.fixture
def bare(empty: Shell, tmp_path: Path) -> Shell:
    """An agent that runs commands, and no sandbox."""
    program = tmp_path / "claude"
    program.write_text(AGENT.format(ran=tmp_path / "ran"))
    program.chmod(0o755)
    configure(empty, f'[agent]\ncommand = "{program}"\n[trials]\nsandbox = "none"\n')
    return empty


def configure(shell: Shell, text: str) -> None:
    shell.home.mkdir(exist_ok=True)
    (shell.home / "config.toml").write_text(text)


def on_terminal(shell: Shell, answer: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run `cortex` with a terminal as its input, on which `answer` is typed."""
    ours, theirs = pty.openpty()
    try:
        os.write(ours, answer.encode())
        return subprocess.run(
            [sys.executable, "-m", "cortex.cli.main", *arguments],
            cwd=shell.cwd,
            env={**os.environ, "CORTEX_HOME": str(shell.home)},
            stdin=theirs,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    finally:
        os.close(ours)
        os.close(theirs)


@pytest.mark.parametrize("command", [("evolve",), ("selftest", "gate"), ("evolve", "--json")])
def test_without_a_terminal_it_refuses_and_names_the_command(
    bare: Shell, tmp_path: Path, command: tuple[str, ...]
) -> None:
    refusal = bare.refuses(*command, "--budget", "5")
    assert refusal.startswith("2 cortex: no sandbox confines")
    for words in ("every file of your account", "keys", "network", "`cortex trust --trials`"):
        assert words in refusal
    assert not (tmp_path / "ran").exists()


def test_the_answer_is_asked_for_once_and_stored(bare: Shell) -> None:
    first = on_terminal(bare, "n\n", "evolve", "--budget", "5")
    assert first.returncode == 2
    assert "every file of your account" in first.stderr
    assert f"Let agents run like that in {bare.cwd}? [y/N]" in first.stderr
    second = on_terminal(bare, "y\n", "evolve", "--budget", "5")
    assert (second.returncode, "[y/N]" in second.stderr) == (0, True)
    third = on_terminal(bare, "", "evolve", "--budget", "5")
    assert (third.returncode, third.stderr) == (0, "")
    assert bare.run("evolve", "--budget", "5").returncode == 0


def test_it_is_listed_and_taken_back(bare: Shell) -> None:
    assert bare.json("trust", "--trials", "--list") == {"trusted": []}
    assert str(bare.cwd) in bare.run("trust", "--trials").stdout
    assert bare.json("trust", "--trials", "--list") == {"trusted": [str(bare.cwd)]}
    assert bare.json("trust", "--list") == {"trusted": []}, "checks are another matter"
    assert bare.run("evolve", "--budget", "5").returncode == 0
    assert "is not trusted any more" in bare.run("trust", "--trials", "--revoke").stdout
    assert bare.refuses("evolve", "--budget", "5").startswith("2 ")


def test_trust_in_checks_is_none_in_agents(bare: Shell) -> None:
    bare.run("trust")
    assert bare.refuses("evolve", "--budget", "5").startswith("2 ")


def test_an_agent_that_runs_no_commands_needs_none(bare: Shell) -> None:
    configure(bare, '[agent]\nname = "scripted"\n[trials]\nsandbox = "none"\n')
    assert bare.run("evolve").returncode == 0


@pytest.mark.parametrize(
    ("settings", "state", "words"),
    [
        ('sandbox = "none"', "problem", "an agent could reach all that you can"),
        ('sandbox = "auto"', "ok", "bubblewrap"),
        ('sandbox = "docker"', "problem", "needs `image` in [trials]"),
        ('sandbox = "docker"\nimage = "agents:1"', "problem", "docker "),
    ],
)
def test_doctor_says_what_confines_agents(
    bare: Shell, settings: str, state: str, words: str
) -> None:
    command = f'[agent]\ncommand = "{bare.cwd.parent / "claude"}"\n'
    configure(bare, f"{command}[trials]\n{settings}\n")
    checks = json.loads(bare.run("doctor", "--json").stdout)["checks"]
    (check,) = (check for check in checks if check["name"] == "sandbox of trials")
    assert check["state"] == state
    assert words in check["detail"]
