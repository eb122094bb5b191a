"""A program looks everywhere it can for what would tell it the answer of its task."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from cortex.model.tasks import BaseTree, PatternCheck, Task
from cortex_replay.agents.base import AgentJob
from cortex_replay.agents.inherited import inherited
from cortex_replay.agents.running import run_agent
from cortex_replay.confinement import Confinement
from cortex_replay.objects import ObjectStore
from cortex_replay.workspace import Workspace, Workspaces

SEARCH = """
here=$PWD
for way in / /tmp /var/tmp /dev/shm /run /home /root "$HOME" "$STATE" .. ../.. ../../..; do
  find "$way" -xdev -name '*PLANTED*' 2>/dev/null
done
grep -rsa PLANTED / --exclude-dir={proc,usr,lib,lib32,lib64,libx32,bin,sbin,opt,nix}
grep -rsa PLANTED "$here" "$HOME" "$STATE" "$PERSON" "$OUTSIDE"
for p in /proc/[0-9]*; do
  tr '\\0' '\\n' < $p/environ; tr '\\0' ' ' < $p/cmdline; cat $p/mountinfo
  ls -l $p/fd $p/cwd $p/root; cat $p/root$OUTSIDE/store/cortex.db
done 2>/dev/null
env
cd "$here"
git log --all --format='%H %an %s %b %D' -p; git reflog --all; git for-each-ref; git stash list
git fsck --unreachable --no-reflogs; git config --list --show-origin; git worktree list
git cat-file --batch-all-objects --batch; cat .git/packed-refs .git/objects/info/alternates
for o in $(git rev-list --all); do git cat-file -p $o; done
python3 -c "import sys; print(sys.path)"
true
"""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository whose history goes on after the base of the task, with the answer."""
    root = tmp_path / "dev" / "shop"
    root.mkdir(parents=True)
    (root / "orders.py").write_text("BASE_TEXT = 1\n")
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "PLANTED subject of the base")
    git(root, "tag", "base")
    (root / "orders.py").write_text("PLANTED_LATER = 2\n")
    (root / "PLANTED_name.py").write_text("x\n")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "PLANTED later commit")
    git(root, "branch", "PLANTED_branch")
    git(root, "tag", "-a", "-m", "PLANTED tag", "PLANTED_tag")
    (root / "orders.py").write_text("PLANTED_STASH = 3\n")
    git(root, "stash", "-q")
    (root / "untracked.py").write_text("PLANTED untracked\n")
    return root


@pytest.fixture
def workspaces(tmp_path: Path, home: Path, repository: Path) -> Iterator[Workspaces]:
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "cortex.db").write_text("PLANTED store: the fix, the checks, the text")
    objects = ObjectStore(tmp_path / "store" / "objects")
    confinement = Confinement(hidden=(str(tmp_path / "store"),))
    with Workspaces(tmp_path / "trials", objects, confinement=confinement) as workspaces:
        yield workspaces


@pytest.fixture
def task(repository: Path) -> Task:
    return Task(
        id="task-1",
        prompt="Change the orders",
        base=BaseTree(str(repository), git(repository, "rev-parse", "base")),
        checks=(PatternCheck("PLANTED_CHECK", ("**",), present=True),),
        paths=(),
        attempt={"orders.py": "PLANTED_ATTEMPT\n"},
        corrected={"orders.py": "PLANTED_FIX\n"},
    )


@pytest.mark.slow
def test_nothing_planted_is_found(
    workspaces: Workspaces,
    task: Task,
    tmp_path: Path,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PLANTED_TOKEN", "PLANTED")
    mine = workspaces.prepare(task, {}, 0)
    other = workspaces.prepare(task, {".claude/rules/PLANTED.md": "PLANTED text of the arm\n"}, 1)
    (workspaces.state_folder(1) / "PLANTED").write_text("PLANTED state of the other arm")
    told = search(workspaces, task, mine, tmp_path, home)
    assert [line for line in told.splitlines() if "PLANTED" in line] == []
    assert "BASE_TEXT = 1" in told, "the search sees its own workspace"
    assert "Initial commit" in told
    assert str(other.path) not in told


@pytest.mark.slow
def test_the_search_finds_its_own_text(
    workspaces: Workspaces, task: Task, tmp_path: Path, home: Path
) -> None:
    """So that finding nothing says something."""
    mine = workspaces.prepare(task, {".claude/rules/a.md": "PLANTED text under test\n"}, 0)
    assert "PLANTED text under test" in search(workspaces, task, mine, tmp_path, home)


def search(
    workspaces: Workspaces, task: Task, workspace: Workspace, outside: Path, person: Path
) -> str:
    state = workspaces.state_folder(0)
    job = AgentJob(
        workspace=workspace.path,
        state=state,
        home=workspace.home,
        prompt="",
        session_id="s",
        model=None,
        timeout_s=60.0,
        budget_usd=None,
        seed=0,
        confinement=workspaces.confinement_of(task),
    )
    places = {"HOME": str(job.home), "STATE": str(state), "PERSON": str(person)}
    env = inherited(os.environ) | places | {"OUTSIDE": str(outside)}
    result = run_agent(("bash", "-c", SEARCH.replace("PLANTED", "PLANTE[D]")), job, env)
    assert result.returncode == 0, result.stderr
    return result.stdout


def git(root: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=Sam", "-c", "user.email=sam@shop.example")
    return subprocess.run(
        ["git", *identity, *arguments], cwd=root, check=True, capture_output=True, text=True
    ).stdout.strip()
