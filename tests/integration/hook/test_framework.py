"""Under the pre-commit framework: the disk is changed, the commit fails once, nothing is lost."""

import json
import sys

import pytest
from tests.integration.hook.conftest import RULES, Repository

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
    import subprocess

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
    assert "took out dead (prune)" in first.stdout + first.stderr
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
