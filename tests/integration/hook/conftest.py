"""A repository with rules, a ledger about them, and the hook in it."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from cortex.artifacts import decisions, harness, ledger
from cortex.git import common_folder
from cortex.hook.installing import install

RULES = {
    "dead": "Name variables well.\n",
    "good": "Raise ShopError.\n",
    "idle": "Never matters.\n",
    "free": "Nobody measured this.\n",
}
VERDICTS = {"dead": "prune", "good": "retain", "idle": "unused"}


@dataclass
class Repository:
    """One work tree and how a person uses it."""

    root: Path
    home: Path

    def git(self, *arguments: str, check: bool = True, **more: str) -> str:
        finished = self.run(*arguments, **more)
        assert not check or finished.returncode == 0, finished.stderr
        return finished.stdout

    def run(self, *arguments: str, **more: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            ["git", *arguments],
            cwd=self.root,
            env=self.env(more),
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

    def env(self, more: Mapping[str, str] = {}) -> dict[str, str]:
        names = {f"GIT_{who}_{what}": "sam@shop.example" for who in ("AUTHOR", "COMMITTER")
                 for what in ("NAME", "EMAIL")}  # fmt: skip
        own = {"HOME": str(self.home), "CORTEX_HOME": str(self.home / "cortex")}
        return {**os.environ, **own, **names, **more}

    def commit(self, *arguments: str, **more: str) -> str:
        """Return the standard error of the commit."""
        finished = self.run("commit", "-q", "-m", "work", *arguments, **more)
        assert finished.returncode == 0, finished.stderr
        return finished.stderr

    def rule(self, name: str) -> Path:
        return self.root / ".claude" / "rules" / f"{name}.md"

    def committed(self) -> set[str]:
        return set(self.git("ls-tree", "-r", "--name-only", "HEAD").split())

    def graves(self) -> list[Path]:
        return sorted((self.root / ".cortex" / "graveyard").glob("*/text.md"))

    def judge(self, verdicts: Mapping[str, str]) -> None:
        """Write the ledger about the rules as they are."""
        for name, verdict in verdicts.items():
            path = self.rule(name).relative_to(self.root).as_posix()
            artifact = harness.from_text(path, self.rule(name).read_text())
            self.record(ledger.LedgerEntry(path, artifact.digest, verdict, reason="measured"))

    def record(self, entry: ledger.LedgerEntry, *, accepted: bool = True) -> None:
        """Write a line of the ledger; not `accepted` as a colleague does it."""
        ledger.record(self.root, entry)
        if accepted:
            decisions.record(self.decisions(), [decisions.about(entry, accepted=True)])

    def decisions(self) -> Path:
        return decisions.file_for(self.home / "cortex", common_folder(self.root))


def make(folder: Path, home: Path) -> Repository:
    folder.mkdir(parents=True)
    home.mkdir(exist_ok=True)
    repository = Repository(folder, home)
    repository.git("init", "-q", "-b", "main")
    repository.rule("x").parent.mkdir(parents=True)
    for name, text in RULES.items():
        repository.rule(name).write_text(text)
    (folder / "app.py").write_text("one = 1\ntwo = 2\nthree = 3\n")
    repository.git("add", "-A")
    repository.commit()
    repository.judge(VERDICTS)
    repository.git("add", "-A")
    repository.commit()
    return repository


@pytest.fixture
def bare(tmp_path: Path) -> Repository:
    """Without the hook."""
    return make(tmp_path / "shop", tmp_path / "home")


@pytest.fixture
def shop(bare: Repository) -> Repository:
    """With it."""
    install(bare.root)
    return bare


def cortex(repository: Repository, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "cortex.cli.main", *arguments],
        cwd=repository.root,
        env=repository.env(),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


__all__ = ["RULES", "VERDICTS", "Repository", "cortex", "json", "make"]
