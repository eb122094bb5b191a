"""A change by hand that only a later session shows, whatever is ingested in between."""

import json
import uuid
from pathlib import Path
from typing import Any

from tests.integration.commands.conftest import Shell

from cortex_replay.agents.scripted import play

BOOK: dict[str, Any] = {
    "jobs": [
        {
            "match": "^Stamp (?P<file>\\S+)",
            "steps": [{"append": "<<file>>", "text": "stamp = datetime.now()\nlater = 2\n"}],
        },
        {"match": "^Look at (?P<file>\\S+)", "steps": [{"read": "<<file>>"}]},
        {"match": "^Rest", "steps": [{"say": "Resting."}]},
    ],
    "slip": 0,
}


def session(shell: Shell, folder: Path, prompt: str, hour: int) -> None:
    request = {
        "prompt": prompt,
        "workspace": str(shell.cwd),
        "state": str(folder),
        "session_id": str(uuid.uuid5(uuid.NAMESPACE_URL, prompt)),
        "seed": hour,
        "interactive": True,
        "playbook": str(shell.home.parent / "book.json"),
        "started_at": f"2026-01-05T{hour:02}:00:00+00:00",
    }
    play(request, shell.home.parent)


def test_a_session_found_later_does_not_hide_a_change_by_hand(empty: Shell, tmp_path: Path) -> None:
    (tmp_path / "book.json").write_text(json.dumps(BOOK), "utf-8")
    first, between = tmp_path / "agent", tmp_path / "other"
    first.mkdir()
    between.mkdir()
    file = empty.cwd / "a.py"
    file.write_text("x = 1\n", "utf-8")
    session(empty, first, "Stamp a.py", 9)
    file.write_text(file.read_text("utf-8").replace("datetime", "clock"), "utf-8")
    session(empty, first, "Look at a.py", 12)
    (correction,) = empty.json("ingest", str(first))["corrections"]
    assert correction["signal"] == "hand-edit"
    session(empty, between, "Rest a while", 10)
    assert empty.json("ingest", str(between))["corrections"] == []
    (theme,) = empty.json("themes")["themes"]
    assert theme["introduced"] == ["clock.now()"]
