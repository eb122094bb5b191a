"""Reading and replacing harness files in a real folder."""

from pathlib import Path

import pytest

from cortex.artifacts import atomic, disk
from cortex.errors import UsageError

RULE = ".claude/rules/a.md"
OTHER = ".claude/rules/sub/b.md"
SKILL = ".claude/skills/foo/SKILL.md"


def everything(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file()
    }


def write(root: Path, path: str, content: bytes = b"text\n") -> Path:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    return file


def test_reads_harness_files_only_and_every_byte_of_them(tmp_path: Path) -> None:
    odd = b"\xef\xbb\xbf## A\r\nx\xff"
    write(tmp_path, "CLAUDE.md", odd)
    write(tmp_path, RULE)
    write(tmp_path, ".claude/skills/foo/run.bin", b"\x00\xfe")
    write(tmp_path, ".claude/skills/foo/__pycache__/x.pyc")
    write(tmp_path, ".claude/settings.json", b"{}")
    write(tmp_path, "src/app.py")
    files = disk.read_files(tmp_path)
    assert list(files) == [RULE, ".claude/skills/foo/run.bin", "CLAUDE.md"]
    assert disk.encode(files["CLAUDE.md"]) == odd


def test_a_repository_without_harness_reads_empty(tmp_path: Path) -> None:
    assert disk.read_files(tmp_path) == {}


def test_apply_adds_changes_and_removes(tmp_path: Path) -> None:
    kept = write(tmp_path, RULE)
    kept.chmod(0o640)
    write(tmp_path, OTHER)
    write(tmp_path, SKILL)
    before = disk.read_files(tmp_path)
    disk.apply(tmp_path, before, {RULE: "new\r\n", "CLAUDE.md": "made"})
    assert everything(tmp_path) == {RULE: b"new\r\n", "CLAUDE.md": b"made"}
    assert kept.stat().st_mode & 0o777 == 0o640
    assert not (tmp_path / ".claude/skills/foo").exists()
    assert not (tmp_path / ".claude/rules/sub").exists()


def test_a_folder_with_something_else_in_it_stays(tmp_path: Path) -> None:
    write(tmp_path, SKILL)
    write(tmp_path, ".claude/skills/foo/__pycache__/x.pyc")
    disk.apply(tmp_path, disk.read_files(tmp_path), {})
    assert list(everything(tmp_path)) == [".claude/skills/foo/__pycache__/x.pyc"]


@pytest.mark.parametrize("meanwhile", ["edit", "remove", "create"])
def test_nothing_is_written_when_one_file_changed_meanwhile(tmp_path: Path, meanwhile: str) -> None:
    write(tmp_path, RULE)
    write(tmp_path, OTHER)
    before = disk.read_files(tmp_path)
    after = {RULE: "new", OTHER: "new", "CLAUDE.md": "new"}
    if meanwhile == "edit":
        write(tmp_path, OTHER, b"the person's own words")
    elif meanwhile == "remove":
        (tmp_path / OTHER).unlink()
    else:
        write(tmp_path, "CLAUDE.md", b"the person's own words")
    now = everything(tmp_path)
    with pytest.raises(UsageError, match=r"changed on disk|already exists"):
        disk.apply(tmp_path, before, after)
    assert everything(tmp_path) == now


def test_an_edit_of_a_file_that_is_not_touched_is_no_conflict(tmp_path: Path) -> None:
    write(tmp_path, RULE)
    write(tmp_path, OTHER)
    before = disk.read_files(tmp_path)
    write(tmp_path, OTHER, b"edited")
    disk.apply(tmp_path, before, {**before, RULE: "new"})
    assert everything(tmp_path) == {RULE: b"new", OTHER: b"edited"}


def test_links_inside_the_repository_are_written_through(tmp_path: Path) -> None:
    target = write(tmp_path, "AGENTS.md", b"old")
    (tmp_path / "CLAUDE.md").symlink_to("AGENTS.md")
    before = disk.read_files(tmp_path)
    assert before == {"CLAUDE.md": "old"}
    disk.apply(tmp_path, before, {**before, "CLAUDE.md": "new"})
    assert target.read_text() == "new"
    assert (tmp_path / "CLAUDE.md").is_symlink()


def test_links_out_of_the_repository_are_neither_read_nor_written(tmp_path: Path) -> None:
    outside = write(tmp_path, "outside/shared.md", b"theirs")
    root = tmp_path / "repository"
    (root / ".claude/rules").mkdir(parents=True)
    (root / RULE).symlink_to(outside)
    (root / ".claude/skills").symlink_to(tmp_path / "outside", target_is_directory=True)
    assert disk.read_files(root) == {}
    for path in (RULE, ".claude/skills/foo/SKILL.md"):
        with pytest.raises(UsageError, match="out of the repository"):
            disk.apply(root, {}, {path: "ours"})
    assert everything(tmp_path / "outside") == {"shared.md": b"theirs"}


def test_a_circle_of_links_ends(tmp_path: Path) -> None:
    write(tmp_path, RULE)
    (tmp_path / ".claude/rules/again").symlink_to("../rules", target_is_directory=True)
    assert list(disk.read_files(tmp_path)) == [RULE]


@pytest.mark.parametrize("path", ["src/app.py", ".claude/rules/../../x.md", "/etc/x.md"])
def test_other_files_are_refused(tmp_path: Path, path: str) -> None:
    with pytest.raises(UsageError, match="not a harness file"):
        disk.apply(tmp_path, {}, {path: "x"})


def test_a_folder_that_cannot_be_made_is_one_line_and_leaves_nothing(tmp_path: Path) -> None:
    write(tmp_path, ".claude", b"a file where the folder should be")
    now = everything(tmp_path)
    with pytest.raises(UsageError, match="cannot be written") as caught:
        disk.apply(tmp_path, {}, {"CLAUDE.md": "new", RULE: "new"})
    assert "\n" not in str(caught.value)
    assert everything(tmp_path) == now


def test_a_link_that_leads_to_itself_is_refused(tmp_path: Path) -> None:
    (tmp_path / "CLAUDE.md").symlink_to("CLAUDE.md")
    assert disk.read_files(tmp_path) == {}
    with pytest.raises(UsageError, match="already exists"):
        disk.apply(tmp_path, {}, {"CLAUDE.md": "new"})


def test_a_failure_half_way_puts_everything_back(tmp_path: Path) -> None:
    first = write(tmp_path, RULE, b"old rule")
    first.chmod(0o600)
    now = everything(tmp_path)
    paths = [RULE, OTHER, "AGENTS.md", "CLAUDE.md"]
    targets = {path: tmp_path / path for path in paths}
    (tmp_path / OTHER).parent.mkdir()
    staged = {path: atomic.stage(targets[path], b"new") for path in paths}
    staged["CLAUDE.md"].unlink()
    with pytest.raises(UsageError, match=r"CLAUDE\.md: cannot be written"):
        disk._commit(tmp_path, dict.fromkeys(paths, "new"), targets, staged)
    assert everything(tmp_path) == now
    assert first.stat().st_mode & 0o777 == 0o600
