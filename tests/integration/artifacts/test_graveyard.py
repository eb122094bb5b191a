"""Burying and restoring, byte for byte, in a real folder."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from cortex.artifacts import disk, edits, graveyard, harness
from cortex.errors import UsageError
from cortex.model.artifacts import Artifact
from cortex.model.verdicts import Ruling

AT = "2026-03-01T10:00:00Z"
CLAUDE = b"\xef\xbb\xbf# T\r\n\r\n\r\n## A\r\nx\r\n\r\n```\n## no\n```\n## A\n2\n\n\n## Last\nz"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    skill = tmp_path / ".claude/skills/ship"
    (skill / "lib").mkdir(parents=True)
    (skill / "SKILL.md").write_bytes(b"---\ndescription: When shipping\n---\r\nDo it")
    (skill / "lib/run.sh").write_bytes(b"#!/bin/sh\n\xff\x00")
    (skill / "lib/run.sh").chmod(0o755)
    rule = tmp_path / ".claude/rules/deep/a.md"
    rule.parent.mkdir(parents=True)
    rule.write_bytes(b"no newline \xe2\x82")
    rule.chmod(0o600)
    (tmp_path / "CLAUDE.md").write_bytes(CLAUDE)
    return tmp_path


def state(root: Path) -> dict[str, tuple[bytes, int]]:
    return {
        path.relative_to(root).as_posix(): (path.read_bytes(), path.stat().st_mode)
        for path in root.rglob("*")
        if path.is_file() and path.name != ".gitattributes"
    }


def remove(root: Path, artifact: Artifact) -> str:
    entry = graveyard.bury(root, artifact, Ruling.PRUNE, "dead weight", AT)
    before = disk.read_files(root)
    disk.apply(root, before, edits.without_artifact(before, artifact))
    return entry


def artifacts(root: Path) -> dict[str, Artifact]:
    return {artifact.key: artifact for artifact in harness.parse(disk.read_files(root))}


def test_every_artifact_comes_back_byte_for_byte_with_its_mode(root: Path) -> None:
    before = state(root)
    assert len(artifacts(root)) == 6
    for key, artifact in artifacts(root).items():
        entry = remove(root, artifact)
        without = {path for path in state(root) if not path.startswith(".cortex/")}
        assert without != set(before) or state(root)["CLAUDE.md"] != before["CLAUDE.md"], key
        assert graveyard.restore(root, entry) == artifact
        assert state(root) == before, key


def test_everything_removed_and_restored_in_reverse_is_as_before(root: Path) -> None:
    before = state(root)
    order = []
    while left := artifacts(root):
        order.append(remove(root, next(iter(left.values()))))
    for entry in reversed(order):
        graveyard.restore(root, entry)
    assert state(root) == before


def test_an_entry_tells_what_went_and_why(root: Path) -> None:
    skill = artifacts(root)[".claude/skills/ship/SKILL.md"]
    entry_id = remove(root, skill)
    (entry,) = graveyard.entries(root)
    assert entry_id == entry.id == f"ship-{skill.digest[:8]}"
    assert (entry.ruling, entry.reason, entry.at) == ("prune", "dead weight", AT)
    assert (entry.path, entry.text) == (skill.path, skill.text)
    assert entry.artifact == skill


def test_a_candidate_that_never_was_on_disk_can_be_buried_and_restored(root: Path) -> None:
    section = harness.section("CLAUDE.md", "New", "## New\nx\n")
    entry = graveyard.bury(root, section, "bury", "no gain", AT)
    assert state(root)["CLAUDE.md"][0] == CLAUDE
    graveyard.restore(root, entry)
    assert state(root)["CLAUDE.md"][0] == CLAUDE + b"\n\n## New\nx\n"
    assert graveyard.entries(root) == ()


def test_the_same_text_is_archived_once_and_other_text_apart(root: Path) -> None:
    rule = artifacts(root)[".claude/rules/deep/a.md"]
    twin = harness.from_text(".claude/rules/a.md", rule.text)
    first = graveyard.bury(root, rule, "prune", "first", AT)
    again = graveyard.bury(root, rule, "prune", "two", AT)
    other = graveyard.bury(root, twin, "bury", "three", AT)
    assert first == again != other
    assert {entry.reason for entry in graveyard.entries(root)} == {"two", "three"}


def test_a_skill_with_other_files_is_another_entry(root: Path) -> None:
    skill = artifacts(root)[".claude/skills/ship/SKILL.md"]
    first = graveyard.bury(root, skill, "prune", "first", AT)
    (root / ".claude/skills/ship/lib/run.sh").write_bytes(b"changed")
    assert graveyard.bury(root, skill, "prune", "two", AT) != first
    kept = {path.read_bytes() for path in graveyard.path_in(root).glob("*/files/lib/run.sh")}
    assert kept == {b"#!/bin/sh\n\xff\x00", b"changed"}


@pytest.mark.parametrize("key", ["CLAUDE.md#Last", ".claude/rules/deep/a.md"])
def test_text_that_took_the_place_is_not_overwritten(root: Path, key: str) -> None:
    artifact = artifacts(root)[key]
    entry = remove(root, artifact)
    file = root / artifact.path
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(b"## Last\nnew words\n")
    before = state(root)
    with pytest.raises(UsageError, match="other text"):
        graveyard.restore(root, entry)
    assert state(root) == before


@pytest.mark.parametrize("key", ["CLAUDE.md#Last", ".claude/skills/ship/SKILL.md"])
def test_restoring_what_is_there_again_is_fine(root: Path, key: str) -> None:
    before = state(root)
    entry = graveyard.bury(root, artifacts(root)[key], "prune", "x", AT)
    graveyard.restore(root, entry)
    assert state(root) == before


def test_text_that_was_edited_since_is_not_archived_as_if_it_were_gone(root: Path) -> None:
    rule = artifacts(root)[".claude/rules/deep/a.md"]
    (root / rule.path).write_text("the person's new words")
    with pytest.raises(UsageError, match="edited since"):
        graveyard.bury(root, rule, Ruling.PRUNE, "x", AT)
    assert graveyard.entries(root) == ()


def test_unknown_and_damaged_entries_are_refused(root: Path) -> None:
    with pytest.raises(UsageError, match="not in the graveyard"):
        graveyard.restore(root, "nothing-12345678")
    entry = remove(root, artifacts(root)[".claude/rules/deep/a.md"])
    (graveyard.path_in(root) / entry / "text.md").write_text("changed")
    with pytest.raises(UsageError, match="digest"):
        graveyard.restore(root, entry)
    (graveyard.path_in(root) / entry / "entry.json").write_text("{")
    assert graveyard.entries(root) == ()


def test_a_foreign_entry_cannot_write_elsewhere(root: Path) -> None:
    entry = remove(root, artifacts(root)[".claude/skills/ship/SKILL.md"])
    file = graveyard.path_in(root) / entry / "entry.json"
    fields = json.loads(file.read_text())
    fields["files"] = [{"path": "../../../../evil.sh", "mode": 0o755, "digest": ""}]
    file.write_text(json.dumps(fields))
    (graveyard.path_in(root) / "evil.sh").write_text("echo")
    with pytest.raises(UsageError):
        graveyard.restore(root, entry)
    assert not (root / "evil.sh").exists()


def test_what_a_killed_process_began_to_write_goes_and_what_a_live_one_writes_stays(
    root: Path,
) -> None:
    ended = subprocess.Popen(["true"])
    os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)  # Not waited for: as under a slow init.
    graves = graveyard.path_in(root)
    begun = graves / f".dead-01234567.{ended.pid}.0a1b2c3d"
    writing = graves / f".live-01234567.{os.getpid()}.0a1b2c3d"
    other = graves / ".notes"
    for folder in (begun, writing, other):
        folder.mkdir(parents=True)
    graveyard.bury(root, next(iter(artifacts(root).values())), Ruling.BURY, "r", "2026-01-01")
    ended.wait()
    assert not begun.exists()
    assert writing.exists()
    assert other.exists()


def test_a_graveyard_that_cannot_be_made_is_one_line(root: Path) -> None:
    (root / ".cortex").write_text("a file where the folder should be")
    with pytest.raises(UsageError, match="cannot be written"):
        graveyard.bury(root, artifacts(root)["CLAUDE.md#Last"], "prune", "x", AT)
