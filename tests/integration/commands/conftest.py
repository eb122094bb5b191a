"""The command line as a person calls it, on the world of the demo or on an empty one."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from cortex.demo import playbook, story, world
from cortex.demo.recording import Recorder
from cortex.demo.world import World


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
        """Return the one line of a refusal, with its exit code in front."""
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
def recorded(tmp_path_factory: pytest.TempPathFactory) -> World:
    """The sessions of the demo, recorded once."""
    made = World(tmp_path_factory.mktemp("recorded"))
    recorder = Recorder(made, 5)
    world.build(made, recorder.now())
    made.sessions.mkdir()
    made.playbook.write_text(json.dumps(playbook.playbook()), "utf-8")
    early, late = story.scenes(5)
    recorder.record(early, lambda: None)
    recorder.write_rule()
    recorder.record(late, lambda: None)
    config = f'[agent]\nname = "scripted"\nplaybook = {json.dumps(str(made.playbook))}\n'
    (made.home / "config.toml").write_text(config, "utf-8")
    return made


@pytest.fixture(scope="session")
def ingested(recorded: World) -> World:
    """The same, with everything read into the store once."""
    shell = Shell(recorded.repository, recorded.home)
    done = shell.json("ingest", str(recorded.sessions))
    assert len(done["corrections"]) >= 12
    return recorded


@pytest.fixture
def shop(ingested: World) -> Iterator[Shell]:
    """A store and a harness that a test may change; put back afterwards."""
    kept = ingested.folder.with_name("kept")
    shutil.copytree(ingested.home, kept / "home", symlinks=True, copy_function=_copy)
    shutil.copytree(ingested.repository, kept / "shop", symlinks=True, copy_function=_copy)
    yield Shell(ingested.repository, ingested.home)
    for name, place in (("home", ingested.home), ("shop", ingested.repository)):
        shutil.rmtree(place)
        shutil.move(kept / name, place)
    shutil.rmtree(kept)


def _copy(source: str, target: str) -> None:
    """Copy a file; git's objects never change, so another name for them is enough."""
    if "/objects/" in source:
        os.link(source, target)
    else:
        shutil.copy2(source, target)
