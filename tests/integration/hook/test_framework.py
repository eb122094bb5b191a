"""Under the pre-commit framework: the disk is changed, the commit fails once, nothing is lost."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.integration.hook.conftest import RULES, Repository

CHECKOUT = Path(__file__).parents[3]
CONFIG = """repos:
- repo: local
  hooks:
  - id: cortex-prune
    name: cortex
    entry: {python} -m cortex.cli.main hook run --changes-fail
    language: system
    pass_filenames: false
    always_run: true
"""


@pytest.fixture
def framed(bare: Repository) -> Repository:
    config = CONFIG.format(python=json.dumps(sys.executable)[1:-1])
    (bare.root / ".pre-commit-config.yaml").write_text(config)
    bare.git("add", "-A")
    bare.commit()
    subprocess.run(
        [sys.executable, "-m", "pre_commit", "install"],
        cwd=bare.root, env=bare.env(), check=True, capture_output=True,
    )  # fmt: skip
    return bare


def test_the_second_commit_goes_through(framed: Repository) -> None:
    (framed.root / "app.py").write_text("one = 3\n")
    framed.git("add", "-A")
    first = framed.run("commit", "-m", "work")
    assert first.returncode == 1
    assert "removed dead (prune)" in first.stdout + first.stderr
    framed.git("add", "-A")
    framed.commit()
    assert ".claude/rules/dead.md" not in framed.committed()
    assert len(framed.graves()) == 1
    assert framed.git("status", "--porcelain") == ""


def test_it_can_be_skipped(framed: Repository) -> None:
    (framed.root / "app.py").write_text("one = 3\n")
    framed.git("add", "-A")
    framed.commit(SKIP="cortex-prune")
    assert framed.rule("dead").exists()


def test_unstaged_words_survive(framed: Repository) -> None:
    framed.rule("dead").write_text(RULES["dead"] + "My new words.\n")
    (framed.root / "app.py").write_text("one = 3\n")
    framed.git("add", "app.py")
    framed.run("commit", "-m", "work")
    assert framed.rule("dead").read_text() == RULES["dead"] + "My new words.\n"


def published(folder: Path) -> str:
    """Make a repository of what this checkout would publish; return its commit."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.check_output(listed, cwd=CHECKOUT, text=True).split("\0")
    for name in filter(None, names):
        if (CHECKOUT / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(CHECKOUT / name, folder / name)
    identity = ("-c", "user.name=Sam", "-c", "user.email=sam@shop.example")
    for arguments in (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "one")):
        subprocess.run(["git", *identity, *arguments], cwd=folder, check=True)
    return subprocess.check_output(["git", "rev-parse", "HEAD"], cwd=folder, text=True).strip()


@pytest.mark.slow
@pytest.mark.timeout(500)
def test_the_framework_installs_it_from_the_repository(bare: Repository, tmp_path: Path) -> None:
    """As people do who have no Cortex of their own: an environment is made from the hook's file."""
    commit = published(tmp_path / "cortex")
    (bare.root / ".pre-commit-config.yaml").write_text(
        f"repos:\n- repo: {(tmp_path / 'cortex').as_uri()}\n  rev: {commit}\n"
        "  hooks:\n  - id: cortex-prune\n"
    )
    bare.git("add", "-A")
    bare.commit()
    (bare.root / "app.py").write_text("one = 3\n")
    bare.git("add", "-A")
    done = subprocess.run(
        [sys.executable, "-m", "pre_commit", "run"], capture_output=True, text=True, check=False,
        cwd=bare.root, env=bare.env({"PRE_COMMIT_HOME": str(tmp_path / "environments")}),
    )  # fmt: skip
    assert "removed dead (prune)" in done.stdout, done.stdout + done.stderr
    assert done.returncode == 1
    assert not bare.rule("dead").exists()
    assert bare.rule("good").exists()
