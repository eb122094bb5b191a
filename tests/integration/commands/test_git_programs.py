"""No program that a repository names runs from any call of git, in any use case."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.integration.commands.conftest import Shell
from tests.planted import (
    ENVIRONMENT,
    PLANTS,
    Traps,
    config,
    plant_aliases,
    plant_attributes,
    plant_hooks,
    plant_include,
    plant_settings,
    plant_submodule,
)

from cortex.demo.world import DemoPaths
from cortex.errors import MachineError
from cortex_replay.objects import ObjectStore, commit_at


@pytest.fixture
def traps(tmp_path: Path) -> Traps:
    return Traps(tmp_path / "planted")


@pytest.mark.parametrize("plant", PLANTS)
def test_quick_commands_run_nothing(
    shop: Shell, traps: Traps, plant: Callable[[Path, Traps], None]
) -> None:
    task = shop.json("tasks")["tasks"][0]["id"]
    plant(shop.cwd, traps)
    for arguments in (
        ("status",), ("tasks", "check", task), ("propose",), ("inbox",), ("hook", "run"),
        ("hook", "uninstall"),
    ):  # fmt: skip
        ended = shop.run(*arguments)
        assert ended.returncode in (0, 1, 2), (arguments, ended.stderr)
        assert "Traceback" not in ended.stderr
    assert traps.ran() == []


def test_the_whole_loop_runs_nothing(
    shop: Shell, traps: Traps, proposed: str, recorded: DemoPaths, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    for name in ENVIRONMENT:
        monkeypatch.setenv(name, traps.program(name))
    for plant in (plant_settings, plant_attributes, plant_include, plant_aliases, plant_submodule):
        plant(shop.cwd, traps)
    again = Shell(shop.cwd, tmp_path / "second")
    again.home.mkdir()
    (again.home / "config.toml").write_bytes((shop.home / "config.toml").read_bytes())
    assert again.json("ingest", str(recorded.sessions))["tasks"]
    assert shop.run("gate", proposed, "--apply").returncode == 0
    assert shop.run("hook", "install").returncode == 0
    assert shop.run("hook", "run").returncode == 0
    assert traps.ran() == []


def test_a_folder_that_looks_like_a_repository_is_none(shop: Shell, traps: Traps) -> None:
    inner = shop.cwd / "vendor"
    for name in ("objects", "refs"):
        (inner / name).mkdir(parents=True)
    (inner / "HEAD").write_text("ref: refs/heads/main\n")
    (inner / "config").write_text(
        f'[core]\nbare = false\nworktree = {inner}\nfsmonitor = "{traps.program("embedded")}"\n'
    )
    for arguments in (("status",), ("tasks",), ("hook", "run"), ("hook", "install")):
        ended = Shell(inner, shop.home).run(*arguments)
        assert "Traceback" not in ended.stderr
    assert traps.ran() == []
    assert commit_at(inner, None, "2030-01-01T00:00:00Z") is None


def test_a_missing_object_is_not_fetched(tmp_path: Path, traps: Traps) -> None:
    root = tmp_path / "partial"
    root.mkdir()

    def git(*arguments: str) -> str:
        identity = ("-c", "user.name=A", "-c", "user.email=a@b.example")
        return subprocess.check_output(("git", *identity, *arguments), cwd=root, text=True).strip()

    git("init", "-q")
    (root / "a.txt").write_text("content\n")
    git("add", "a.txt")
    git("commit", "-q", "-m", "one")
    commit, blob = git("rev-parse", "HEAD"), git("rev-parse", "HEAD:a.txt")
    (root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    plant_settings(root, traps)
    plant_hooks(root, traps)
    for url in (f"ext::{traps.program('ext')} x", f"ssh://{traps.folder}/x", str(root), "x::y"):
        config(root, "remote.origin.url", url)
        with pytest.raises(MachineError, match="git fetch --refetch"):
            ObjectStore(tmp_path / "objects").keep(root, commit)
    assert traps.ran() == []


@pytest.mark.parametrize("arguments", [("status",), ("hook", "run")])
def test_a_hanging_configuration_is_a_line(empty: Shell, arguments: tuple[str, ...]) -> None:
    """A FIFO in the place of the configuration: git waits for a writer."""
    (empty.cwd / ".git" / "config").unlink()
    os.mkfifo(empty.cwd / ".git" / "config")
    code = (
        "import cortex.git as g; g._ASK_TIMEOUT_S = g._PERSON_TIMEOUT_S = g._TIMEOUT_S = 1.0\n"
        "import sys; from cortex.cli.main import main; sys.exit(main(sys.argv[1:]))"
    )
    if arguments == ("hook", "run"):
        code = code.replace("cortex.cli.main import main", "cortex.hook.__main__ import fail_open")
        code = code.replace("sys.exit(main(sys.argv[1:]))", "sys.excepthook = fail_open\n"
                            "from cortex.hook.running import main; main([])")  # fmt: skip
    ended = subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=empty.cwd, capture_output=True, text=True,
        env={**os.environ, "CORTEX_HOME": str(empty.home)}, timeout=60, check=False,
    )  # fmt: skip
    assert "timed out after 1 seconds" in ended.stderr
    assert ended.stderr.count("\n") == 1, ended.stderr
    assert "Traceback" not in ended.stderr


def test_what_git_started_ends_with_it(empty: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that git runs in spite of everything does not outlive the time limit."""
    import cortex.git as wrapper

    pid = empty.cwd / "pid"
    config(empty.cwd, "alias.hang", f"!echo $$ > {pid}; sleep 60")
    monkeypatch.setattr(wrapper, "_ASK_TIMEOUT_S", 1.0)
    start = time.monotonic()
    with pytest.raises(MachineError, match="git hang timed out after 1 seconds"):
        wrapper.ask("hang", cwd=empty.cwd)
    assert time.monotonic() - start < 10
    child = int(pid.read_text())
    for _ in range(100):
        try:
            os.kill(child, 0)
        except ProcessLookupError:
            return
        if Path(f"/proc/{child}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z":
            return
        time.sleep(0.05)
    raise AssertionError("the program of the alias still runs")
