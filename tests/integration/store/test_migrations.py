"""A database of an earlier version opens, with its records under the names of today."""

import json
import sqlite3
from pathlib import Path

import pytest
from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from cortex_store import Store
from cortex_store.migrations import STEPS

BEFORE = "plain_names"
"""The step that renamed a table and two fields of records."""

CORRECTION = {
    "id": "corr-1", "session_id": "s", "signal": "follow-up", "words": "no, \x00 \ud800 httpx",
    "prompt_uuid": "p", "uuid": "u", "at": "2026-01-01T00:00:00.000Z", "cwd": "/shop",
}  # fmt: skip
VERDICT = {
    "id": "verdict-1", "candidate_id": "cand-1", "experiment_id": "exp-1", "ruling": "keep",
    "reason": "It helps.", "pairs": 3, "lift": 1.0, "e_value": 40.0, "harm_e_value": 0.1,
    "futility_e_value": 0.1, "loaded": 3, "tasks": [], "singles": 2,
}  # fmt: skip


@pytest.fixture
def old_database(tmp_path: Path) -> Path:
    """A database as the version before `BEFORE` left it."""
    path = tmp_path / "cortex.db"
    db = Database(sqlite3.connect(path), recursive_triggers=False)
    migrations = Migrations("cortex")
    for step in STEPS:
        migrations()(step)
    migrations.apply(db, stop_before=BEFORE)
    artifact = {"agent": "claude-code", "kind": "rule", "path": ".claude/rules/a.md"}
    candidate = {
        "id": "cand-1", "change": "add", "artifact": {**artifact, "text": "A.\n", "digest": "d"},
        "title": "a",
    }  # fmt: skip
    rows = (
        ("corrections", ("corr-1", "s", "/shop", "2026-01-01", 0, json.dumps(CORRECTION))),
        ("candidates", ("cand-1", "/shop", "kept", "2026-01-01", json.dumps(candidate))),
        ("experiments", ("exp-1", "cand-1", "{}", "2026-01-01")),
        ("verdicts", ("verdict-1", "/shop", "cand-1", "exp-1", "keep", "2026-01-01",
                      json.dumps(VERDICT))),
        ("settled", ("cand-1", "2026-01-01", "added .claude/rules/a.md")),
    )  # fmt: skip
    for table, values in rows:
        marks = ", ".join("?" * len(values))
        db.execute(f"INSERT INTO {table} VALUES ({marks})", values)
    db.conn.commit()
    db.close()
    return path


@pytest.mark.parametrize("read_only", [False, True])
def test_records_have_the_names_of_today(old_database: Path, read_only: bool) -> None:
    with Store.open(old_database, read_only=read_only) as store:
        (correction,) = store.corrections.all()
        assert correction.content == CORRECTION["words"]
        (verdict,) = store.verdicts.all("/shop")
        assert (verdict.single_arm, verdict.pairs) == (2, 3)
        assert store.candidates.get("cand-1") is not None
        assert store.candidates.pending("/shop") == ()
        assert store.candidates.decided_as("added .claude/rules/a.md") == {"cand-1"}


def test_verdicts_are_append_only_again(old_database: Path) -> None:
    with Store.open(old_database) as store, pytest.raises(sqlite3.IntegrityError):
        store.execute("UPDATE verdicts SET ruling = 'bury'")
    with Store.open(old_database) as store, pytest.raises(sqlite3.IntegrityError):
        store.execute("DELETE FROM verdicts")


def test_a_step_that_ran_is_not_run_again(old_database: Path) -> None:
    for _ in range(2):
        with Store.open(old_database) as store:
            assert len(store.corrections.all()) == 1
