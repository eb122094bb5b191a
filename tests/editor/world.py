"""A repository in which every part of the editor has something to show.

It is the demo's, after its verdicts were carried out, with a proposal measured but not accepted,
another not measured, a verdict to prune not carried out, and instructions not measured.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from cortex.commands.context import Context, open_context
from cortex.commands.proposals import removal

WAITING = ".claude/rules/use-clock-now.md"
"""Measured as keep and waiting."""
TRAPPED = "trapped"
"""File beside the repository that a program of the repository makes when it runs."""
PRUNABLE = ".claude/rules/naming.md"
INSTRUCTIONS = """# Shop

## Commands

Run `python -m pytest -q` before every commit, and only the tests of the package you changed.

## Layout

`shop/` keeps records, `billing/` keeps money, `api/` answers requests. Nothing imports upwards.
"""
UNMEASURED = """---
paths: ["api/**/*.py"]
---
A route checks its limits with `check_limit` before it reads anything.
"""


@dataclass(frozen=True)
class World:
    """The repository and the folder of Cortex that belongs to it."""

    shop: Path
    home: Path

    @property
    def env(self) -> dict[str, str]:
        """Of a process that works in it."""
        kept = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}
        return {**kept, "CORTEX_HOME": str(self.home)}

    def json(self, *arguments: str) -> Any:
        """Run `cortex` and return what it prints."""
        command = [sys.executable, "-m", "cortex.cli.main", *arguments, "--json"]
        result = subprocess.run(
            command, cwd=self.shop, env=self.env, capture_output=True, text=True, check=False
        )
        assert result.returncode == 0, result.stderr
        return json.loads(result.stdout)

    @contextmanager
    def context(self) -> Iterator[Context]:
        """Open the context of the repository."""
        with pytest.MonkeyPatch.context() as patched:
            patched.setenv("CORTEX_HOME", str(self.home))
            with open_context(self.shop) as context:
                yield context

    def committed(self, path: str) -> str:
        """Return a file as it was before the editor opened."""
        command = ["git", "show", f"HEAD:{path}"]
        return subprocess.run(
            command, cwd=self.shop, check=True, capture_output=True, text=True
        ).stdout


def build(folder: Path) -> World:
    """Make the world in a new folder; about a minute."""
    env = {**os.environ, "CORTEX_HOME": str(folder / "nothing")}
    demo = [sys.executable, "-m", "cortex.cli.main", "demo", "--seed", "3", "--keep", str(folder)]
    subprocess.run(demo, env=env, check=True, capture_output=True)
    world = World(folder / "shop", folder / "cortex-home")
    _waiting_prune(world)
    _waiting_proposal(world)
    _unmeasured_proposal(world)
    (world.shop / "CLAUDE.md").write_text(INSTRUCTIONS, "utf-8")
    (world.shop / ".gitignore").write_text(".venv/\n", "utf-8")
    _commit(world.shop)
    _trap(world.shop)
    return world


def _trap(shop: Path) -> None:
    """Put programs into the repository that nobody may start."""
    programs = shop / ".venv" / "bin"
    programs.mkdir(parents=True)
    for name in ("cortex", "cortex-lsp"):
        (programs / name).write_text(f"#!/bin/sh\ntouch '{shop.parent / TRAPPED}'\n", "utf-8")
        (programs / name).chmod(0o755)


def _commit(shop: Path) -> None:
    identity = ("-c", "user.name=Sam", "-c", "user.email=sam@shop.example")
    for arguments in (("add", "-A"), ("commit", "-q", "-m", "Keep what Cortex found")):
        subprocess.run(["git", *identity, *arguments], cwd=shop, check=True)


def _waiting_proposal(world: World) -> None:
    rule, suggestion = world.shop / WAITING, world.shop.parent / "suggestions" / "use-clock-now.md"
    suggestion.write_text(rule.read_text("utf-8"), "utf-8")
    rule.unlink()
    _measure(world, _proposed(world, suggestion), "keep")


def _unmeasured_proposal(world: World) -> None:
    suggestion = world.shop.parent / "suggestions" / "check-limits.md"
    suggestion.write_text(UNMEASURED, "utf-8")
    _proposed(world, suggestion)


def _proposed(world: World, suggestion: Path) -> str:
    return str(world.json("propose", "--from", str(suggestion))["candidate"]["id"])


def _waiting_prune(world: World) -> None:
    """Restore the pruned rule with other words, and measure it without carrying the verdict out."""
    entries = world.json("restore")["graveyard"]
    world.json("restore", next(entry["id"] for entry in entries if entry["path"] == PRUNABLE))
    rule = world.shop / PRUNABLE
    rule.write_text(rule.read_text("utf-8").replace("of one line", "of a single line"), "utf-8")
    with world.context() as context:
        candidate = removal(context, "naming").id
    _measure(world, candidate, "prune")


def _measure(world: World, candidate: str, ruling: str) -> None:
    verdict = world.json("gate", candidate)["verdict"]
    assert verdict["ruling"] == ruling, verdict["reason"]
