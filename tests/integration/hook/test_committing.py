"""What a commit does to text with a verdict, in real git."""

import random
import shutil
from pathlib import Path

import pytest
from tests.integration.hook.conftest import RULES, Repository, cortex, make

from cortex.artifacts import harness, ledger


def change(shop: Repository) -> None:
    (shop.root / "app.py").write_text("one = 11\ntwo = 2\nthree = 3\n")
    shop.git("add", "app.py")


def test_prunable_text_goes_with_the_commit_and_comes_back(shop: Repository) -> None:
    before = shop.rule("dead").read_bytes()
    change(shop)
    output = shop.commit()
    assert output.count("cortex: ") == 2
    assert "removed dead (prune)" in output
    assert "never used in any trial: idle" in output
    assert not shop.rule("dead").exists()
    (grave,) = shop.graves()
    committed = shop.committed()
    assert grave.relative_to(shop.root).as_posix() in committed
    assert ".claude/rules/dead.md" not in committed
    assert {f".claude/rules/{name}.md" for name in ("good", "idle", "free")} <= committed
    assert shop.git("status", "--porcelain") == ""
    assert cortex(shop, "restore", grave.parent.name).returncode == 0
    assert shop.rule("dead").read_bytes() == before
    shop.git("add", "-A")
    assert "removed" not in shop.commit()
    assert shop.rule("dead").exists()


def test_it_can_be_skipped(shop: Repository) -> None:
    change(shop)
    assert shop.commit(CORTEX_SKIP="1") == ""
    change_again = shop.root / "app.py"
    change_again.write_text("one = 12\n")
    assert shop.commit("-a", "--no-verify") == ""
    assert shop.rule("dead").exists()


@pytest.mark.parametrize("staged", [False, True])
def test_text_that_was_edited_is_left_alone(shop: Repository, staged: bool) -> None:
    shop.rule("dead").write_text("Name variables really well.\n")
    if staged:
        shop.git("add", "-A")
    change(shop)
    shop.commit()
    assert shop.rule("dead").read_text() == "Name variables really well.\n"


def test_text_that_is_staged_otherwise_than_it_lies_there_is_left_alone(shop: Repository) -> None:
    shop.rule("dead").write_text("Staged words.\n")
    shop.git("add", "-A")
    shop.rule("dead").write_text(RULES["dead"])
    change(shop)
    assert "left alone" in shop.commit()
    assert shop.git("show", "HEAD:.claude/rules/dead.md") == "Staged words.\n"
    assert shop.rule("dead").read_text() == RULES["dead"]


def test_partial_staging_stays_as_it_was(shop: Repository) -> None:
    change(shop)
    (shop.root / "app.py").write_text("one = 11\ntwo = 2\nthree = 33\n")
    (shop.root / "new.py").write_text("untracked = True\n")
    shop.commit()
    assert shop.git("show", "HEAD:app.py") == "one = 11\ntwo = 2\nthree = 3\n"
    assert (shop.root / "app.py").read_text() == "one = 11\ntwo = 2\nthree = 33\n"
    assert shop.git("status", "--porcelain") == " M app.py\n?? new.py\n"


def test_amend_and_commit_all(shop: Repository) -> None:
    (shop.root / "app.py").write_text("one = 5\n")
    assert "removed dead" in shop.commit("-a")
    assert shop.git("status", "--porcelain") == ""
    shop.git("revert", "--no-edit", "HEAD")
    assert shop.rule("dead").exists()
    assert "removed dead" in shop.commit("--amend")
    assert ".claude/rules/dead.md" not in shop.committed()


def test_a_commit_of_single_paths_is_left_alone(shop: Repository) -> None:
    (shop.root / "app.py").write_text("one = 5\n")
    assert "leaves it alone" in shop.commit("--", "app.py")
    assert shop.rule("dead").exists()
    assert shop.git("status", "--porcelain") == ""


def test_merges_and_rebases_are_left_alone(shop: Repository) -> None:
    shop.git("checkout", "-q", "-b", "side")
    (shop.root / "side.py").write_text("side = 1\n")
    shop.git("add", "side.py")
    shop.commit(CORTEX_SKIP="1")
    shop.git("checkout", "-q", "main")
    (shop.root / "main.py").write_text("main = 1\n")
    shop.git("add", "main.py")
    shop.commit(CORTEX_SKIP="1")
    shop.git("merge", "--no-ff", "--no-commit", "side")
    assert shop.commit() == ""
    assert shop.rule("dead").exists()


def test_a_worktree_has_the_hook_too(shop: Repository, tmp_path: Path) -> None:
    shop.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    side = Repository(tmp_path / "side", shop.home)
    change(side)
    assert "removed dead" in side.commit()
    assert not side.rule("dead").exists()
    assert shop.rule("dead").exists()


def test_the_first_commit_of_a_repository(bare: Repository, tmp_path: Path) -> None:
    other = Repository(tmp_path / "new", bare.home)
    shutil.copytree(bare.root, other.root, ignore=shutil.ignore_patterns(".git"))
    other.git("init", "-q")
    cortex(other, "hook", "install")
    other.git("add", "-A")
    assert "removed dead" in other.commit()
    assert ".claude/rules/dead.md" not in other.committed()


def test_without_its_environment_the_commit_goes_on(shop: Repository) -> None:
    hook = shop.root / ".git" / "hooks" / "pre-commit"
    lines = hook.read_text().splitlines(keepends=True)
    gone = ["python=/nowhere/python\n" if line.startswith("python=") else line for line in lines]
    hook.write_text("".join(gone))
    change(shop)
    assert "is gone" in shop.commit()
    assert shop.rule("dead").exists()


@pytest.mark.parametrize("broken", ["{not json\n", '{"path": 3}\n', "\x00\xff", "[" * 100_000])
def test_a_ledger_that_is_broken_stops_nothing(shop: Repository, broken: str) -> None:
    (shop.root / ".cortex" / "verdicts.jsonl").write_text(broken)
    change(shop)
    shop.commit()
    assert shop.rule("dead").exists()


def test_an_unexpected_fault_is_one_line(shop: Repository) -> None:
    (shop.root / ".cortex" / "graveyard").write_text("in the way")
    change(shop)
    output = shop.commit()
    assert output.count("\n") <= 2
    assert "stays; skipped" in output
    assert shop.rule("dead").exists()


def test_unused_text_may_be_archived_or_ignored(shop: Repository) -> None:
    settings = shop.root / ".cortex" / "config.toml"
    settings.write_text('[hook]\nunused = "keep"\n')
    shop.git("add", "-A")
    assert "is none of" in shop.commit()
    settings.write_text('[hook]\nunused = "archive"\n')
    shop.git("add", "-A")
    assert "removed idle (unused)" in shop.commit()
    assert not shop.rule("idle").exists()


def test_a_name_steers_no_terminal(shop: Repository) -> None:
    path = ".claude/rules/\x1b]52;c;eA==\x1b\\\x1b[2J\u202e.md"
    (shop.root / path).write_text("Be careful.\n", "utf-8")
    digest = harness.from_text(path, "Be careful.\n").digest
    shop.record(ledger.LedgerEntry(path, digest, "prune"))
    shop.git("add", "-A")
    output = shop.commit()
    assert "removed \\x1b]52;c;eA==" in output
    assert not {"\x1b", "\u202e"} & set(output)


def test_a_section_is_cut_out_of_its_file(shop: Repository) -> None:

    file = shop.root / "CLAUDE.md"
    file.write_text("# Shop\n\nIntro.\n\n## Dead\n\nOld words.\n\n## Live\n\nKeep me.\n")
    (dead,) = [
        artifact
        for artifact in harness.parse({"CLAUDE.md": file.read_text()})
        if artifact.heading == "Dead"
    ]
    shop.record(
        ledger.LedgerEntry("CLAUDE.md", dead.digest, "prune", heading="Dead"),
    )
    shop.git("add", "-A")
    shop.commit()
    assert file.read_text() == "# Shop\n\nIntro.\n\n## Live\n\nKeep me.\n"
    assert shop.git("show", "HEAD:CLAUDE.md") == file.read_text()


def texts(shop: Repository) -> set[str]:
    """Return every text that is committed, staged, or on the disk."""
    listed = shop.git("ls-tree", "-r", "HEAD") + shop.git("ls-files", "-s")
    blobs = {word for line in listed.splitlines() for word in line.split() if len(word) == 40}
    files = [path for path in shop.root.rglob("*") if path.is_file() and ".git/" not in str(path)]
    return {shop.git("cat-file", "blob", blob) for blob in blobs} | {
        file.read_text() for file in files
    }


def disturb(shop: Repository, draw: random.Random) -> None:
    """Edit, remove and stage at random."""
    files = ["app.py", "note.txt", *(f".claude/rules/{name}.md" for name in RULES)]
    for number in range(8):
        file = shop.root / draw.choice(files)
        if draw.random() < 0.15 and file.exists() and file.suffix == ".md":
            file.unlink()
        elif draw.random() < 0.6:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"text {number}\n")
        if draw.random() < 0.5:
            shop.run("add", "-A", "--", str(file.relative_to(shop.root)))


@pytest.mark.parametrize("seed", range(8))
def test_a_commit_never_loses_a_change(tmp_path: Path, seed: int) -> None:
    """What a commit without the hook leaves, one with it leaves too."""
    shop = make(tmp_path / "shop", tmp_path / "home")
    cortex(shop, "hook", "install")
    disturb(shop, random.Random(seed))
    arguments = [(), ("-a",), ("--amend",), ("--", "app.py")][seed % 4]
    twin = Repository(tmp_path / "twin", shop.home)
    shutil.copytree(shop.root, twin.root)
    done = [
        repository.run("commit", "-q", "-m", "work", *arguments, **more).returncode
        for repository, more in ((twin, {"CORTEX_SKIP": "1"}), (shop, {}))
    ]
    assert done[0] == done[1]
    assert texts(twin) <= texts(shop)
    kept = {
        line for line in twin.git("status", "--porcelain").splitlines() if "dead.md" not in line
    }
    now = {line for line in shop.git("status", "--porcelain").splitlines() if "dead.md" not in line}
    assert now == kept
