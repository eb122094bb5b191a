"""What `cortex doctor` says about a machine, and about a machine that lacks something."""

from typing import Any

import pytest
from tests.integration.commands.conftest import Shell


def checks(shell: Shell) -> dict[str, dict[str, Any]]:
    return {check["name"]: check for check in shell.json("doctor")["checks"]}


def test_all_is_well(shop: Shell) -> None:
    done = shop.run("doctor")
    assert done.returncode == 0, done.stdout
    states = {name: check["state"] for name, check in checks(shop).items()}
    assert states["git"] == states["store"] == states["agent"] == states["canary"] == "ok"
    assert "scripted costs nothing" in done.stdout


def test_a_missing_agent_is_a_problem_and_the_rest_is_shown(shop: Shell) -> None:
    (shop.home / "config.toml").write_text('[agent]\ncommand = "/nowhere/claude"\n')
    done = shop.run("doctor")
    assert done.returncode == 1
    assert "problem  agent" in done.stdout
    assert "npm install -g" in done.stdout
    assert "ok       git" in done.stdout
    assert "nothing is spent without --budget" in done.stdout


def test_a_variable_that_stops_transcripts_is_named(
    shop: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CODE_CHILD_SESSION", "1")
    done = shop.run("doctor")
    assert "CLAUDE_CODE_CHILD_SESSION is set" in done.stdout
    assert done.returncode == 0
