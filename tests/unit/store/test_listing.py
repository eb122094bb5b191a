"""Counts and rows of lists agree with the records."""

from dataclasses import replace

import pytest

from cortex.model.artifacts import Artifact, ArtifactKind, Candidate, CandidateStatus, ChangeKind
from cortex.model.corrections import Correction, Signal
from cortex.model.experiments import ExperimentLock, Policy
from cortex.model.sessions import Session
from cortex.model.tasks import BaseTree, CommandCheck, Task, TaskStatus
from cortex.model.verdicts import Ruling, Verdict
from cortex_store import Store, codec

ARTIFACT = Artifact(
    "claude-code", ArtifactKind.SECTION, "CLAUDE.md", "# a\n", "d" * 64, "a", ("src/**",)
)
CANDIDATE = Candidate(
    "cand-1", ChangeKind.ADD, ARTIFACT, "a", "b\ud800", "theme-1", ("t",), ("s",), "template",
    "2026", CandidateStatus.KEPT,
)  # fmt: skip


@pytest.fixture
def store() -> Store:
    store = Store.memory()
    for number, folder in enumerate(("/shop", "/shop/api", "/shop2", "/shop-x", "/sho")):
        store.sessions.add(Session(f"s{number}", "claude-code", "p", folder))
        correction = Correction(f"c{number}", "s", Signal.FOLLOW_UP, "w", "p", "u", "2026", folder)
        store.corrections.put(correction)
        base = BaseTree(folder, None)
        store.tasks.put(
            Task(f"t{number}", "Do é\ud83d", base, (CommandCheck(("a",)),), (),
                 status=TaskStatus.ADMITTED if number else TaskStatus.SKIPPED)
        )  # fmt: skip
    store.sessions.add(Session("own", "claude-code", "p", "/shop", own=True))
    store.corrections.dismiss("c1")
    return store


def test_counts_are_of_a_repository(store: Store) -> None:
    listing = store.listing
    assert [listing.sessions(folder) for folder in ("/shop", "/sho", "/", None)] == [2, 1, 5, 5]
    assert [listing.corrections(folder) for folder in ("/shop", None)] == [1, 4]
    assert listing.tasks_by_status("/shop") == {"admitted": 1, "skipped": 1}
    assert listing.tasks_by_status(None) == {"admitted": 4, "skipped": 1}


def test_the_sessions_of_a_repository_are_counted_by_an_index(store: Store) -> None:
    statements: list[str] = []
    store.db.set_trace_callback(statements.append)
    store.listing.sessions("/shop")
    store.db.set_trace_callback(None)
    counted = [text for text in statements if "sessions" in text]
    plans = [store.execute(f"EXPLAIN QUERY PLAN {text}").fetchall() for text in counted]
    assert plans
    assert all("SEARCH" in row[3] and "sessions_of" in row[3] for plan in plans for row in plan)


def test_task_rows(store: Store) -> None:
    (row,) = store.listing.tasks("/shop", "skipped")
    assert (row.id, row.status, row.prompt, row.checks) == ("t0", "skipped", "Do é\ud83d", 1)
    assert [row.id for row in store.listing.tasks("/shop")] == ["t0", "t1"]


def test_verdict_rows_and_rulings(store: Store) -> None:
    store.candidates.put("/shop", CANDIDATE)
    store.experiments.open("exp-1", "cand-1", ExperimentLock((), Policy(), model="m"))
    verdict = Verdict(
        "v1", "cand-1", "exp-1", Ruling.UNDECIDED, "r", 3, 1.0, 27.0, 0.1, 0.2, 3, (),
        created_at="2026-01-01",
    )  # fmt: skip
    store.verdicts.add("/shop", verdict)
    store.verdicts.add("/shop", replace(verdict, id="v2", ruling=Ruling.KEEP))
    assert store.listing.verdicts_by_ruling("/shop") == {"keep": 1}
    assert store.listing.verdicts_by_ruling("/other") == {}
    rows = store.listing.verdicts(None)
    assert [(row.id, row.ruling, row.pairs, row.lift, row.e_value) for row in rows] == [
        ("v1", "undecided", 3, 1.0, 27.0),
        ("v2", "keep", 3, 1.0, 27.0),
    ]
    assert rows[0].candidate == CANDIDATE
    assert store.verdicts.latest_ruling("cand-1") is Ruling.KEEP
    assert store.verdicts.latest_ruling("cand-2") is None


def test_candidates_are_read_alike_with_and_without_pydantic() -> None:
    small = Candidate("c", ChangeKind.REMOVE, replace(ARTIFACT, heading=None, paths=()), "t")
    for candidate in (CANDIDATE, small):
        text = codec.dump(candidate)
        assert codec.load_candidate(text) == codec.load(Candidate, text) == candidate
