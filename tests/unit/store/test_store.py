"""What the store keeps, and what it refuses to change."""

import json
import sqlite3
from dataclasses import asdict, replace

import pytest

from cortex.errors import UsageError
from cortex.model.artifacts import Artifact, ArtifactKind, Candidate, ChangeKind
from cortex.model.corrections import Correction, Signal
from cortex.model.experiments import ExperimentLock, Level, Policy, TaskRole, TaskSpec, lock_record
from cortex.model.sessions import Prompted, Session, Speaker
from cortex.model.tasks import BaseTree, Task, TaskStatus
from cortex.model.trials import Arm, Outcome, Trial
from cortex.model.verdicts import Ruling, Verdict
from cortex_store import Store
from cortex_store.sessions import FileMark
from cortex_store.verify import verify

ARTIFACT = Artifact("claude-code", ArtifactKind.RULE, ".claude/rules/a.md", "text\n", "d" * 64)
LOCK = ExperimentLock((TaskSpec("task-1", TaskRole.THEME),), Policy(), model="m")
CANDIDATE = Candidate("cand-1", ChangeKind.ADD, ARTIFACT, "a")
VERDICT = Verdict(
    "verdict-1", "cand-1", "exp-1", Ruling.KEEP, "It helps.", 3, 1.0, 27.0, 0.1, 0.2, 3, ()
)


def trial(number: int, arm: Arm, outcome: Outcome = Outcome.PASS, pair: int = 0) -> Trial:
    return Trial(
        f"trial-{number}",
        "exp-1",
        "task-1",
        pair,
        arm,
        outcome,
        cost_usd=0.25,
        started_at=f"2026-01-0{number}T00:00:00Z",
    )


@pytest.fixture
def store() -> Store:
    made = Store.memory()
    made.candidates.put("/shop", CANDIDATE)
    made.experiments.open("exp-1", "cand-1", LOCK)
    return made


def prompted(text: str) -> Prompted:
    return Prompted(text, "2026-01-01T00:00:00Z", text, Speaker.HUMAN, "/shop")


def test_a_fork_has_its_whole_history_but_shared_events_are_kept_once(store: Store) -> None:
    for name in ("first", "fork"):
        store.sessions.add(Session(name, "claude-code", name, "/shop"))
    assert store.sessions.append("first", [("a", prompted("a")), ("b", prompted("b"))]) == 2
    shared = [("a", prompted("a")), ("b", prompted("b")), ("c", prompted("c"))]
    assert store.sessions.append("fork", shared) == 1
    assert [event.uuid for event in store.sessions.events("fork")] == ["a", "b", "c"]
    assert store.execute("SELECT count(*) FROM events").fetchone() == (3,)


def test_file_marks_are_remembered(store: Store) -> None:
    assert store.sessions.offset("/t.jsonl") is None
    store.sessions.set_offset("/t.jsonl", FileMark(10, "x"))
    store.sessions.set_offset("/t.jsonl", FileMark(20, "y"))
    assert store.sessions.offset("/t.jsonl") == FileMark(20, "y")


def test_repositories_are_told_apart_by_path_components(store: Store) -> None:
    for cwd in ("/a/shop", "/a/shop/web", "/a/shopping"):
        correction = Correction(f"c{cwd}", "s", Signal.FOLLOW_UP, "w", "p", "u", "t", cwd)
        store.corrections.put(correction)
    assert {correction.cwd for correction in store.corrections.all("/a/shop")} == {
        "/a/shop",
        "/a/shop/web",
    }
    assert {correction.cwd for correction in store.corrections.all("/a/shop/")} == {"/a/shop/web"}


def test_what_was_dismissed_stays_dismissed(store: Store) -> None:
    correction = Correction("c", "s", Signal.FOLLOW_UP, "w", "p", "u", "t", "/shop")
    store.corrections.put(correction)
    store.corrections.dismiss("c")
    store.corrections.put(correction)
    assert store.corrections.all() == ()
    assert store.corrections.all(include_dismissed=True)[0].dismissed

    task = Task("t", "p", BaseTree("/shop", None), (), (), status=TaskStatus.ADMITTED)
    store.tasks.put(task)
    store.tasks.set_status("t", TaskStatus.DISMISSED, "by me")
    store.tasks.put(task)
    stored = store.tasks.get("t")
    assert stored is not None
    assert (stored.status, stored.reason) == (TaskStatus.DISMISSED, "by me")
    assert store.tasks.all("/shop", TaskStatus.ADMITTED) == ()


@pytest.mark.parametrize("verb", ["UPDATE trials SET cost_usd = 0", "DELETE FROM trials"])
def test_trials_are_append_only(store: Store, verb: str) -> None:
    store.experiments.add_trial(trial(1, Arm.WITH))
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        store.execute(verb)
    with pytest.raises(sqlite3.IntegrityError):
        store.experiments.add_trial(trial(1, Arm.WITH))


def test_verdicts_are_append_only_and_the_newest_counts(store: Store) -> None:
    store.verdicts.add("/shop", VERDICT)
    store.verdicts.add("/shop", replace(VERDICT, id="verdict-2", ruling=Ruling.BURY))
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        store.execute("DELETE FROM verdicts")
    newest = store.verdicts.latest("cand-1")
    assert newest is not None
    assert newest.id == "verdict-2"
    assert [verdict.id for verdict in store.verdicts.all("/shop")] == ["verdict-1", "verdict-2"]


def test_an_experiment_is_continued_only_under_its_own_lock(store: Store) -> None:
    store.experiments.add_trial(trial(1, Arm.WITH))
    assert store.experiments.open("exp-1", "cand-1", LOCK).lock == LOCK
    with pytest.raises(UsageError, match="conditions have changed"):
        store.experiments.open("exp-1", "cand-1", replace(LOCK, model="other"))
    assert len(store.experiments.trials("exp-1")) == 1


def test_pairs_need_a_valid_trial_of_each_arm(store: Store) -> None:
    for finished in (
        trial(1, Arm.WITHOUT, Outcome.INFRA),
        trial(2, Arm.WITHOUT, Outcome.FAIL),
        trial(3, Arm.WITH, Outcome.PASS),
        trial(4, Arm.WITH, Outcome.TIMEOUT, pair=1),
        trial(5, Arm.WITHOUT, Outcome.BUDGET, pair=1),
    ):
        store.experiments.add_trial(finished)
    (pair,) = store.experiments.pairs("exp-1")
    assert (pair.without, pair.with_) == (False, True)


def test_a_trial_alone_counts_by_itself_only_when_it_was_meant_to_be_alone(store: Store) -> None:
    for finished in (
        replace(trial(1, Arm.WITH, Outcome.PASS), alone=True),
        trial(2, Arm.WITH, Outcome.PASS, pair=1),
        replace(trial(3, Arm.WITHOUT, Outcome.INFRA, pair=2), alone=True),
        replace(trial(4, Arm.WITHOUT, Outcome.FAIL, pair=2), alone=True),
    ):
        store.experiments.add_trial(finished)
    first, second = store.experiments.pairs("exp-1")
    assert (first.without, first.with_, first.arms) == (None, True, (Arm.WITH,))
    assert (second.without, second.with_, second.loaded) == (False, None, False)


def test_spending_is_summed_from_a_moment_on(store: Store) -> None:
    assert store.experiments.mean_cost_usd() is None
    store.experiments.add_trial(trial(1, Arm.WITH))
    store.experiments.add_trial(trial(2, Arm.WITHOUT))
    assert store.experiments.spent_usd() == 0.5
    assert store.experiments.spent_usd("2026-01-02T00:00:00") == 0.25
    assert store.experiments.mean_cost_usd() == 0.25


def test_what_was_booked_counts_and_stays(store: Store) -> None:
    store.experiments.add_trial(trial(1, Arm.WITH))
    store.experiments.book("2026-01-02T10:00:00.000Z", 0.5, "self-test")
    assert store.experiments.spent_usd() == 0.75
    assert store.experiments.spent_usd("2026-01-02T00:00:00") == 0.5
    assert store.experiments.mean_cost_usd() == 0.25
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        store.execute("DELETE FROM expenses")


def test_a_transaction_is_whole_or_not_at_all(store: Store) -> None:
    def half_done() -> None:
        with store.transaction():
            store.key_values.set("a", "1")
            with store.transaction():
                store.key_values.set("b", "2")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        half_done()
    assert (store.key_values.get("a"), store.key_values.get("b")) == (None, None)


def test_previous_content_is_kept_byte_for_byte(store: Store) -> None:
    store.file_history.save_previous("/shop", "CLAUDE.md", None, "t1", "keep")
    store.file_history.save_previous("/shop", "CLAUDE.md", "a\r\n\udcff", "t2", "prune")
    texts = [version.text for version in store.file_history.history("/shop", "CLAUDE.md")]
    assert texts == [None, "a\r\n\udcff"]


def test_verify_finds_what_was_tampered_with(store: Store) -> None:
    store.verdicts.add("/shop", VERDICT)
    digest = store.blobs.put("hello")
    assert verify(store, lambda _: None) == ()
    store.execute("UPDATE blobs SET content = x'00' WHERE digest = ?", (digest,))
    problems = verify(store, lambda verdict: f"no longer {verdict.ruling}")
    assert [str(problem) for problem in problems] == [
        f"text {digest[:12]}: its content does not have its digest",
        "verdict-1: no longer keep",
    ]


def test_a_verdict_keeps_its_lock(store: Store) -> None:
    level = Level(number=3, kept=1, bound=0.2, alpha=0.02)
    verdict = replace(VERDICT, lock=replace(LOCK, level=level))
    store.verdicts.add("/shop", verdict)
    assert store.verdicts.get(verdict.id) == verdict
    assert verdict.needed == 50
    (record,) = store.execute("SELECT record FROM verdicts").fetchone()
    assert json.loads(record)["lock"] == lock_record(LOCK) | {"lifetime": asdict(level)}


def test_locks_that_cannot_be_read_leave_the_rest_readable(store: Store) -> None:
    record = asdict(VERDICT) | {"lock": {"model": "m", "policy": {"of_a_later_version": 1}}}
    row = ("verdict-1", "/shop", "cand-1", "exp-1", "keep", "t", json.dumps(record))
    store.execute("INSERT INTO verdicts VALUES (?, ?, ?, ?, ?, ?, ?)", row)
    assert store.verdicts.get("verdict-1") == VERDICT
    assert VERDICT.needed == 20
    store.execute("INSERT INTO experiments VALUES ('exp-2', 'cand-1', '{\"model\": 1}', 't')")
    (_, unreadable) = sorted(store.experiments.for_candidate("cand-1"), key=lambda row: row.id)
    assert unreadable.lock is None
    with pytest.raises(UsageError, match="conditions have changed"):
        store.experiments.open("exp-2", "cand-1", LOCK)
