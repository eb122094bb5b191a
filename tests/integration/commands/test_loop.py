"""The main loop by its commands, on recorded sessions with the scripted agent."""

import json
from pathlib import Path

from tests.integration.commands.conftest import Shell

SAMPLES = Path(__file__).parents[2] / "data" / "transcripts"


def test_reading_twice_adds_nothing(shop: Shell) -> None:
    again = shop.json("ingest", str(shop.home.parent / "agent"))
    assert (again["events"], again["corrections"], again["tasks"]) == (0, [], [])
    assert len(shop.json("corrections")["corrections"]) >= 12


def test_real_transcripts(empty: Shell) -> None:
    paths = [str(path) for path in sorted(SAMPLES.glob("*.transcript.jsonl"))]
    first = empty.json("ingest", *paths)
    assert {correction["content"] for correction in first["corrections"]} == {
        "no, use the plus operator instead",
        "stop, use httpx instead of requests",
    }
    assert empty.json("ingest", *paths)["corrections"] == []
    more = empty.json("ingest", "--include-headless", *paths)["corrections"]
    assert [correction["content"] for correction in more] == [
        "no, use httpx instead of requests - we never use requests here"
    ]


def test_evolve_keeps_what_helps_and_restores_what_it_buried(shop: Shell) -> None:
    (cycle,) = shop.json("evolve")["cycles"]
    assert cycle["verdict"]["ruling"] == "keep"
    path = shop.cwd / cycle["candidate"]["artifact"]["path"]
    assert path.read_text("utf-8") == cycle["candidate"]["artifact"]["text"]
    ledger = (shop.cwd / ".cortex" / "verdicts.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["verdict"] for line in ledger] == ["keep"]
    assert shop.run("verify").stdout.strip() == "OK: all verdicts re-derived from stored trials."


def test_a_suggestion_is_measured_before_it_is_added(shop: Shell, tmp_path: Path) -> None:
    file = tmp_path / "tidy.md"
    file.write_text('---\npaths: ["billing/**/*.py"]\n---\nWrite tidy code.\n', "utf-8")
    candidate = shop.json("propose", "--from", str(file))["candidate"]["id"]
    assert not (shop.cwd / ".claude" / "rules" / "tidy.md").exists()
    gated = shop.json("gate", candidate, "--apply")
    assert gated["verdict"]["ruling"] == "bury"
    (entry,) = shop.json("restore")["graveyard"]
    assert entry["text"] == file.read_text("utf-8")
    assert shop.run("restore", entry["id"]).returncode == 0
    restored = shop.cwd / ".claude" / "rules" / "tidy.md"
    assert restored.read_bytes() == file.read_bytes()


def test_prune_shows_its_plan_and_does_nothing_without_a_yes(shop: Shell) -> None:
    done = shop.run("prune")
    assert done.returncode == 0
    assert "naming" in done.stdout
    assert "--yes" in done.stdout
    assert shop.json("verdicts")["verdicts"] == []


def test_prune_removes_dead_weight_and_leaves_unused_text(shop: Shell) -> None:
    naming = shop.cwd / ".claude" / "rules" / "naming.md"
    before = naming.read_bytes()
    cycles = shop.json("prune", "--yes", "naming", "storefront")["cycles"]
    rulings = {
        cycle["candidate"]["artifact"]["path"]: cycle["verdict"]["ruling"] for cycle in cycles
    }
    assert rulings == {".claude/rules/naming.md": "prune", ".claude/rules/storefront.md": "unused"}
    assert not naming.exists()
    assert (shop.cwd / ".claude" / "rules" / "storefront.md").exists()
    (entry,) = shop.json("restore")["graveyard"]
    assert shop.run("restore", entry["id"]).returncode == 0
    assert naming.read_bytes() == before


def test_an_edit_during_the_trials_is_not_overwritten(shop: Shell, gated: str) -> None:
    path = shop.cwd / shop.json("verdicts", "show", gated)["candidate"]["artifact"]["path"]
    path.write_text("mine\n", "utf-8")
    assert "already exists" in shop.refuses("accept", gated)
    assert path.read_text("utf-8") == "mine\n"


def test_a_dismissed_correction_takes_its_tasks_along(shop: Shell) -> None:
    correction = shop.json("corrections")["corrections"][0]["id"]
    assert "Dismissed correction" in shop.run("tasks", "dismiss", correction).stdout
    ids = [correction["id"] for correction in shop.json("corrections")["corrections"]]
    assert correction not in ids
    (task,) = shop.json("tasks", "--status", "dismissed")["tasks"]
    assert task["correction_ids"] == [correction]


def test_admission_can_be_proven_again(shop: Shell) -> None:
    task = shop.json("tasks")["tasks"][0]["id"]
    assert shop.run("tasks", "check", task).stdout.strip() == f"{task}: admitted"
