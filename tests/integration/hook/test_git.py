"""The only module that runs git, in the fixed environment and in the person's."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.integration.hook.conftest import Repository

from cortex.errors import MachineError
from cortex.git import GitError, ask, git, person_ask, person_git

SOURCES = ("cortex", "lsp", "replay", "store", "tui")


def test_no_other_module_starts_git() -> None:
    root = Path(__file__).parents[3]
    sources = [path for folder in SOURCES for path in (root / folder).rglob("*.py")]
    assert len(sources) > 100
    callers = []
    for path in sources:
        text = path.read_text("utf-8")
        if "import subprocess" in text and ('("git"' in text or '["git"' in text):
            callers.append(path.relative_to(root).as_posix())
    assert callers == ["cortex/cortex/git.py"]


def test_it_is_light() -> None:
    code = "import sys, cortex.git; print(*sys.modules)"
    modules = subprocess.check_output([sys.executable, "-c", code], text=True).split()
    assert not {"pydantic", "click", "json", "cortex_replay"} & set(modules)


def test_hooks_and_monitors_of_the_repository_do_not_run(bare: Repository, tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path / 'ran'}\n")
    trap.chmod(0o755)
    hooks = bare.root / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("post-index-change", "pre-commit", "post-commit"):
        (hooks / name).symlink_to(trap)
    for key in ("core.fsmonitor", "core.pager", "gpg.program"):
        bare.git("config", key, str(trap))
    bare.git("config", "log.showSignature", "true")
    (tmp_path / "ran").unlink(missing_ok=True)
    (bare.root / "new.py").write_text("new = 1\n")
    person_git("add", "new.py", cwd=bare.root)
    assert "new.py" in person_git("ls-files", cwd=bare.root)
    git("add", "--all", cwd=bare.root)
    git("log", "-g", cwd=bare.root)
    assert not (tmp_path / "ran").exists()


def test_the_index_of_a_person_is_used(bare: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_INDEX_FILE", str(bare.home / "index"))
    assert person_git("ls-files", cwd=bare.root) == ""
    assert ask("ls-files", cwd=bare.root) != ""


def test_paths_are_literal(bare: Repository) -> None:
    (bare.root / "*.py").write_text("odd = 1\n")
    person_git("add", "--", "*.py", cwd=bare.root)
    assert bare.git("diff", "--cached", "--name-only").strip() == "*.py"


def test_failures_are_one_line(bare: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(GitError) as failure:
        person_git("add", "--", "nowhere", cwd=bare.root)
    assert "\n" not in str(failure.value)
    assert person_ask("add", "--", "nowhere", cwd=bare.root) is None
    with pytest.raises(MachineError, match="no folder"):
        git("status", cwd=bare.root / "nowhere")
    monkeypatch.setenv("PATH", str(bare.home))
    with pytest.raises(MachineError, match="not installed"):
        person_git("status", cwd=bare.root)
