"""Odd homes, encodings, links and headings: what other people's machines bring along."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cortex.config import home
from cortex.errors import UsageError
from cortex.transcripts import locate


def cortex(
    folder: Path, *arguments: str, **environment: str
) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        [sys.executable, "-m", "cortex.cli.main", *arguments],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        check=False,
    )


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "shöp → ☃"
    folder.mkdir()
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    return folder


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONIOENCODING": "ascii:strict"},
        {"PYTHONIOENCODING": "cp1252"},
        {"LC_ALL": "POSIX", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
    ],
)
@pytest.mark.parametrize("command", ["status", "inbox", "corrections"])
def test_any_output_encoding(
    repository: Path, tmp_path: Path, command: str, environment: dict[str, str]
) -> None:
    process = cortex(repository, command, CORTEX_HOME=str(tmp_path / "home"), **environment)
    assert process.returncode == 0, process.stderr
    assert b"Traceback" not in process.stderr
    if command == "status":
        assert b"sh" in process.stdout


@pytest.mark.parametrize(
    ("value", "expected"),
    [("~/store", "user/store"), ("here", "here"), ("./a/../b", "b")],
)
def test_home_is_absolute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str, expected: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    monkeypatch.setenv("CORTEX_HOME", value)
    assert home() == tmp_path / expected


def test_home_of_an_unknown_user_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORTEX_HOME", "~nobody-of-this-name/store")
    with pytest.raises(UsageError, match="no such user"):
        home()


def test_an_empty_home_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CORTEX_HOME", raising=False)
    default = home()
    monkeypatch.setenv("CORTEX_HOME", " ")
    assert home() == default


def test_a_daemon_with_a_relative_home_can_be_stopped(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    started = cortex(repository, "daemon", "start", CORTEX_HOME="relative")
    try:
        assert started.returncode == 0, started.stderr
        state = json.loads((repository / "relative" / "daemon.json").read_text("utf-8"))
        assert state["ready"] is True
    finally:
        stopped = cortex(repository, "daemon", "stop", CORTEX_HOME="relative")
    assert stopped.returncode == 0, stopped.stderr


def test_linked_folders_of_transcripts_are_read_once(tmp_path: Path) -> None:
    projects, shared = tmp_path / "projects", tmp_path / "shared"
    (projects / "-a").mkdir(parents=True)
    (shared / "-x" / "deep").mkdir(parents=True)
    (projects / "-a" / "one.jsonl").write_text("{}\n")
    (shared / "-x" / "deep" / "two.jsonl").write_text("{}\n")
    (projects / "-x").symlink_to(shared / "-x")
    (projects / "-again").symlink_to(shared / "-x")
    (projects / "-circle").symlink_to(projects)
    (projects / "-dangling").symlink_to(tmp_path / "nowhere")
    assert locate.find([projects]) == (
        projects / "-a" / "one.jsonl",
        shared / "-x" / "deep" / "two.jsonl",
    )
    assert locate.linked_folders(projects) == (shared / "-x",)
