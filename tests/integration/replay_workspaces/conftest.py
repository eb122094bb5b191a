import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cortex.model.tasks import BaseTree, PatternCheck, Task
from cortex_replay import sandbox
from cortex_replay.objects import ObjectStore
from cortex_replay.workspace import Workspaces

Git = Callable[..., str]
MakeTask = Callable[..., Task]


@pytest.fixture
def git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Git:
    """Run git as a developer with a configuration of their own."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    (home / ".gitconfig").write_text(
        "[user]\nname = Dev\nemail = dev@example.org\n[commit]\ngpgsign = false\n"
        "[init]\ndefaultBranch = trunk\n[core]\nexcludesFile = ~/.ignored\nautocrlf = input\n"
    )
    (home / ".ignored").write_text("*.log\n")

    def run(cwd: Path, *arguments: str, **env: str) -> str:
        full_env = {"HOME": str(home), "PATH": "/usr/local/bin:/usr/bin:/bin", **env}
        process = subprocess.run(
            ("git", *arguments), cwd=cwd, env=full_env, capture_output=True, text=True, check=True
        )
        return process.stdout.strip()

    return run


@pytest.fixture
def repository(tmp_path: Path, git: Git) -> Path:
    """A small repository with every awkward kind of file."""
    path = tmp_path / "dev" / "shop"
    path.mkdir(parents=True)
    git(path, "init", "-q")
    contents = {
        "shop/orders.py": "import time\n\ndef place():\n    return 1\n",
        "shop/ü name.py": "x = 1\n",
        "run.sh": "#!/bin/sh\necho hi\n",
        "kept.log": "tracked although ignored\n",
        ".gitignore": "*.pyc\nbuild/\n",
        "CLAUDE.md": "# Rules\n",
        ".claude/rules/a.md": "Always.\n",
        ".claude/settings.json": "{}\n",
        ".cortex/verdicts.jsonl": "\n",
        "sub/README.md": "read\n",
    }
    for name, text in contents.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_text(text)
    (path / "run.sh").chmod(0o755)
    (path / "link.py").symlink_to("shop/orders.py")
    (path / "data.bin").write_bytes(b"\0\1\2")
    git(path, "add", "-A", "-f")
    git(path, "commit", "-q", "-m", "Secret answer in the subject")
    return path


@pytest.fixture
def objects(tmp_path: Path) -> ObjectStore:
    return ObjectStore(tmp_path / "objects")


@pytest.fixture
def workspaces(
    tmp_path: Path, objects: ObjectStore, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Workspaces]:
    """As on a machine without bubblewrap, for repositories that the person trusts."""
    monkeypatch.setattr(sandbox, "bubblewrap", lambda: None)
    with Workspaces(tmp_path / "trials", objects, trusts=lambda _: True) as workspaces:
        yield workspaces


@pytest.fixture
def make_task(repository: Path, git: Git) -> MakeTask:
    """Return a function that builds a task on the newest commit; `fields` override defaults."""

    def make(overlay: dict[str, str | None] | None = None, **fields: object) -> Task:
        commit = git(repository, "rev-parse", "HEAD")
        defaults: dict[str, object] = {
            "id": "task-1",
            "prompt": "Add it",
            "base": BaseTree(str(repository), commit, None, overlay or {}),
            "checks": (PatternCheck(r"\S", ("**",), present=True),),
            "paths": (),
        }
        return Task(**{**defaults, **fields})  # type: ignore[arg-type]

    return make
