"""What waits for the developer, what deciding does, and taking it back."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.integration.commands.conftest import Shell

from cortex.artifacts import graveyard
from cortex.commands import budget, feed, inbox, queue
from cortex.commands import changes as changes
from cortex.commands.artifact_status import artifact_statuses
from cortex.commands.context import Context, open_context
from cortex.commands.experiments import gate
from cortex.commands.proposals import propose, removal
from cortex.errors import UsageError
from cortex.model.jobs import JobStatus
from cortex.model.verdicts import Ruling


@pytest.fixture
def context(shop: Shell, monkeypatch: pytest.MonkeyPatch) -> Iterator[Context]:
    monkeypatch.setenv("CORTEX_HOME", str(shop.home))
    with open_context(shop.cwd) as opened:
        yield opened


def proposed(context: Context) -> str:
    proposal = propose(context)
    assert proposal is not None
    return proposal.candidate.id


def harness_bytes(root: Path) -> dict[str, bytes]:
    files = [*root.glob(".claude/**/*.md"), *root.glob("*.md")]
    return {str(path.relative_to(root)): path.read_bytes() for path in files}


def test_a_proposal_waits_until_it_is_accepted_and_can_be_taken_back(context: Context) -> None:
    before = harness_bytes(context.root)
    candidate_id = proposed(context)
    (entry,) = inbox.inbox(context)
    assert (entry.id, entry.ruling, entry.before) == (candidate_id, None, None)
    assert entry.after == entry.candidate.artifact.text
    with pytest.raises(UsageError, match="has no verdict yet"):
        changes.accept(context, candidate_id)
    gate(context, entry.candidate, budget.track_budget(context, None))
    (entry,) = inbox.inbox(context)
    assert entry.ruling is Ruling.KEEP
    change = changes.accept(context, candidate_id)
    assert inbox.inbox(context) == ()
    path = entry.candidate.artifact.path
    assert (context.root / path).read_text() == entry.candidate.artifact.text
    (status,) = [state for state in artifact_statuses(context) if state.artifact.path == path]
    assert (status.ruling, status.stale) == (Ruling.KEEP, "")
    assert changes.undo(context, change).startswith("undone")
    assert harness_bytes(context.root) == before
    assert [entry.id for entry in inbox.inbox(context)] == [candidate_id]


def test_a_proposal_that_is_put_aside_does_not_come_back(context: Context) -> None:
    candidate_id = proposed(context)
    change = changes.bury(context, candidate_id)
    assert inbox.inbox(context) == ()
    assert len(graveyard.entries(context.root)) == 1
    changes.undo(context, change)
    assert [entry.id for entry in inbox.inbox(context)] == [candidate_id]


def test_a_prune_is_carried_out_and_taken_back_byte_for_byte(context: Context) -> None:
    before = harness_bytes(context.root)
    candidate = removal(context, "naming")
    verdict = gate(context, candidate, budget.track_budget(context, None))
    assert verdict.ruling is Ruling.PRUNE
    assert [entry.ruling for entry in inbox.inbox(context)] == [Ruling.PRUNE]
    change = changes.prune(context, "naming")
    assert candidate.artifact.path not in harness_bytes(context.root)
    changes.undo(context, change)
    assert harness_bytes(context.root) == before
    with pytest.raises(UsageError, match="no prune verdict"):
        changes.prune(context, "api-errors")


def test_text_that_was_edited_makes_its_verdict_stale(context: Context) -> None:
    candidate = removal(context, "naming")
    gate(context, candidate, budget.track_budget(context, None))
    file = context.root / candidate.artifact.path
    file.write_text(file.read_text() + "More.\n")
    (status,) = [
        status_row
        for status_row in artifact_statuses(context)
        if status_row.artifact.name == "naming"
    ]
    assert status.ruling is None
    assert "changed" in status.stale
    with pytest.raises(UsageError, match="no prune verdict"):
        changes.prune(context, "naming")


def test_a_job_is_queued_once_and_claimed_once(context: Context) -> None:
    job = queue.queue_removal(context, "naming")
    assert queue.queue_removal(context, "naming").id == job.id
    with pytest.raises(UsageError, match="must be greater than 0"):
        queue.queue_gate(context, job.candidate_id, 0.0)
    claimed = context.store.jobs.claim("one", "2026-01-01")
    assert claimed is not None
    assert (claimed.id, claimed.status) == (job.id, JobStatus.RUNNING)
    assert context.store.jobs.claim("two", "2026-01-01") is None
    assert context.store.jobs.requeue_orphans("one") == 0
    assert context.store.jobs.requeue_orphans("two") == 1
    assert not context.store.jobs.cancel(job.id + 1, "2026-01-02")
    assert context.store.jobs.cancel(job.id, "2026-01-02")
    assert [job.status for job in queue.jobs(context)] == [JobStatus.CANCELLED]


def test_the_feed_sees_every_kind_of_change(context: Context) -> None:
    reading = feed.Feed(context.root)
    assert reading.changed()
    assert not reading.changed()
    proposed(context)
    assert reading.changed()
    assert len(inbox.inbox(reading.context())) == 1
    rule = context.root / ".claude/rules/naming.md"
    os.utime(rule, ns=(1, 1))
    assert reading.changed()
    assert not reading.changed()
    reading.close()


def test_the_command_lists_what_waits(shop: Shell) -> None:
    assert "Inbox empty" in shop.run("inbox").stdout
    candidate = shop.json("propose")["candidate"]["id"]
    assert candidate in shop.run("inbox").stdout
    assert "+++ .claude/rules/" in shop.run("inbox", "--diff").stdout
    assert "Buried" in shop.run("bury", candidate).stdout
    assert shop.json("inbox") == {"inbox": []}
