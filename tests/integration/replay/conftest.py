"""A small real repository, a playbook, and workspaces below a clean parent."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from cortex.artifacts import harness
from cortex.model.artifacts import Artifact
from cortex.model.tasks import BaseTree, PatternCheck, Task, TaskStatus
from cortex_replay.objects import ObjectStore
from cortex_replay.workspace import Workspaces

REPLACE = 'rm -rf "$PWD" && touch "$PWD"'

PLAYBOOK = {
    "habits": [{"id": "clock", "heeds": ["clock\\.now"], "rate": 0.0, "heeded": 1.0}],
    "opens": 1.0,
    "slip": 0.0,
    "jobs": [
        {
            "match": "^Stamp (?P<file>\\S+)",
            "slots": {"t": {"habit": "clock", "good": "clock.now()", "bad": "datetime.now()"}},
            "steps": [{"read": "<<file>>"}, {"append": "<<file>>", "text": "stamp = <<t>>\n"}],
        },
        {
            "match": "^Create (?P<file>\\S+)",
            "slots": {"t": {"habit": "clock", "good": "clock.now()", "bad": "datetime.now()"}},
            "steps": [{"write": "<<file>>", "text": "stamp = <<t>>\n"}],
        },
        {"match": "^Sleep", "steps": [{"run": ["sleep", "60"]}]},
        {"match": "^Replace", "steps": [{"run": ["sh", "-c", REPLACE]}]},
        {"match": "^Wreck", "steps": [{"run": ["rm", "-rf", "../../templates"]}]},
        {"match": "^Report", "steps": [{"run": ["git", "status", "--short"]}, {"say": "ok"}]},
    ],
}


@pytest.fixture
def playbook(tmp_path: Path) -> Path:
    path = tmp_path / "playbook.json"
    path.write_text(json.dumps(PLAYBOOK), "utf-8")
    return path


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    (root / "src").mkdir(parents=True)
    (root / "src" / "a.py").write_text("x = 1\n", "utf-8")
    (root / "src" / "b.py").write_text("y = 1\n", "utf-8")
    identity = ("-c", "user.name=Sam", "-c", "user.email=sam@shop.example")
    for arguments in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-qm", "Start")):
        subprocess.run(["git", *identity, *arguments], cwd=root, check=True)
    return root


@pytest.fixture
def workspaces(tmp_path: Path) -> Iterator[Workspaces]:
    with Workspaces(tmp_path / "cortex-trials", ObjectStore(tmp_path / "objects")) as workspaces:
        yield workspaces


@pytest.fixture
def rule() -> Artifact:
    text = '---\npaths: ["src/**/*.py"]\n---\nWrite clock.now().\n'
    return harness.from_text(".claude/rules/clock.md", text)


@pytest.fixture
def task(repository: Path) -> Task:
    head = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=repository, check=True, capture_output=True, text=True
    )
    return Task(
        id="task-a",
        prompt="Stamp src/a.py please",
        base=BaseTree(str(repository), head.stdout.strip()),
        checks=(PatternCheck("clock\\.now", ("src/*.py",), present=True),),
        paths=("src/a.py",),
        status=TaskStatus.ADMITTED,
    )
