"""The real CLI, a small repository, and a model that a test scripts."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cortex.model.tasks import BaseTree, PatternCheck, Task, TaskStatus
from cortex_replay.agents.claude_code import ClaudeCode
from cortex_replay.canary import TESTED
from cortex_replay.objects import ObjectStore
from cortex_replay.workspace import Workspaces

TOOLS = Path(__file__).parents[2] / ".tools" / "node_modules"
CLAUDE_CODE = sorted(TESTED["claude-code"])
"""The oldest and the newest supported version, each installed as `.ci/package.json` says. Every
test with the CLI runs with each."""
CLIENT = "import requests\n\n\ndef get(url):\n    return requests.get(url)\n"


def git(root: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=Sam", "-c", "user.email=sam@shop.example")
    result = subprocess.run(
        ["git", *identity, *arguments], cwd=root, check=True, capture_output=True, text=True
    )
    return result.stdout.strip()


@pytest.fixture(scope="session", params=CLAUDE_CODE)
def cli(request: pytest.FixtureRequest) -> str:
    program = TOOLS / f"claude-code-{request.param}" / "bin" / "claude.exe"
    assert program.exists(), "run `make e2e`, which installs the CLIs"
    return str(program)


@pytest.fixture
def agent(cli: str) -> ClaudeCode:
    return ClaudeCode(cli)


@pytest.fixture
def on_path(cli: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the CLI and Python on PATH: a sandbox shows a wrapper of the CLI nothing else of it."""
    own = (str(Path(cli).parent), str(Path(sys.executable).parent), os.environ["PATH"])
    monkeypatch.setenv("PATH", os.pathsep.join(own))


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Point the CLI at a scripted model."""

    def use(url: str) -> None:
        for name in list(os.environ):
            if name.startswith(("ANTHROPIC_", "CLAUDE")):
                monkeypatch.delenv(name)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "no-key-at-all")

    return use


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    (root / "src").mkdir(parents=True)
    for name in ("client", "orders", "stock", "users"):
        (root / "src" / f"{name}.py").write_text(CLIENT, "utf-8")
    (root / "README.md").write_text("# Shop\n", "utf-8")
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "Start")
    return root


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder for trials outside of pytest's own, whose parents are clean."""
    folder = (
        Path(os.path.realpath(os.environ.get("TMPDIR", "/tmp"))) / f"cortex-trials-{os.getpid()}"
    )
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def workspaces(tmp_path: Path, place: Path) -> Iterator[Workspaces]:
    with Workspaces(place, ObjectStore(tmp_path / "objects")) as workspaces:
        yield workspaces


@pytest.fixture
def task(repository: Path) -> Task:
    return Task(
        id="task-a",
        prompt="Add a timeout to src/client.py",
        base=BaseTree(str(repository), git(repository, "rev-parse", "HEAD")),
        checks=(PatternCheck(r"timeout=5", ("src/*.py",), present=True),),
        paths=("src/client.py",),
        status=TaskStatus.ADMITTED,
    )
