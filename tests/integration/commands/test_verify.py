"""`cortex verify`: verdicts are re-derived from stored trials."""

import json
import sqlite3

from tests.integration.commands.conftest import Shell


def edit_lock(shop: Shell, change: dict[str, object]) -> None:
    """Change the locks of stored verdicts behind Cortex's back."""
    with sqlite3.connect(shop.home / "cortex.db") as raw:
        raw.execute("DROP TRIGGER verdicts_no_update")
        for key, text in raw.execute("SELECT id, record FROM verdicts").fetchall():
            record = json.loads(text)
            record["lock"] |= change
            raw.execute("UPDATE verdicts SET record = ? WHERE id = ?", (json.dumps(record), key))


def test_verdicts_are_derived_again(shop: Shell, gated: str) -> None:
    assert shop.run("verify").returncode == 0


def test_a_verdict_under_another_policy_is_a_problem(shop: Shell, gated: str) -> None:
    lock = shop.json("verdicts", "show", gated)["verdict"]["lock"]
    edit_lock(shop, {"lifetime": lock["lifetime"] | {"alpha": 1e-12}})
    verified = shop.run("verify")
    assert verified.returncode == 1
    assert "it says keep" in verified.stdout


def test_a_trial_of_an_unknown_task_is_a_problem(shop: Shell, gated: str) -> None:
    edit_lock(shop, {"specs": shop.json("verdicts", "show", gated)["verdict"]["lock"]["specs"][:1]})
    verified = shop.run("verify")
    assert verified.returncode == 1
    assert "is not a task of the experiment" in verified.stdout


def test_a_lock_of_another_version_is_a_problem_and_the_verdict_is_shown(
    shop: Shell, gated: str
) -> None:
    edit_lock(shop, {"policy": {"of_a_later_version": 1}})
    verified = shop.run("verify")
    assert verified.returncode == 1
    assert "its lock cannot be read" in verified.stdout
    shown = shop.json("verdicts", "show", gated)
    assert (shown["verdict"]["ruling"], shown["verdict"]["lock"]) == ("keep", None)
    assert shown["judgement"] is None
    assert "E⁺" in shop.run("verdicts", "show", gated).stdout
