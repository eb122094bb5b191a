"""The packaged extension in a real VS Code, as a person uses it."""

from typing import Any

import pytest
from tests.editor.world import PRUNABLE, TRAPPED, World

from cortex.commands.queue import jobs
from cortex.model.jobs import JobStatus

pytestmark = [pytest.mark.editor, pytest.mark.timeout(600)]


def test_the_side_bar_shows_what_waits_and_the_harness(seen: dict[str, Any]) -> None:
    rows = seen["sidebar"]["rows"]
    assert any(row.startswith("use-clock-now, add: keep") for row in rows)
    assert any(row.startswith("naming, remove: prune") for row in rows)
    assert "check-limits, add: not measured" in rows
    assert any(row.startswith("api-errors, retain") for row in rows)
    assert any(row.startswith("naming, prunable") for row in rows)
    assert any(row.startswith("storefront, unused") for row in rows)
    assert any(row.startswith("Commands, not measured") for row in rows)
    assert "Graveyard, 3" in rows


def test_badge_and_status_bar_count_what_waits(seen: dict[str, Any]) -> None:
    assert seen["sidebar"]["badge"] == "3"
    assert "Cortex 3" in seen["sidebar"]["status"]


@pytest.mark.parametrize("scene", ["rule", "ruleLight"])
def test_a_rule_shows_its_verdict_above_the_text_and_among_the_problems(
    seen: dict[str, Any], scene: str
) -> None:
    assert "prunable" in seen[scene]["lens"]
    assert any(row.startswith("Prunable: It does not help") for row in seen[scene]["problems"])


def test_a_proposal_opens_as_a_diff_with_its_evidence(seen: dict[str, Any]) -> None:
    assert any(tab.startswith("add use-clock-now: keep") for tab in seen["diff"]["tabs"])
    assert any("Evidence for use-clock-now" in tab for tab in seen["evidence"]["tabs"])


def test_accepting_in_the_diff_writes_the_rule(seen: dict[str, Any], world: World) -> None:
    accepted = seen["accept"]
    assert accepted["before"] is False
    assert accepted["text"] == (world.shop.parent / "suggestions/use-clock-now.md").read_text()
    assert "added .claude/rules/use-clock-now.md" in accepted["notice"]
    assert accepted["tabs"] == [], "the diff of what was decided is closed"
    assert accepted["badge"] == "2"
    assert any(row.startswith("use-clock-now, keep") for row in accepted["rows"])


def test_pruning_by_code_action_moves_the_rule_to_the_graveyard(seen: dict[str, Any]) -> None:
    pruned = seen["prune"]
    assert any("Prune naming" in action for action in pruned["offered"])
    assert pruned["exists"] is False
    assert len(pruned["graves"]) == 1
    assert "removed naming" in pruned["notice"]
    assert "Graveyard, 4" in pruned["rows"]
    assert not any(row.startswith("naming,") for row in pruned["rows"])


def test_the_graveyard_gives_it_back_byte_for_byte(seen: dict[str, Any], world: World) -> None:
    assert seen["restore"] == {"exists": True, "graves": []}
    assert (world.shop / PRUNABLE).read_text() == world.committed(PRUNABLE)


def test_testing_now_queues_the_proposal(seen: dict[str, Any], world: World) -> None:
    assert "queued check-limits" in seen["testNow"]["notice"]
    with world.context() as context:
        assert [job.status for job in jobs(context)] == [JobStatus.QUEUED]


def test_no_program_of_the_workspace_is_started(seen: dict[str, Any], world: World) -> None:
    assert seen["sidebar"]["rows"]
    assert not (world.shop.parent / TRAPPED).exists()


def test_a_dead_server_is_started_again(seen: dict[str, Any]) -> None:
    first, second = seen["dyingServer"]["first"], seen["dyingServer"]["second"]
    assert len(first) == len(second) == 1
    assert first != second


def test_a_missing_server_is_said_with_a_way_out(seen: dict[str, Any]) -> None:
    missing = seen["missingServer"]
    assert "cortex.server.path names /nowhere/cortex-lsp" in missing["notice"]
    assert "Set Path" in missing["welcome"]
    assert "Look Again" in missing["welcome"]
