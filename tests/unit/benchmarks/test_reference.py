"""Published outcomes go through the shipping rule unchanged, and every difference is explained."""

import json
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks import gate, holdout, pages, replay_reference
from benchmarks.reference import candidates, comparing
from benchmarks.reference.candidates import Candidate, Counts, Sweep
from benchmarks.reference.replay import POLICY, Replayed, replay, shuffled, specs_of
from benchmarks.scenarios import SCENARIOS

from cortex.judgement import Direction, judge
from cortex.model.trials import Pair


def made(*counts: Counts, loads: int | None = None, kind: str = "rule") -> Candidate:
    return Candidate(
        run="T",
        name="made",
        kind=kind,
        tier=kind,
        planted="",
        expected="",
        direction=Direction.ADD,
        recorded="KEEP",
        scored="KEEP",
        theme=frozenset(one.task for one in counts),
        sweeps=(Sweep(counts, loads, None),),
        lab_trials=sum(2 * one.runs for one in counts),
    )


LIFTS = [Counts(str(n), 5, 0, 5, True) for n in range(3)]
EVERYTHING = [*candidates.planted(), *candidates.proposed()]


def test_everything_published_is_read() -> None:
    assert len(candidates.planted()) == 29
    assert len(candidates.proposed()) == 16
    names = [one.id for one in EVERYTHING]
    assert len(set(names)) == len(names)
    assert {one.recorded for one in EVERYTHING} == {"KEEP", "KILL", "RERUN"}


@pytest.mark.parametrize("candidate", EVERYTHING, ids=lambda one: one.id)
def test_a_resample_only_reorders(candidate: Candidate) -> None:
    left = shuffled(candidate, random.Random(1), visible=False)
    for task in candidate.tasks:
        mine = [one for sweep in candidate.sweeps for one in sweep.counts if one.task == task]
        assert len(left[task].without) == len(left[task].with_) == sum(one.runs for one in mine)
        assert sum(left[task].without) == sum(one.without for one in mine)
        assert sum(passed for passed, _ in left[task].with_) == sum(one.with_ for one in mine)
    loads = sum(loaded is True for one in left.values() for _, loaded in one.with_)
    totals = [sweep.loads for sweep in candidate.sweeps]
    if None not in totals:
        assert loads == sum(total for total in totals if total is not None)


def test_loads_lie_where_the_text_was_visible() -> None:
    money = next(one for one in candidates.planted() if one.name == "billing-money")
    for seed in range(20):
        left = shuffled(money, random.Random(seed), visible=False)
        seen = {task for task, one in left.items() if any(loaded for _, loaded in one.with_)}
        assert seen == {task for task, exposed in money.tasks.items() if exposed}


def test_a_trial_that_is_known_not_to_load_does_not() -> None:
    clock = next(one for one in candidates.proposed() if one.id == "R1/shop-clock-rule")
    left = shuffled(clock, random.Random(3), visible=False)
    assert [passed for passed, loaded in left["04"].with_ if not loaded] == [False]


def test_a_rule_loads_and_a_skill_is_unknown_where_nothing_is_published() -> None:
    for kind, expected in (("rule", True), ("skill", None)):
        left = shuffled(made(*LIFTS, kind=kind), random.Random(1), visible=False)
        assert {loaded for one in left.values() for _, loaded in one.with_} == {expected}


def test_screens_come_before_confirms() -> None:
    screen = Sweep((Counts("a", 2, 0, 2, True),), None, None)
    confirm = Sweep((Counts("a", 3, 3, 0, True),), None, None)
    candidate = replace(made(*LIFTS), sweeps=(screen, confirm), theme=frozenset("a"))
    left = shuffled(candidate, random.Random(1), visible=False)["a"]
    assert [left.without.pop() for _ in range(5)] == [False] * 2 + [True] * 3
    assert [left.with_.pop()[0] for _ in range(5)] == [True] * 2 + [False] * 3


def test_a_large_lift_is_kept_early_and_a_skill_that_never_opens_is_buried() -> None:
    kept = replay(made(*LIFTS), 5, 1)
    assert kept.modal == "keep"
    assert kept.mean_trials < kept.candidate.trials / 2
    silent = replay(made(*LIFTS, loads=0, kind="skill"), 5, 1)
    assert silent.modal == "bury"
    assert silent.typical.judgement.diagnosis == "never loaded"


def test_used_up_trials_are_undecided() -> None:
    short = replay(made(Counts("a", 2, 0, 1, True)), 4, 1)
    assert short.shares == {"undecided": 1.0}
    assert short.mean_trials == 4


def test_what_the_scheduler_does_not_ask_for_is_offered_last_and_what_cannot_load_never() -> None:
    theme, other = Counts("a", 2, 0, 1, True), Counts("b", 2, 1, 1, True)
    elsewhere = Counts("c", 2, 1, 1, False)
    candidate = replace(made(theme, other, elsewhere), theme=frozenset("a"))
    for one in replay(candidate, 4, 1).resamples:
        assert [pair.task_id for pair in one.pairs] == ["a", "a", "b", "b"]
        assert one.ruling == "undecided"


def test_trials_of_both_arms_are_reordered() -> None:
    candidate = made(Counts("a", 6, 3, 3, True))
    lefts = [shuffled(candidate, random.Random(seed), visible=False)["a"] for seed in range(9)]
    assert len({tuple(one.without) for one in lefts}) > 1
    assert len({tuple(one.with_) for one in lefts}) > 1


def test_the_same_seed_gives_the_same_orders() -> None:
    mixed = made(*(Counts(str(n), 4, 1, 3, True) for n in range(3)))
    assert replay(mixed, 6, 1) == replay(mixed, 6, 1)
    assert [one.pairs for one in replay(mixed, 6, 1).resamples] != [
        one.pairs for one in replay(mixed, 6, 2).resamples
    ]


def test_every_order_uses_each_trial_at_most_once_and_stops_where_the_rule_stops() -> None:
    candidate = next(one for one in candidates.proposed() if one.id == "D0/use-billing-helpers")
    found = replay(candidate, 10, 1)
    for one in found.resamples:
        for task in candidate.tasks:
            runs = sum(c.runs for s in candidate.sweeps for c in s.counts if c.task == task)
            mine = [pair for pair in one.pairs if pair.task_id == task]
            used = Counter(arm for pair in mine for arm in pair.arms)
            assert max(used.values(), default=0) <= runs
        specs = specs_of(candidate)
        before = judge(candidate.direction, specs, one.pairs[:-1], POLICY)
        assert before.ruling is None


def test_removals_swap_the_arms_and_can_prune(tmp_path: Path) -> None:
    tasks = [{"task": str(n), "base": 12, "cand": 12, "exposed": True} for n in range(4)]
    row = {
        "run": "T", "candidate": "old", "kind": "rule", "tier": "rule", "mode": "remove",
        "phase": "confirm", "k": 12, "per_task": tasks, "fired_cand_runs": None,
        "sweep_verdict": "ACCEPT", "candidate_final": "ACCEPT",
    }  # fmt: skip
    path, totals = tmp_path / "sweeps.jsonl", tmp_path / "totals.jsonl"
    path.write_text(json.dumps(row), "utf-8")
    totals.write_text("", "utf-8")
    (dead,) = candidates.proposed(path, totals)
    assert dead.direction is Direction.REMOVE
    found = replay(dead, 3, 1)
    assert (found.modal, comparing.agreement(found)) == ("prune", "agrees")
    for one in tasks:
        one["cand"] = 0
    path.write_text(json.dumps(row), "utf-8")
    (needed,) = candidates.proposed(path, totals)
    assert needed.sweeps[0].net == 48
    assert replay(needed, 3, 1).modal == "retain"


@pytest.mark.parametrize("passes", [True, False])
def test_a_removal_that_never_loads_is_unused_whatever_the_outcomes(passes: bool) -> None:
    (row,) = [one for one in comparing.removal_rows() if one["loads"] == 0]
    assert row["ruling"] == "unused"
    specs = specs_of(made(*LIFTS))
    pairs = [Pair(spec.id, passes, passes, False) for spec in specs for _ in range(3)]
    assert judge(Direction.REMOVE, specs, pairs, POLICY).ruling == "unused"


def test_every_difference_has_an_explanation_with_its_figures() -> None:
    kept = {"C1/billing-money", "R3/shop-clock-access"}  # long replays
    for candidate in (one for one in EVERYTHING if one.id not in kept):
        row = comparing.row(replay(candidate, 3, 1), None)
        assert (row["agreement"] == "agrees") == (row["explanation"] == ""), candidate.id
        if row["explanation"]:
            assert row["explanation"].startswith(candidate.recorded)
            assert (
                str(row["e_value"]) in row["explanation"]
                or row["agreement"] == "differs"
                or ("not cleared" in row["explanation"])
            )


def test_notes_belong_to_candidates() -> None:
    notes = json.loads((candidates.DATA / "notes.json").read_text("utf-8"))
    assert set(notes) <= {one.id for one in EVERYTHING}


@pytest.mark.parametrize(
    ("recorded", "expected"), [("KEEP", "agrees"), ("KILL", "differs"), ("RERUN", "differs")]
)
def test_agreement(recorded: str, expected: str) -> None:
    found = replay(replace(made(*LIFTS), recorded=recorded), 2, 1)
    assert comparing.agreement(found) == expected
    short = replay(replace(made(Counts("a", 2, 0, 1, True)), recorded=recorded), 2, 1)
    assert comparing.agreement(short) == ("agrees" if recorded == "RERUN" else "undecided")


def test_placebos_are_kept_in_no_order_opened_or_not() -> None:
    for candidate in candidates.planted():
        if candidate.expected == "KILL":
            for visible in (False, True):
                assert "keep" not in replay(candidate, 3, 1, visible=visible).shares


def test_wrong_options_are_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    for options in (["--resamples", "0"], ["--resamples", "few"], ["--nothing"]):
        assert replay_reference.main(options) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)


def test_the_page_keeps_what_was_written_by_hand() -> None:
    page = f"words\n{pages.START}\nold\n{pages.END}\nmore words\n"
    once = pages.replace_between(page, "new\n")
    assert once == pages.replace_between(once, "new\n")
    assert once.startswith("words\n")
    assert once.endswith("more words\n")
    assert "old" not in once


def test_the_page_of_figures_has_every_scenario_and_takes_new_outcomes() -> None:
    scenarios = (SCENARIOS[4], holdout.shipped()[0])
    found = gate.report(scenarios, 4, 1)
    row = comparing.row(replay(made(*LIFTS), 2, 1), None)
    replayed = {"commit": "c" * 40, "resamples": 2, "rows": [row]}
    page = pages.benchmarks(found, replayed, scenarios)
    for one in scenarios:
        lines = [line for line in page.splitlines() if line.startswith(f"| {one.name} |")]
        assert len(lines) == 2
        assert sum(line.count("%, ") for line in lines) == 4
    assert f"Commit `{found['commit'][:12]}`" in page
    again = pages.with_outcomes(page, replayed | {"commit": "d" * 40})
    assert again == page.replace("c" * 12, "d" * 12)


def test_the_typical_order_is_of_the_most_frequent_ruling() -> None:
    found = replay(made(*(Counts(str(n), 4, 1, 3, True) for n in range(3))), 12, 1)
    assert found.typical.ruling == found.modal
    assert isinstance(found, Replayed)
    assert sum(found.shares.values()) == pytest.approx(1)
