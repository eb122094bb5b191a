"""The shared file of verdicts."""

from pathlib import Path

import pytest

from cortex.artifacts import ledger
from cortex.errors import UsageError


def line(path: str, heading: str | None = None, **more: object) -> dict[str, object]:
    return {"path": path, "heading": heading, "digest": "d", "verdict": "keep", **more}


def test_one_line_for_each_artifact_sorted(tmp_path: Path) -> None:
    for path, heading in [("b.md", None), ("a.md", "Z"), ("a.md", "Ü"), ("a.md", None)]:
        ledger.record(tmp_path, line(path, heading, date="2026-01-01"))
    ledger.record(tmp_path, line("a.md", "Z", verdict="prune", date="2026-02-01"))
    found = ledger.read(tmp_path)
    places = [(one["path"], one["heading"]) for one in found]
    assert places == [("a.md", None), ("a.md", "Z"), ("a.md", "Ü"), ("b.md", None)]
    assert found[1]["verdict"] == "prune"
    text = ledger.path_in(tmp_path).read_text("utf-8")
    assert text.count("\n") == 4
    assert "Ü" in text


def test_recording_the_same_again_changes_no_byte(tmp_path: Path) -> None:
    ledger.record(tmp_path, line("a.md", lift=0.5, pairs=3))
    before = ledger.path_in(tmp_path).read_bytes()
    ledger.record(tmp_path, dict(reversed(line("a.md", lift=0.5, pairs=3).items())))
    assert ledger.path_in(tmp_path).read_bytes() == before


def test_an_unfinished_merge_reads_as_the_newer_verdict(tmp_path: Path) -> None:
    ledger.record(tmp_path, line("a.md", verdict="retain", date="2026-03-01"))
    file = ledger.path_in(tmp_path)
    ours = file.read_text()
    theirs = ours.replace("retain", "prune").replace("2026-03", "2026-02")
    file.write_text(f"<<<<<<< HEAD\n{ours}=======\n{theirs}>>>>>>> other\n")
    assert [one["verdict"] for one in ledger.read(tmp_path)] == ["retain"]


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
    assert [one["heading"] for one in ledger.read(tmp_path)] == [None]


def test_no_file_is_no_verdict_and_nothing_to_forget(tmp_path: Path) -> None:
    assert ledger.read(tmp_path) == ()
    ledger.forget(tmp_path, "a.md", None)
    assert not ledger.path_in(tmp_path).exists()
