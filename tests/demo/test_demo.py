"""The demo as a stranger sees it: every planted text gets the verdict that it deserves."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.timeout(600)
"""A whole demo takes under a minute of two quiet cores; tests share theirs."""

EXPECTED = {
    "useful": "keep",
    "useless": "bury",
    "harmful": "bury",
    "helpful": "retain",
    "dead-weight": "prune",
    "never-used": "unused",
}


def demo(*arguments: str) -> "subprocess.CompletedProcess[str]":
    argv = [sys.executable, "-m", "cortex.cli.main", "demo", *arguments]
    env = {name: value for name, value in os.environ.items() if name != "CORTEX_HOME"}
    return subprocess.run(argv, capture_output=True, text=True, timeout=250, env=env, check=True)


def verdicts(report: dict[str, Any]) -> dict[str, set[str]]:
    rulings: dict[str, set[str]] = {}
    for row in (*report["candidates"], *report["existing"]):
        rulings.setdefault(row["planted"], set()).add(row["verdict"])
    return rulings


@pytest.mark.slow
def test_the_same_seed_gives_the_same_verdicts_and_the_right_ones() -> None:
    first, second = (json.loads(demo("--seed", "3", "--json").stdout) for _ in range(2))
    assert verdicts(first) == {planted: {verdict} for planted, verdict in EXPECTED.items()}
    for report in (first, second):
        report.pop("seconds")
    assert first == second
    assert first["heldout"]["with"] > first["heldout"]["without"] + 0.3


@pytest.mark.slow
def test_it_leaves_a_folder_that_the_other_commands_know(tmp_path: Path) -> None:
    result = demo("--seed", "3", "--keep", str(tmp_path / "kept"))
    assert "cortex evolve --budget 5" in result.stdout
    env = {**os.environ, "CORTEX_HOME": str(tmp_path / "kept" / "cortex-home")}
    process = subprocess.run(
        [sys.executable, "-m", "cortex.cli.main", "verdicts", "--json"],
        cwd=tmp_path / "kept" / "shop",
        env=env,
        capture_output=True,
        text=True,
        check=True,
    )
    rulings = {row["verdict"]["ruling"] for row in json.loads(process.stdout)["verdicts"]}
    assert {"keep", "bury", "prune", "retain", "unused"} <= rulings
