"""Lines of the ledger that others wrote: proposals, until this person accepts them."""

import json
from pathlib import Path

import pytest

from cortex.artifacts import decisions, ledger

from .conftest import Repository, cortex


@pytest.fixture
def shop(bare: Repository) -> Repository:
    """With the hook, and with a line that a pull request brought afterwards."""
    assert cortex(bare, "hook", "install").returncode == 0
    bare.commit("--allow-empty")
    pull(bare, "good")
    return bare


def pull(repository: Repository, name: str) -> None:
    """Merge a branch on which somebody else declared a rule prunable."""
    repository.git("checkout", "-q", "-b", "pull-request")
    path = f".claude/rules/{name}.md"
    before = {entry.path: entry for entry in ledger.read(repository.root)}
    line = ledger.LedgerEntry(path, before[path].digest, "prune", reason="r", date="2099-01-01")
    repository.record(line, accepted=False)
    decided = decisions.read(repository.decisions())
    decided.pop(decisions.key_of(line), None)
    repository.decisions().write_text("")
    decisions.record(repository.decisions(), decided.values())
    repository.git("add", "-A")
    repository.commit("--no-verify")
    repository.git("checkout", "-q", "main")
    repository.git("merge", "-q", "--ff-only", "pull-request")


def entries(repository: Repository) -> list[dict[str, object]]:
    listed = cortex(repository, "inbox", "--json")
    assert listed.returncode == 0, listed.stderr
    return list(json.loads(listed.stdout)["inbox"])


def identity(repository: Repository) -> str:
    (entry,) = entries(repository)
    candidate = entry["candidate"]
    assert isinstance(candidate, dict)
    return str(candidate["id"])


def own_configuration(repository: Repository, text: str) -> None:
    folder = repository.home / "cortex"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.toml").write_text(text)


def test_a_line_of_a_pull_request_removes_nothing(shop: Repository) -> None:
    said_at_commit = shop.commit("--allow-empty")
    assert "verdicts of others that you have not accepted: prune good" in said_at_commit
    assert shop.rule("good").exists()
    assert ".claude/rules/good.md" in shop.committed()


def test_it_is_in_the_inbox_with_its_evidence(shop: Repository) -> None:
    (entry,) = entries(shop)
    assert entry["stated"] is True
    assert entry["verdict"]["reason"] == "r"  # type: ignore[index]
    listed = cortex(shop, "inbox", "--diff").stdout
    assert "remove good: prune, a colleague's verdict" in listed
    assert "-Raise ShopError." in listed
    shown = cortex(shop, "verdicts", "show", identity(shop)).stdout
    assert "no trial of yours is behind it" in shown


def test_accepting_it_removes_the_text(shop: Repository) -> None:
    accepted = cortex(shop, "accept", identity(shop))
    assert accepted.returncode == 0, accepted.stderr
    assert not shop.rule("good").exists()
    assert [grave.read_text() for grave in shop.graves() if "good" in str(grave)] == [
        "Raise ShopError.\n"
    ]
    assert entries(shop) == []


def test_dismissing_it_ends_the_matter(shop: Repository) -> None:
    dismissed = cortex(shop, "bury", identity(shop))
    assert dismissed.returncode == 0, dismissed.stderr
    assert entries(shop) == []
    assert "not accepted" not in shop.commit("--allow-empty")
    assert shop.rule("good").exists()


def test_restored_text_is_not_removed_again(shop: Repository) -> None:
    assert cortex(shop, "accept", identity(shop)).returncode == 0
    (grave,) = [grave for grave in shop.graves() if "good" in str(grave)]
    assert cortex(shop, "restore", grave.parent.name).returncode == 0
    shop.git("checkout", "-q", "main", "--", ".cortex/verdicts.jsonl")
    shop.git("add", "-A")
    shop.commit("--allow-empty")
    assert shop.rule("good").exists()
    assert entries(shop) == []


def test_a_team_may_trust_its_repository(shop: Repository) -> None:
    own_configuration(shop, '[hook]\ntrust = "repository"\n')
    assert entries(shop) == []
    assert "removed good (prune)" in shop.commit("--allow-empty")


def test_a_repository_cannot_trust_itself(shop: Repository) -> None:
    (shop.root / ".cortex" / "config.toml").write_text('[hook]\ntrust = "repository"\n')
    shop.git("add", "-A")
    shop.commit()
    assert shop.rule("good").exists()
    refused = cortex(shop, "status")
    assert refused.returncode == 2
    assert "[hook] trust may only be set in your own" in refused.stderr


def test_installing_accepts_what_is_there_and_names_it(bare: Repository) -> None:
    bare.decisions().unlink()
    installed = cortex(bare, "hook", "install")
    assert "Accepted .claude/rules/dead.md: prune" in installed.stdout
    assert "removed dead (prune)" in bare.commit("--allow-empty")


def test_installing_again_accepts_nothing_new(shop: Repository) -> None:
    again = cortex(shop, "hook", "install")
    assert "Accepted" not in again.stdout
    shop.commit("--allow-empty")
    assert shop.rule("good").exists()


def test_installing_may_accept_nothing(bare: Repository) -> None:
    bare.decisions().unlink()
    assert "Accepted" not in cortex(bare, "hook", "install", "--own").stdout
    assert "not accepted: prune dead" in bare.commit("--allow-empty")
    assert bare.rule("dead").exists()


def test_work_trees_share_what_was_accepted(bare: Repository, tmp_path: Path) -> None:
    bare.git("worktree", "add", "-q", str(tmp_path / "other"))
    other = Repository(tmp_path / "other", bare.home)
    assert cortex(bare, "hook", "install").returncode == 0
    assert "removed dead (prune)" in other.commit("--allow-empty")


def test_decisions_that_cannot_be_read_accept_nothing(shop: Repository) -> None:
    shop.decisions().write_text('[[[[\n{"path": 3}\nnull\n{"path": "a"}\n')
    shop.commit("--allow-empty")
    assert shop.rule("good").exists()
    assert shop.rule("idle").exists()


def test_own_files_are_private(shop: Repository) -> None:
    file = shop.decisions()
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700
