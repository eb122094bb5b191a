"""`-C` as in git, counts of this repository, and lists that say where their rows are."""

import subprocess
from pathlib import Path

import pytest
from tests.integration.commands.conftest import Shell

from cortex.commands.context import find_repository
from cortex.model.corrections import Correction, Signal
from cortex.model.sessions import Session
from cortex.model.tasks import BaseTree, CommandCheck, Task, TaskStatus
from cortex_store import Store


@pytest.fixture
def two(tmp_path: Path) -> Shell:
    """A folder with the repositories `empty` and `shop`; only `shop` has rows."""
    for name in ("empty", "shop"):
        subprocess.run(["git", "init", "-q", str(tmp_path / name)], check=True)
    shop, home = str(tmp_path / "shop"), tmp_path / "home"
    base = BaseTree(shop, None)
    with Store.open(home / "cortex.db") as store:
        store.sessions.add(Session("s1", "claude-code", "p", shop))
        correction = Correction(
            "c1", "s1", Signal.FOLLOW_UP, "use \x1b[31mMoney", "p", "u", "2026", shop
        )
        store.corrections.put(correction)
        task = Task(
            "t1", "Add the fee", base, (CommandCheck(("true",)),), (), correction_ids=("c1",)
        )
        store.tasks.put(task)
        store.tasks.set_status("t1", TaskStatus.ADMITTED, "")
    return Shell(tmp_path, home)


def output_of(shell: Shell, *arguments: str) -> str:
    finished = shell.run(*arguments)
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


def test_a_folder_before_the_command(two: Shell) -> None:
    for arguments in (
        ("-C", "shop", "status"),
        ("-C", "empty", "-C", "../shop", "status"),
        ("-C", "empty", "status", "-C", "../shop"),
        ("status", "-C", "shop"),
    ):
        assert f"repository   {two.cwd / 'shop'}\n" in output_of(two, *arguments)
    assert two.refuses("-C", "none", "status") == (
        "2 cortex: cannot change to none: No such file or directory"
    )


def test_relative_homes_stay_where_they_were(two: Shell) -> None:
    relative = Shell(two.cwd, Path("home"))
    assert "sessions     1\n" in output_of(relative, "-C", "shop", "status")


def test_counts_are_of_this_repository(two: Shell) -> None:
    assert "sessions     0\n" in output_of(two, "-C", "empty", "status")
    assert "sessions     1\n" in output_of(two, "-C", "shop", "status")
    assert two.json("-C", "empty", "status")["sessions"] == 0


@pytest.mark.parametrize("command", ["corrections", "tasks"])
def test_an_empty_list_says_where_there_are_rows(two: Shell, command: str) -> None:
    shop = two.cwd / "shop"
    assert output_of(two, "-C", "empty", command) == (
        f"No {command} in this repository; 1 in {shop} (`cortex -C {shop} {command}`). "
        f"`cortex {command} --all` lists them.\n"
    )


def test_themes_name_corrections_elsewhere(two: Shell) -> None:
    assert f"No themes in this repository; 1 corrections in {two.cwd / 'shop'}" in output_of(
        two, "-C", "empty", "themes"
    )


def test_tasks_show_prompt_and_correction_without_control_characters(two: Shell) -> None:
    text = output_of(two, "-C", "shop", "tasks")
    assert "Add the fee" in text
    assert "use [31mMoney" in text
    assert "\x1b" not in text


def test_the_repository_is_the_one_that_git_names(tmp_path: Path) -> None:
    top = tmp_path / "top"
    git = ("git", "-c", "user.name=a", "-c", "user.email=a@b")
    subprocess.run([*git, "init", "-q", str(top)], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "a"], cwd=top, check=True)
    subprocess.run([*git, "worktree", "add", "-q", str(tmp_path / "tree")], cwd=top, check=True)
    subprocess.run([*git, "init", "-q", "--bare", str(tmp_path / "bare")], check=True)
    subprocess.run([*git, "init", "-q", str(tmp_path / "moved")], check=True)
    subprocess.run(
        [*git, "config", "core.worktree", str(tmp_path / "top")], cwd=tmp_path / "moved", check=True
    )
    (top / "a" / "b").mkdir(parents=True)
    (top / "broken" / ".git").mkdir(parents=True)
    (tmp_path / "link").symlink_to(top / "a")
    folders = (
        "top",
        "top/a/b",
        "top/.git",
        "top/.git/refs",
        "top/broken",
        "tree",
        "bare",
        "moved",
        "link",
        "",
    )
    for name in folders:
        answer = subprocess.run(
            ["git", "rev-parse", "--show-toplevel"],
            cwd=tmp_path / name, capture_output=True, text=True, check=False,
        )  # fmt: skip
        expected = Path(answer.stdout.strip()) if answer.returncode == 0 else None
        assert find_repository(tmp_path / name) == expected, name
