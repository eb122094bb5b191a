"""The verdict above a piece of text, and its age."""

from pathlib import Path

from cortex.artifacts import harness, ledger
from cortex_lsp.lenses import Lens, lenses

TEXT = "# Shop\n\n## Errors\n\nRaise ShopError.\n\n## Time\n\nUse clock.now().\n"


def test_a_verdict_stands_above_its_section_and_tells_when_it_is_stale(tmp_path: Path) -> None:
    (section,) = (one for one in harness.parse({"CLAUDE.md": TEXT}) if one.heading == "Time")
    line = {"path": "CLAUDE.md", "heading": "Time", "digest": section.digest}
    ledger.record(tmp_path, {**line, "verdict": "retain", "pairs": 7})
    assert lenses(tmp_path, "CLAUDE.md", TEXT) == (Lens(6, "Cortex: retain · 7 pairs"),)
    edited = TEXT.replace("Use clock", "Call clock")
    (stale,) = lenses(tmp_path, "CLAUDE.md", edited)
    assert stale.title == "Cortex: retain · 7 pairs (stale: text changed)"


def test_other_files_and_text_without_a_verdict_show_nothing(tmp_path: Path) -> None:
    assert lenses(tmp_path, "CLAUDE.md", TEXT) == ()
    assert lenses(tmp_path, "src/a.py", "x = 1\n") == ()
