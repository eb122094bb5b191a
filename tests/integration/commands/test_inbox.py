"""What waits for the developer, what deciding does, and taking it back."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.integration.commands.conftest import Shell

from cortex.artifacts import graveyard
from cortex.commands import budget, feed, inbox, queue
from cortex.commands import harness as deeds
from cortex.commands.experiments import gate
from cortex.commands.proposals import propose, removal
from cortex.commands.standing import standings
from cortex.commands.workbench import Workbench, open_workbench
from cortex.errors import UsageError
from cortex.model.jobs import JobStatus
from cortex.model.verdicts import Ruling


@pytest.fixture
def bench(shop: Shell, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    monkeypatch.setenv("CORTEX_HOME", str(shop.home))
    with open_workbench(shop.cwd) as opened:
        yield opened


def proposed(bench: Workbench) -> str:
    proposal = propose(bench)
    assert proposal is not None
    return proposal.candidate.id


def harness_bytes(root: Path) -> dict[str, bytes]:
    found = [*root.glob(".claude/**/*.md"), *root.glob("*.md")]
    return {str(path.relative_to(root)): path.read_bytes() for path in found}


def test_a_proposal_waits_until_it_is_accepted_and_can_be_taken_back(bench: Workbench) -> None:
    before = harness_bytes(bench.root)
    candidate_id = proposed(bench)
    (entry,) = inbox.inbox(bench)
    assert (entry.id, entry.ruling, entry.before) == (candidate_id, None, None)
    assert entry.after == entry.candidate.artifact.text
    with pytest.raises(UsageError, match="has no verdict yet"):
        deeds.accept(bench, candidate_id)
    gate(bench, entry.candidate, budget.purse(bench, None))
    (entry,) = inbox.inbox(bench)
    assert entry.ruling is Ruling.KEEP
    deed = deeds.accept(bench, candidate_id)
    assert inbox.inbox(bench) == ()
    path = entry.candidate.artifact.path
    assert (bench.root / path).read_text() == entry.candidate.artifact.text
    (standing,) = [one for one in standings(bench) if one.artifact.path == path]
    assert (standing.ruling, standing.stale) == (Ruling.KEEP, "")
    assert deeds.undo(bench, deed).startswith("taken back")
    assert harness_bytes(bench.root) == before
    assert [one.id for one in inbox.inbox(bench)] == [candidate_id]


def test_a_proposal_that_is_put_aside_does_not_come_back(bench: Workbench) -> None:
    candidate_id = proposed(bench)
    deed = deeds.bury(bench, candidate_id)
    assert inbox.inbox(bench) == ()
    assert len(graveyard.entries(bench.root)) == 1
    deeds.undo(bench, deed)
    assert [one.id for one in inbox.inbox(bench)] == [candidate_id]


def test_a_prune_is_carried_out_and_taken_back_byte_for_byte(bench: Workbench) -> None:
    before = harness_bytes(bench.root)
    candidate = removal(bench, "naming")
    verdict = gate(bench, candidate, budget.purse(bench, None))
    assert verdict.ruling is Ruling.PRUNE
    assert [one.ruling for one in inbox.inbox(bench)] == [Ruling.PRUNE]
    deed = deeds.prune(bench, "naming")
    assert candidate.artifact.path not in harness_bytes(bench.root)
    deeds.undo(bench, deed)
    assert harness_bytes(bench.root) == before
    with pytest.raises(UsageError, match="no verdict to prune"):
        deeds.prune(bench, "api-errors")


def test_text_that_was_edited_makes_its_verdict_stale(bench: Workbench) -> None:
    candidate = removal(bench, "naming")
    gate(bench, candidate, budget.purse(bench, None))
    file = bench.root / candidate.artifact.path
    file.write_text(file.read_text() + "More.\n")
    (standing,) = [one for one in standings(bench) if one.artifact.name == "naming"]
    assert standing.ruling is None
    assert "changed" in standing.stale
    with pytest.raises(UsageError, match="no verdict to prune"):
        deeds.prune(bench, "naming")


def test_a_job_is_queued_once_and_claimed_once(bench: Workbench) -> None:
    job = queue.queue_removal(bench, "naming")
    assert queue.queue_removal(bench, "naming").id == job.id
    with pytest.raises(UsageError, match="buys no trial"):
        queue.queue_gate(bench, job.candidate_id, 0.0)
    claimed = bench.store.jobs.claim("one", "2026-01-01")
    assert claimed is not None
    assert (claimed.id, claimed.status) == (job.id, JobStatus.RUNNING)
    assert bench.store.jobs.claim("two", "2026-01-01") is None
    assert bench.store.jobs.adopt("one") == 0
    assert bench.store.jobs.adopt("two") == 1
    assert not bench.store.jobs.cancel(job.id + 1, "2026-01-02")
    assert bench.store.jobs.cancel(job.id, "2026-01-02")
    assert [one.status for one in queue.jobs(bench)] == [JobStatus.CANCELLED]


def test_the_feed_sees_every_kind_of_change(bench: Workbench) -> None:
    reading = feed.Feed(bench.root)
    assert reading.changed()
    assert not reading.changed()
    proposed(bench)
    assert reading.changed()
    assert len(inbox.inbox(reading.bench())) == 1
    rule = bench.root / ".claude/rules/naming.md"
    os.utime(rule, ns=(1, 1))
    assert reading.changed()
    assert not reading.changed()
    reading.close()


def test_the_command_lists_what_waits(shop: Shell) -> None:
    assert "Nothing waits" in shop.run("inbox").stdout
    candidate = shop.json("propose")["candidate"]["id"]
    assert candidate in shop.run("inbox").stdout
    assert "+++ .claude/rules/" in shop.run("inbox", "--diff").stdout
    assert "Buried" in shop.run("bury", candidate).stdout
    assert shop.json("inbox") == {"inbox": []}
