"""Published outcomes reach the shipping rule unchanged, and every difference is explained."""

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


def candidate_of(*counts: Counts, loads: int | None = None, kind: str = "rule") -> Candidate:
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
        theme=frozenset(task.task for task in counts),
        sweeps=(Sweep(counts, loads, None),),
        lab_trials=sum(2 * task.runs for task in counts),
    )


LIFTS = [Counts(str(n), 5, 0, 5, True) for n in range(3)]
ALL_CANDIDATES = [*candidates.planted(), *candidates.proposed()]


def test_all_published_candidates_are_read() -> None:
    assert len(candidates.planted()) == 29
    assert len(candidates.proposed()) == 16
    names = [candidate.id for candidate in ALL_CANDIDATES]
    assert len(set(names)) == len(names)
    assert {candidate.recorded for candidate in ALL_CANDIDATES} == {"KEEP", "KILL", "RERUN"}


@pytest.mark.parametrize("candidate", ALL_CANDIDATES, ids=lambda candidate: candidate.id)
def test_a_resample_only_reorders(candidate: Candidate) -> None:
    unused = shuffled(candidate, random.Random(1), visible=False)
    for task in candidate.tasks:
        published = [
            counts for sweep in candidate.sweeps for counts in sweep.counts if counts.task == task
        ]
        trials = unused[task]
        runs = sum(counts.runs for counts in published)
        assert len(trials.without) == len(trials.with_) == runs
        assert sum(trials.without) == sum(counts.without for counts in published)
        assert sum(passed for passed, _ in trials.with_) == sum(c.with_ for c in published)
    loads = sum(loaded is True for trials in unused.values() for _, loaded in trials.with_)
    totals = [sweep.loads for sweep in candidate.sweeps]
    if None not in totals:
        assert loads == sum(total for total in totals if total is not None)


def test_loads_are_on_tasks_where_the_text_was_visible() -> None:
    money = next(
        candidate for candidate in candidates.planted() if candidate.name == "billing-money"
    )
    for seed in range(20):
        unused = shuffled(money, random.Random(seed), visible=False)
        loading_tasks = {
            task for task, trials in unused.items() if any(loaded for _, loaded in trials.with_)
        }
        assert loading_tasks == {task for task, exposed in money.tasks.items() if exposed}


def test_a_trial_known_not_to_load_is_not_loaded() -> None:
    clock = next(
        candidate for candidate in candidates.proposed() if candidate.id == "R1/shop-clock-rule"
    )
    unused = shuffled(clock, random.Random(3), visible=False)
    assert [passed for passed, loaded in unused["04"].with_ if not loaded] == [False]


def test_a_rule_loads_and_a_skill_is_unknown_where_nothing_is_published() -> None:
    for kind, expected in (("rule", True), ("skill", None)):
        unused = shuffled(candidate_of(*LIFTS, kind=kind), random.Random(1), visible=False)
        assert {loaded for trials in unused.values() for _, loaded in trials.with_} == {expected}


def test_screens_come_before_confirms() -> None:
    screen = Sweep((Counts("a", 2, 0, 2, True),), None, None)
    confirm = Sweep((Counts("a", 3, 3, 0, True),), None, None)
    candidate = replace(candidate_of(*LIFTS), sweeps=(screen, confirm), theme=frozenset("a"))
    unused = shuffled(candidate, random.Random(1), visible=False)["a"]
    assert [unused.without.pop() for _ in range(5)] == [False] * 2 + [True] * 3
    assert [unused.with_.pop()[0] for _ in range(5)] == [True] * 2 + [False] * 3


def test_a_large_lift_is_kept_early_and_a_skill_that_never_opens_is_buried() -> None:
    kept = replay(candidate_of(*LIFTS), 5, 1)
    assert kept.modal == "keep"
    assert kept.mean_trials < kept.candidate.trials / 2
    never_loaded = replay(candidate_of(*LIFTS, loads=0, kind="skill"), 5, 1)
    assert never_loaded.modal == "bury"
    assert never_loaded.typical.judgement.diagnosis == "never loaded"


def test_too_few_trials_are_undecided() -> None:
    short = replay(candidate_of(Counts("a", 2, 0, 1, True)), 4, 1)
    assert short.shares == {"undecided": 1.0}
    assert short.mean_trials == 4


def test_runs_outside_of_the_batch_come_last_and_tasks_that_cannot_load_never_run() -> None:
    theme, other = Counts("a", 2, 0, 1, True), Counts("b", 2, 1, 1, True)
    elsewhere = Counts("c", 2, 1, 1, False)
    candidate = replace(candidate_of(theme, other, elsewhere), theme=frozenset("a"))
    for resample in replay(candidate, 4, 1).resamples:
        assert [pair.task_id for pair in resample.pairs] == ["a", "a", "b", "b"]
        assert resample.ruling == "undecided"


def test_trials_of_both_arms_are_reordered() -> None:
    candidate = candidate_of(Counts("a", 6, 3, 3, True))
    orders = [shuffled(candidate, random.Random(seed), visible=False)["a"] for seed in range(9)]
    assert len({tuple(trials.without) for trials in orders}) > 1
    assert len({tuple(trials.with_) for trials in orders}) > 1


def test_the_same_seed_gives_the_same_orders() -> None:
    mixed = candidate_of(*(Counts(str(n), 4, 1, 3, True) for n in range(3)))
    assert replay(mixed, 6, 1) == replay(mixed, 6, 1)
    assert [resample.pairs for resample in replay(mixed, 6, 1).resamples] != [
        resample.pairs for resample in replay(mixed, 6, 2).resamples
    ]


def test_every_order_uses_each_trial_at_most_once_and_stops_where_the_rule_stops() -> None:
    candidate = next(
        candidate for candidate in candidates.proposed() if candidate.id == "D0/use-billing-helpers"
    )
    for resample in replay(candidate, 10, 1).resamples:
        for task in candidate.tasks:
            runs = sum(c.runs for s in candidate.sweeps for c in s.counts if c.task == task)
            pairs = [pair for pair in resample.pairs if pair.task_id == task]
            used = Counter(arm for pair in pairs for arm in pair.arms)
            assert max(used.values(), default=0) <= runs
        specs = specs_of(candidate)
        before = judge(candidate.direction, specs, resample.pairs[:-1], POLICY)
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
    replayed = replay(dead, 3, 1)
    assert (replayed.modal, comparing.agreement(replayed)) == ("prune", "agrees")
    for task in tasks:
        task["cand"] = 0
    path.write_text(json.dumps(row), "utf-8")
    (needed,) = candidates.proposed(path, totals)
    assert needed.sweeps[0].net == 48
    assert replay(needed, 3, 1).modal == "retain"


@pytest.mark.parametrize("passes", [True, False])
def test_a_removal_that_never_loads_is_unused_whatever_the_outcomes(passes: bool) -> None:
    (row,) = [removal for removal in comparing.removal_rows() if removal["loads"] == 0]
    assert row["ruling"] == "unused"
    specs = specs_of(candidate_of(*LIFTS))
    pairs = [Pair(spec.id, passes, passes, False) for spec in specs for _ in range(3)]
    assert judge(Direction.REMOVE, specs, pairs, POLICY).ruling == "unused"


def test_every_difference_has_an_explanation_with_its_figures() -> None:
    slow = {"C1/billing-money", "R3/shop-clock-access"}
    for candidate in ALL_CANDIDATES:
        if candidate.id in slow:
            continue
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
    assert set(notes) <= {candidate.id for candidate in ALL_CANDIDATES}


@pytest.mark.parametrize(
    ("recorded", "expected"), [("KEEP", "agrees"), ("KILL", "differs"), ("RERUN", "differs")]
)
def test_agreement(recorded: str, expected: str) -> None:
    replayed = replay(replace(candidate_of(*LIFTS), recorded=recorded), 2, 1)
    assert comparing.agreement(replayed) == expected
    short = replay(replace(candidate_of(Counts("a", 2, 0, 1, True)), recorded=recorded), 2, 1)
    assert comparing.agreement(short) == ("agrees" if recorded == "RERUN" else "undecided")


def test_placebos_are_kept_in_no_order_opened_or_not() -> None:
    for candidate in candidates.planted():
        if candidate.expected == "KILL":
            for visible in (False, True):
                assert "keep" not in replay(candidate, 3, 1, visible=visible).shares


def test_invalid_options_are_a_single_error_line(capsys: pytest.CaptureFixture[str]) -> None:
    for options in (["--resamples", "0"], ["--resamples", "few"], ["--nothing"]):
        assert replay_reference.main(options) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)


def test_hand_written_parts_of_the_page_are_kept() -> None:
    page = f"words\n{pages.START}\nold\n{pages.END}\nmore words\n"
    once = pages.replace_between(page, "new\n")
    assert once == pages.replace_between(once, "new\n")
    assert once.startswith("words\n")
    assert once.endswith("more words\n")
    assert "old" not in once


def test_the_benchmarks_page_has_every_scenario_and_takes_new_outcomes() -> None:
    scenarios = (SCENARIOS[4], holdout.shipped()[0])
    simulated = gate.report(scenarios, 4, 1)
    row = comparing.row(replay(candidate_of(*LIFTS), 2, 1), None)
    replayed = {"commit": "c" * 40, "resamples": 2, "rows": [row]}
    page = pages.benchmarks(simulated, replayed, scenarios)
    for scenario in scenarios:
        lines = [line for line in page.splitlines() if line.startswith(f"| {scenario.name} |")]
        assert len(lines) == 2
        assert sum(line.count("%, ") for line in lines) == 4
    assert f"Commit `{simulated['commit'][:12]}`" in page
    updated = pages.with_outcomes(page, replayed | {"commit": "d" * 40})
    assert updated == page.replace("c" * 12, "d" * 12)


def test_the_typical_resample_has_the_most_frequent_ruling() -> None:
    mixed = candidate_of(*(Counts(str(n), 4, 1, 3, True) for n in range(3)))
    replayed = replay(mixed, 12, 1)
    assert replayed.typical.ruling == replayed.modal
    assert isinstance(replayed, Replayed)
    assert sum(replayed.shares.values()) == pytest.approx(1)
