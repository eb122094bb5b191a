"""The shared file of verdicts."""

from pathlib import Path
from typing import Any

import pytest

from cortex.artifacts import ledger
from cortex.artifacts.ledger import LedgerEntry
from cortex.errors import UsageError


def line(path: str, heading: str | None = None, **more: Any) -> LedgerEntry:
    return LedgerEntry(
        **{"path": path, "heading": heading, "digest": "d", "verdict": "keep", **more}
    )


def test_one_line_for_each_artifact_sorted(tmp_path: Path) -> None:
    for path, heading in [("b.md", None), ("a.md", "Z"), ("a.md", "Ü"), ("a.md", None)]:
        ledger.record(tmp_path, line(path, heading, date="2026-01-01"))
    ledger.record(tmp_path, line("a.md", "Z", verdict="prune", date="2026-02-01"))
    entries = ledger.read(tmp_path)
    places = [entry.key for entry in entries]
    assert places == [("a.md", None), ("a.md", "Z"), ("a.md", "Ü"), ("b.md", None)]
    assert entries[1].verdict == "prune"
    text = ledger.path_in(tmp_path).read_text("utf-8")
    assert text.count("\n") == 4
    assert "Ü" in text


def test_recording_the_same_again_changes_no_byte(tmp_path: Path) -> None:
    ledger.record(tmp_path, line("a.md", lift=0.5, pairs=3))
    before = ledger.path_in(tmp_path).read_bytes()
    ledger.record(tmp_path, line("a.md", pairs=3, lift=0.5))
    assert ledger.path_in(tmp_path).read_bytes() == before


def test_an_unfinished_merge_reads_as_the_newer_verdict(tmp_path: Path) -> None:
    ledger.record(tmp_path, line("a.md", verdict="retain", date="2026-03-01"))
    file = ledger.path_in(tmp_path)
    ours = file.read_text()
    theirs = ours.replace("retain", "prune").replace("2026-03", "2026-02")
    file.write_text(f"<<<<<<< HEAD\n{ours}=======\n{theirs}>>>>>>> other\n")
    assert [entry.verdict for entry in ledger.read(tmp_path)] == ["retain"]


def test_a_strange_line_is_passed_over_by_readers_and_never_written_away(tmp_path: Path) -> None:
    ledger.record(tmp_path, line("a.md"))
    file = ledger.path_in(tmp_path)
    file.write_text(file.read_text() + "my own note\n")
    assert len(ledger.read(tmp_path)) == 1
    with pytest.raises(UsageError, match=r"verdicts\.jsonl:2"):
        ledger.record(tmp_path, line("b.md"))
    assert "my own note" in file.read_text()


def test_forgetting_takes_one_line_out(tmp_path: Path) -> None:
    ledger.record(tmp_path, line("a.md"))
    ledger.record(tmp_path, line("a.md", "Z"))
    ledger.forget(tmp_path, "a.md", "Z")
    ledger.forget(tmp_path, "a.md", "Nine")
    assert [entry.heading for entry in ledger.read(tmp_path)] == [None]


def test_no_file_is_no_verdict_and_nothing_to_forget(tmp_path: Path) -> None:
    assert ledger.read(tmp_path) == ()
    ledger.forget(tmp_path, "a.md", None)
    assert not ledger.path_in(tmp_path).exists()


WRONG = [
    ("pairs", "NaN"), ("pairs", "1e999"), ("pairs", '"3"'), ("pairs", "true"),
    ("lift", "-Infinity"), ("e_value", "1" + "0" * 400), ("date", "null"),
    ("reason", '["x"]'), ("verdict", "{}"),
    ("digest", "7"), ("model", "3"), ("lift", '"x"'),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_values_of_a_wrong_type_are_skipped_and_never_written_away(
    tmp_path: Path, name: str, value: str
) -> None:
    ledger.record(tmp_path, line("a.md"))
    file = ledger.path_in(tmp_path)
    wrong = f'{{"path": "b.md", "digest": "d", "verdict": "keep", "{name}": {value}}}'
    file.write_text(file.read_text() + wrong + "\n")
    assert [entry.path for entry in ledger.read(tmp_path)] == ["a.md"]
    ledger.check(tmp_path)
    ledger.record(tmp_path, line("c.md"))
    assert [entry.path for entry in ledger.read(tmp_path)] == ["a.md", "c.md"]
    assert '"b.md"' in file.read_text()


def test_unknown_fields_are_kept(tmp_path: Path) -> None:
    ledger.record(tmp_path, line("a.md", extra={"team": "shop"}))
    ledger.record(tmp_path, line("b.md"))
    ledger.record(tmp_path, line("a.md", verdict="prune"))
    first, _ = ledger.read(tmp_path)
    assert (first.verdict, first.extra) == ("prune", {"team": "shop"})


def test_line_endings_of_a_checkout_do_not_matter(tmp_path: Path) -> None:
    ledger.record(tmp_path, line("a.md"))
    file = ledger.path_in(tmp_path)
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    ledger.record(tmp_path, line("b.md"))
    assert [entry.path for entry in ledger.read(tmp_path)] == ["a.md", "b.md"]
    assert b"\r" not in file.read_bytes()


def test_git_is_told_to_keep_the_bytes_once(tmp_path: Path) -> None:
    ledger.record(tmp_path, line("a.md"))
    attributes = tmp_path / ".cortex" / ".gitattributes"
    assert "graveyard/** -text" in attributes.read_text()
    attributes.write_text("mine\n")
    ledger.record(tmp_path, line("b.md"))
    assert attributes.read_text() == "mine\n"


def test_a_folder_that_leads_out_of_the_repository_is_refused(tmp_path: Path) -> None:
    root, outside = tmp_path / "repository", tmp_path / "outside"
    root.mkdir()
    outside.mkdir()
    (root / ".cortex").symlink_to(outside)
    with pytest.raises(UsageError, match="out of the repository"):
        ledger.record(root, line("a.md"))
    assert list(outside.iterdir()) == []
