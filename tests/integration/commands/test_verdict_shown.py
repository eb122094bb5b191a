"""`cortex verdicts show`: words and numbers, of whole experiments and of what is left of some."""

import sqlite3
from pathlib import Path

import pytest
from tests.integration.commands.conftest import Shell, States


@pytest.fixture
def cut_short(shop: Shell, states: States, proposed: str) -> str:
    """A candidate whose experiment may run two pairs at most."""

    def gate() -> str:
        config = shop.home / "config.toml"
        config.write_text(config.read_text("utf-8") + "[trials]\nmax_trials = 4\n", "utf-8")
        shop.json("gate", proposed)
        return proposed

    return states.reach("cut short", gate)


def forget(shop: Shell, *statements: str) -> None:
    """Take rows out of the store, as nothing in the product does."""
    (path,) = shop.home.rglob("*.db")
    with sqlite3.connect(path) as database:
        triggers = database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        for (name,) in triggers.fetchall():
            database.execute(f'DROP TRIGGER "{name}"')
        for statement in statements:
            database.execute(statement)


def test_everything_a_person_asks_is_answered(shop: Shell, gated: str) -> None:
    output = shop.run("verdicts", "show", gated).stdout
    for part in ("keep  add", "It helps", "of 4 times with", "E⁺", "threshold 20 reached",
                 "prompt", "Add `", "(held out)", "Tasks seen by the writer: ", "Tasks held out: ",
                 "Lift +", "Evidence against it: harm",
                 "What would change it:", "only the trial without the text passes would reopen it",
                 "At α = 0.01", "Nothing left to run: the ruling is final."):  # fmt: skip
        assert part in output, part


def test_the_same_is_there_as_json(shop: Shell, gated: str) -> None:
    shown = shop.json("verdicts", "show", gated)
    assert shown["outlook"]["reversal"]["pairs"] >= 1
    assert shown["judgement"]["e_value"] == shown["verdict"]["e_value"]
    assert shown["trajectory"][-1]["trials"] == shown["verdict"]["trials"]
    assert shown["thresholds"]["helps"] == shown["needed"] == pytest.approx(20, abs=0.5)
    assert shown["held_out"]["with_"] == shown["held_out"]["pairs"] == 1
    assert shown["seen"]["pairs"] + shown["held_out"]["pairs"] == shown["verdict"]["pairs"]
    assert shown["batch"] is None
    assert len(shown["changes"]) == 2
    assert shown["next_cost"].startswith("Nothing left to run")


def test_a_stopped_experiment_says_what_is_missing_and_what_more_costs(
    shop: Shell, cut_short: str
) -> None:
    output = shop.run("verdicts", "show", cut_short).stdout
    assert "undecided  add" in output
    assert "2 more pairs in which only the trial with the text passes would keep it." in output
    assert "The limit of pairs is reached; with a higher limit:" in output
    assert "Nothing left to run: the limit of pairs is reached." in output


def test_an_older_verdict_shows_its_own_trials_and_the_newer_one(
    shop: Shell, cut_short: str
) -> None:
    old = shop.json("verdicts", "show", cut_short)["verdict"]
    config = shop.home / "config.toml"
    config.write_text(config.read_text("utf-8").replace("max_trials = 4", ""), "utf-8")
    new = shop.json("gate", cut_short)["verdict"]
    assert (old["ruling"], new["ruling"]) == ("undecided", "keep")
    shown = shop.json("verdicts", "show", old["id"])
    assert shown["later"] == new["id"]
    assert shown["judgement"]["e_value"] == old["e_value"] != new["e_value"]
    assert shown["trajectory"][-1]["trials"] == old["trials"]
    assert new["id"] in shown["next_cost"]
    assert shop.json("verdicts", "show", cut_short)["later"] is None


def test_what_is_left_of_an_old_verdict_is_shown(shop: Shell, gated: str) -> None:
    verdict = shop.json("verdicts", "show", gated)["verdict"]["id"]
    forget(shop, "DELETE FROM trials")
    without_trials = shop.run("verdicts", "show", verdict)
    assert "keep  add" in without_trials.stdout
    assert "E⁺" in without_trials.stdout
    assert "no longer in this database" in without_trials.stdout
    assert "no longer in this database" in shop.refuses("verdicts", "show", verdict, "--plot")
    forget(shop, "DELETE FROM candidates")
    assert "keep  (unknown text)" in shop.run("verdicts", "show", verdict).stdout
    assert "(unknown text)" in shop.run("verdicts").stdout
    shown = shop.json("verdicts", "show", verdict)
    assert (shown["candidate"], shown["outlook"]) == (None, None)


def test_text_that_cannot_load_has_nothing_to_draw(shop: Shell) -> None:
    shop.json("prune", "storefront", "--yes")
    verdict = shop.json("verdicts")["verdicts"][-1]["verdict"]["id"]
    output = shop.run("verdicts", "show", verdict).stdout
    assert "unused  remove storefront" in output
    assert "Only a task that can load it would change this" in output
    assert "no pair has finished yet" in shop.refuses("verdicts", "show", verdict, "--plot")


def test_an_unknown_verdict_is_one_line(shop: Shell, tmp_path: Path) -> None:
    assert "no such verdict" in shop.refuses("verdicts", "show", "verdict-none")
