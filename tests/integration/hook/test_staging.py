"""The copy in the graveyard is in the same commit, or nothing is removed: odd checkouts."""

import os
from pathlib import Path

import pytest
from tests.integration.hook.conftest import RULES, Repository, cortex

from cortex.artifacts import disk, graveyard, harness, ledger


def stays(shop: Repository, *arguments: str) -> str:
    """Commit, and check that nothing was removed or left over; return the output."""
    before = shop.git("status", "--porcelain", "--ignored")
    output = shop.commit("--allow-empty", *arguments)
    assert shop.rule("dead").read_text() == RULES["dead"]
    assert ".claude/rules/dead.md" in shop.committed()
    assert shop.git("status", "--porcelain", "--ignored") == before
    assert shop.graves() == []
    return output


def test_an_ignored_folder_of_ours(shop: Repository) -> None:
    shop.git("rm", "-r", "-q", "--cached", ".cortex")
    (shop.root / ".gitignore").write_text(".cortex/\n")
    shop.git("add", ".gitignore")
    shop.commit(CORTEX_SKIP="1")
    assert "stays; skipped" in stays(shop)


def test_an_ignored_graveyard(shop: Repository) -> None:
    (shop.root / ".gitignore").write_text("text.md\n")
    shop.git("add", ".gitignore")
    shop.commit(CORTEX_SKIP="1")
    assert "stays; skipped" in stays(shop)


@pytest.mark.parametrize("cone", ["--cone", "--no-cone"])
def test_a_sparse_checkout_without_our_folder(shop: Repository, cone: str) -> None:
    (shop.root / "src").mkdir()
    (shop.root / "src" / "a.py").write_text("a = 1\n")
    shop.git("add", "-A")
    shop.commit(CORTEX_SKIP="1")
    folders = [".claude", "src"] if cone == "--cone" else ["/.claude/", "/src/"]
    ledger_text = ledger.path_in(shop.root).read_text()
    shop.git("sparse-checkout", "set", cone, *folders)
    file = ledger.path_in(shop.root)
    file.parent.mkdir(exist_ok=True)
    file.write_text(ledger_text)
    output = shop.commit("--allow-empty")
    assert "removed dead" in output
    assert ".claude/rules/dead.md" not in shop.committed()
    assert any(path.endswith("/text.md") for path in shop.committed())


@pytest.mark.parametrize("flag", ["--assume-unchanged", "--skip-worktree"])
def test_files_whose_changes_git_overlooks(shop: Repository, flag: str) -> None:
    shop.git("update-index", flag, ".claude/rules/dead.md")
    assert "not staged" in stays(shop)


def test_the_commit_brings_the_attributes_for_its_bytes(shop: Repository) -> None:
    (shop.root / ".cortex" / ".gitattributes").unlink()
    shop.git("add", "-A")
    shop.commit(CORTEX_SKIP="1")
    assert "removed dead" in shop.commit("--allow-empty")
    assert ".cortex/.gitattributes" in shop.committed()
    assert shop.git("status", "--porcelain") == ""


def test_attributes_of_a_person_are_not_staged(shop: Repository) -> None:
    (shop.root / ".cortex" / ".gitattributes").write_text("# mine\n")
    shop.commit("--allow-empty")
    assert shop.git("status", "--porcelain") == " M .cortex/.gitattributes\n"


def test_a_checkout_with_crlf(shop: Repository, tmp_path: Path) -> None:
    claude = "# Shop\n\nIntro.\n\n## Dead\n\nOld words.\n\n## Live\n\nKeep.\n"
    (shop.root / "CLAUDE.md").write_text(claude)
    section = {artifact.heading: artifact for artifact in harness.parse({"CLAUDE.md": claude})}[
        "Dead"
    ]
    shop.judge({"good": "prune"})
    shop.record(ledger.LedgerEntry("CLAUDE.md", section.digest, "retain", heading="Dead"))
    shop.judge({"dead": "retain"})
    shop.git("add", "-A")
    assert "removed good" in shop.commit()
    shop.judge({"dead": "prune"})
    shop.record(ledger.LedgerEntry("CLAUDE.md", section.digest, "prune", heading="Dead"))
    shop.git("add", "-A")
    shop.commit(CORTEX_SKIP="1")
    windows = Repository(tmp_path / "windows", shop.home)
    shop.git("clone", "-q", "-c", "core.autocrlf=true", str(shop.root), str(windows.root))
    assert b"\r\n" in (windows.root / "CLAUDE.md").read_bytes()
    assert cortex(windows, "hook", "install").returncode == 0
    output = windows.commit("--allow-empty")
    assert "removed dead" in output
    assert "removed CLAUDE.md § Dead" in output
    assert windows.git("status", "--porcelain") == ""
    for grave in graveyard.entries(windows.root):
        assert cortex(windows, "restore", grave.id).returncode == 0
    windows.git("add", "-A")
    assert windows.git("show", ":CLAUDE.md") == claude
    assert (windows.root / "CLAUDE.md").read_bytes() == claude.replace("\n", "\r\n").encode()
    for name in ("dead", "good"):
        assert windows.git("show", f":.claude/rules/{name}.md") == RULES[name]


def test_a_link_is_left_to_the_command(shop: Repository) -> None:
    (shop.root / "docs").mkdir()
    (shop.root / "docs" / "dead.md").write_text(RULES["dead"])
    shop.rule("dead").unlink()
    shop.rule("dead").symlink_to("../../docs/dead.md")
    shop.git("add", "-A")
    shop.commit(CORTEX_SKIP="1")
    assert "link" in stays(shop)


def test_names_that_are_not_utf8(shop: Repository) -> None:
    name = os.fsdecode(b".claude/rules/d\xe9ad.md")
    (shop.root / name).write_text("Odd words about names.\n")
    artifact = harness.from_text(name, disk.read_text(shop.root / name))
    assert name in disk.read_files(shop.root)
    shop.git("add", "-A")
    shop.rule("dead").unlink()
    shop.record(ledger.LedgerEntry(name, artifact.digest, "prune"))
    shop.git("add", "-A")
    assert "removed" in shop.commit()
    assert not (shop.root / name).exists()
    assert shop.git("status", "--porcelain") == ""
    (grave,) = graveyard.entries(shop.root)
    graveyard.restore(shop.root, grave.id)
    assert (shop.root / name).read_text() == "Odd words about names.\n"
