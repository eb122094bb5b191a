"""The command line as a person calls it, on the world of the demo or on an empty one."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from cortex.demo import playbook, story, world
from cortex.demo.recording import Recorder
from cortex.demo.world import DemoPaths


@dataclass
class Shell:
    """Runs `cortex` in a folder with a home of its own."""

    cwd: Path
    home: Path

    def run(self, *arguments: str, stdin: str | None = None) -> "subprocess.CompletedProcess[str]":
        env = {**os.environ, "CORTEX_HOME": str(self.home)}
        return subprocess.run(
            [sys.executable, "-m", "cortex.cli.main", *arguments],
            cwd=self.cwd,
            env=env,
            input=stdin or "",
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )

    def json(self, *arguments: str) -> Any:
        done = self.run(*arguments, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def refuses(self, *arguments: str) -> str:
        """Return the a line of a refusal, with its exit code in front."""
        done = self.run(*arguments)
        assert done.returncode in (2, 3), (done.returncode, done.stdout, done.stderr)
        assert done.stderr.startswith("cortex: ")
        assert done.stderr.count("\n") == 1, done.stderr
        assert "Traceback" not in done.stderr
        return f"{done.returncode} {done.stderr.strip()}"


def init(folder: Path) -> Path:
    folder.mkdir(parents=True)
    identity = ("-c", "user.name=Sam", "-c", "user.email=sam@shop.example")
    for arguments in (("init", "-q", "-b", "main"), ("commit", "-q", "--allow-empty", "-m", "one")):
        subprocess.run(["git", *identity, *arguments], cwd=folder, check=True)
    return folder


@pytest.fixture
def empty(tmp_path: Path) -> Shell:
    """A repository without anything."""
    return Shell(init(tmp_path / "shop"), tmp_path / "home")


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> DemoPaths:
    """The sessions of the demo, recorded once."""
    made = DemoPaths(tmp_path_factory.mktemp("recorded"))
    recorder = Recorder(made, 5)
    world.build(made, recorder.now())
    made.sessions.mkdir()
    made.playbook.write_text(json.dumps(playbook.playbook()), "utf-8")
    early, late = story.recorded_sessions(5)
    recorder.record(early, lambda: None)
    recorder.write_rule()
    recorder.record(late, lambda: None)
    config = f'[agent]\nname = "scripted"\nplaybook = {json.dumps(str(made.playbook))}\n'
    (made.home / "config.toml").write_text(config, "utf-8")
    return made


class States:
    """States of one world that tests start from: each is made once, then copied back."""

    def __init__(self, world: DemoPaths) -> None:
        self._places = {"home": world.home, "shop": world.repository}
        self._kept = world.folder.with_name(f"{world.folder.name}-states")
        self._made: dict[str, str] = {}

    def reach(self, name: str, make: Callable[[], str]) -> str:
        """Bring the world into a state that `make` makes from the one it is in.

        Returns: what `make` returned, the one time that it was called.
        """
        if name not in self._made:
            self._made[name] = make()
            for part, place in self._places.items():
                _copy_tree(place, self._kept / name / part)
        else:
            for part, place in self._places.items():
                shutil.rmtree(place)
                _copy_tree(self._kept / name / part, place)
        return self._made[name]


@pytest.fixture(scope="session")
def states(recorded: DemoPaths) -> States:
    """What the tests of this session share."""
    return States(recorded)


@pytest.fixture
def shop(recorded: DemoPaths, states: States) -> Shell:
    """Everything that was recorded, read into the store; a test may change all of it."""
    shell = Shell(recorded.repository, recorded.home)

    def ingest() -> str:
        done = shell.json("ingest", str(recorded.sessions))
        assert len(done["corrections"]) >= 12
        return "ingested"

    states.reach("ingested", ingest)
    return shell


@pytest.fixture
def proposed(shop: Shell, states: States) -> str:
    """The proposal for what recurs in `shop`; the identifier of its candidate."""
    return states.reach("proposed", lambda: str(shop.json("propose")["candidate"]["id"]))


@pytest.fixture
def gated(shop: Shell, states: States, proposed: str) -> str:
    """The same after its experiment, which ends with a keep."""

    def gate() -> str:
        assert shop.json("gate", proposed)["verdict"]["ruling"] == "keep"
        return proposed

    return states.reach("gated", gate)


def _copy_tree(source: Path, target: Path) -> None:
    shutil.copytree(source, target, symlinks=True, copy_function=_copy)


def _copy(source: str, target: str) -> None:
    """Copy a file; git's objects never change, so another name for them is enough."""
    if "/objects/" in source:
        os.link(source, target)
    else:
        shutil.copy2(source, target)
