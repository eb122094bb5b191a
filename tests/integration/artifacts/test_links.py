"""One file with several names is one artifact; links are removed, never what they lead to."""

import subprocess
from pathlib import Path

import pytest

from cortex.artifacts import disk, edits, graveyard, harness
from cortex.errors import UsageError
from cortex.model.artifacts import Artifact
from cortex.model.verdicts import Ruling

TEXT = "# Guide\n\nIntro.\n\n## Names\n\nUse short names.\n"
AT = "2026-03-01T10:00:00Z"


def write(root: Path, path: str, text: str) -> Path:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def link(root: Path, path: str, target: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).symlink_to(target)


def artifacts(root: Path) -> dict[str, Artifact]:
    return {artifact.key: artifact for artifact in harness.parse(disk.read_files(root))}


def remove(root: Path, artifact: Artifact) -> str:
    entry = graveyard.bury(root, artifact, Ruling.PRUNE, "dead weight", AT)
    before = disk.read_files(root)
    disk.apply(root, before, edits.without_artifact(before, artifact))
    return entry


def everything(root: Path) -> dict[str, object]:
    """Return each file's bytes and each link's target, outside of `.cortex`."""
    return {
        path.relative_to(root).as_posix(): path.readlink()
        if path.is_symlink()
        else path.read_text()
        for path in root.rglob("*")
        if ".cortex" not in path.parts and (path.is_symlink() or path.is_file())
    }


@pytest.mark.parametrize(
    ("real", "linked", "name"),
    [
        ("AGENTS.md", "CLAUDE.md", "CLAUDE.md"),
        ("CLAUDE.md", "AGENTS.md", "CLAUDE.md"),
        ("CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.md"),
        ("AGENTS.md", ".claude/CLAUDE.md", ".claude/CLAUDE.md"),
        (".claude/rules/a.md", ".claude/rules/b.md", ".claude/rules/a.md"),
        (".claude/rules/b.md", ".claude/rules/a.md", ".claude/rules/b.md"),
        ("docs/a.md", ".claude/rules/a.md", ".claude/rules/a.md"),
        ("AGENTS.md", ".claude/rules/a.md", ".claude/rules/a.md"),
    ],
)
def test_one_file_with_two_names_is_read_once(
    tmp_path: Path, real: str, linked: str, name: str
) -> None:
    write(tmp_path, real, TEXT)
    link(tmp_path, linked, str(tmp_path / real))
    assert list(disk.read_files(tmp_path)) == [name]
    before = disk.read_files(tmp_path)
    disk.apply(tmp_path, before, {name: "new\n"})
    assert (tmp_path / real).read_text() == "new\n"
    assert (tmp_path / linked).is_symlink()


def test_a_section_behind_a_link_goes_and_comes_back(tmp_path: Path) -> None:
    write(tmp_path, "AGENTS.md", TEXT)
    link(tmp_path, "CLAUDE.md", "AGENTS.md")
    before = everything(tmp_path)
    order = []
    while there := artifacts(tmp_path):
        order.append(remove(tmp_path, next(iter(there.values()))))
    assert len(order) == 2
    assert everything(tmp_path) == {"AGENTS.md": "", "CLAUDE.md": Path("AGENTS.md")}
    for entry in reversed(order):
        graveyard.restore(tmp_path, entry)
    assert everything(tmp_path) == before


def test_a_linked_rule_is_unlinked_and_linked_again(tmp_path: Path) -> None:
    write(tmp_path, "docs/shared.md", "Shared words.\n")
    link(tmp_path, ".claude/rules/a.md", "../../docs/shared.md")
    before = everything(tmp_path)
    entry = remove(tmp_path, artifacts(tmp_path)[".claude/rules/a.md"])
    assert everything(tmp_path) == {"docs/shared.md": "Shared words.\n"}
    graveyard.restore(tmp_path, entry)
    assert everything(tmp_path) == before


def test_a_linked_rule_whose_target_changed_comes_back_as_a_file(tmp_path: Path) -> None:
    target = write(tmp_path, "docs/shared.md", "Shared words.\n")
    link(tmp_path, ".claude/rules/a.md", "../../docs/shared.md")
    entry = remove(tmp_path, artifacts(tmp_path)[".claude/rules/a.md"])
    target.write_text("Other words.\n")
    graveyard.restore(tmp_path, entry)
    assert not (tmp_path / ".claude/rules/a.md").is_symlink()
    assert (tmp_path / ".claude/rules/a.md").read_text() == "Shared words.\n"
    assert target.read_text() == "Other words.\n"


def test_a_linked_skill_folder_keeps_its_code(tmp_path: Path) -> None:
    write(tmp_path, "src/tool/SKILL.md", "---\ndescription: d\n---\nUse it.\n")
    write(tmp_path, "src/tool/main.py", "print(1)\n")
    link(tmp_path, ".claude/skills/s", "../../src/tool")
    before = everything(tmp_path)
    entry = remove(tmp_path, artifacts(tmp_path)[".claude/skills/s/SKILL.md"])
    assert set(everything(tmp_path)) == {"src/tool/SKILL.md", "src/tool/main.py"}
    graveyard.restore(tmp_path, entry)
    assert everything(tmp_path) == before


def test_a_rule_behind_a_linked_folder_with_others_is_refused(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write(tmp_path, f"docs/rules/{name}.md", f"Words of {name}.\n")
    link(tmp_path, ".claude/rules/team", "../../docs/rules")
    before = everything(tmp_path)
    with pytest.raises(UsageError, match="through the link"):
        remove(tmp_path, artifacts(tmp_path)[".claude/rules/team/a.md"])
    assert everything(tmp_path) == before


@pytest.mark.parametrize("target", ["nowhere", "CLAUDE.md", "/etc/hostname"])
def test_dangling_circular_and_outside_links_are_skipped(tmp_path: Path, target: str) -> None:
    link(tmp_path, "CLAUDE.md", target)
    link(tmp_path, ".claude/rules/a.md", target)
    link(tmp_path, ".claude/skills/s", target)
    assert disk.read_files(tmp_path) == {}


def test_a_root_reached_through_a_link_has_the_same_paths(tmp_path: Path) -> None:
    root = tmp_path / "repository"
    write(root, "CLAUDE.md", TEXT)
    write(root, ".claude/rules/a.md", "Words.\n")
    (tmp_path / "link").symlink_to("repository")
    linked = tmp_path / "link"
    assert disk.read_files(linked) == disk.read_files(root)
    entry = remove(linked, artifacts(linked)[".claude/rules/a.md"])
    assert not (root / ".claude/rules/a.md").exists()
    graveyard.restore(root, entry)
    assert (root / ".claude/rules/a.md").read_text() == "Words.\n"


@pytest.mark.parametrize("ignored", ["data/", ".claude/"])
def test_large_folders_that_git_ignores_are_left_out(tmp_path: Path, ignored: str) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    write(tmp_path, ".gitignore", f"{ignored}\n")
    write(tmp_path, ".claude/skills/s/SKILL.md", "Words.\n")
    for number in range(300):
        write(tmp_path, f".claude/skills/s/data/{number}.txt", "1")
    names = list(disk.read_files(tmp_path))
    assert ".claude/skills/s/SKILL.md" in names
    assert len(names) == (1 if ignored == "data/" else 301)


def test_folders_of_tools_and_deep_trees_are_not_walked(tmp_path: Path) -> None:
    skill = ".claude/skills/s/"
    write(tmp_path, f"{skill}SKILL.md", "Words.\n")
    write(tmp_path, f"{skill}node_modules/x/index.js", "1")
    write(tmp_path, f"{skill}.venv/lib/x.py", "1")
    write(tmp_path, skill + "deep/" * 20 + "x.md", "1")
    for number in range(20):
        write(tmp_path, f"{skill}many/{number}.txt", "1")
    names = list(disk.read_files(tmp_path))
    assert len(names) == 21
    assert not any("node_modules" in name or "venv" in name for name in names)
