"""What colleagues state in the ledger beside what this store has measured."""

from collections.abc import Iterator

import pytest
from tests.integration.commands.conftest import Shell

from cortex.artifacts import disk, harness, ledger
from cortex.commands import budget, changes, colleagues, inbox
from cortex.commands.artifact_status import artifact_statuses
from cortex.commands.context import Context, open_context
from cortex.commands.evidence import evidence_of
from cortex.commands.experiments import gate
from cortex.commands.proposals import removal, to_gate
from cortex.errors import UsageError
from cortex.model.artifacts import Artifact
from cortex.model.verdicts import Ruling
from cortex.presenting import outlook_text
from cortex.presenting.titles import entry_title, status_title


@pytest.fixture
def context(shop: Shell, monkeypatch: pytest.MonkeyPatch) -> Iterator[Context]:
    monkeypatch.setenv("CORTEX_HOME", str(shop.home))
    with open_context(shop.cwd) as opened:
        yield opened


def present(context: Context) -> Artifact:
    return harness.parse(disk.read_files(context.root))[0]


def state(context: Context, ruling: str = "prune", date: str = "2099-01-01") -> Artifact:
    """Write what a colleague says about the first text."""
    text = present(context)
    line = ledger.LedgerEntry(text.path, text.digest, ruling, text.heading, pairs=6, date=date)
    ledger.record(context.root, line)
    return text


def test_a_statement_is_an_entry_of_the_inbox(context: Context) -> None:
    text = state(context)
    (entry,) = inbox.inbox(context)
    assert entry.stated
    assert entry_title(entry) == f"remove {text.name}: prune, a colleague's verdict"
    assert inbox.entry(context, entry.id).verdict == entry.verdict
    evidence = evidence_of(context, entry.candidate)
    assert evidence is not None
    assert evidence.stated
    assert f"cortex gate {entry.id}" in outlook_text.changes(evidence)[0]
    assert "no trial of yours" in outlook_text.next_cost(evidence)
    (status,) = [row for row in artifact_statuses(context) if row.artifact == text]
    assert status_title(status).endswith("· a colleague's verdict")


def test_accepting_and_undoing(context: Context) -> None:
    text = state(context)
    before = disk.read_files(context.root)
    (entry,) = inbox.inbox(context)
    change = changes.accept(context, entry.id)
    assert text.key not in {row.key for row in harness.parse(disk.read_files(context.root))}
    assert inbox.inbox(context) == ()
    assert changes.undo(context, change).startswith("undone: removed")
    assert disk.read_files(context.root) == before
    assert [row.id for row in inbox.inbox(context)] == [entry.id]


def test_dismissing_and_undoing(context: Context) -> None:
    text = state(context)
    (entry,) = inbox.inbox(context)
    change = changes.bury(context, entry.id)
    assert inbox.inbox(context) == ()
    (status,) = [row for row in artifact_statuses(context) if row.artifact == text]
    assert status.ruling is None
    changes.undo(context, change)
    assert [row.id for row in inbox.inbox(context)] == [entry.id]


def test_pruning_by_name_takes_a_colleague_s_word(context: Context) -> None:
    text = state(context)
    changes.prune(context, text.key)
    assert text.key not in {row.key for row in harness.parse(disk.read_files(context.root))}


def test_text_edited_since_is_not_removed(context: Context) -> None:
    text = state(context)
    (entry,) = inbox.inbox(context)
    file = context.root / text.path
    file.write_text(file.read_text() + "More.\n")
    assert inbox.inbox(context) == ()
    with pytest.raises(UsageError):
        changes.accept(context, entry.id)


def test_a_verdict_of_the_own_store_comes_first(context: Context) -> None:
    text = present(context)
    verdict = gate(context, removal(context, text.key), budget.track_budget(context, None))
    assert verdict.ruling is not Ruling.KEEP
    state(context, "retain" if verdict.ruling is Ruling.PRUNE else "prune")
    (status,) = [row for row in artifact_statuses(context) if row.artifact == text]
    assert status.ruling is verdict.ruling
    assert not any(entry.stated for entry in inbox.inbox(context))


def test_it_can_be_measured_here(context: Context) -> None:
    text = state(context)
    (entry,) = inbox.inbox(context)
    candidate = to_gate(context, entry.id)
    assert candidate.id == removal(context, text.key).id
    with pytest.raises(UsageError, match="no such candidate"):
        to_gate(context, f"{colleagues.PREFIX}-0123456789")


def test_what_asks_for_no_removal_is_no_proposal(context: Context) -> None:
    for ruling in ("keep", "retain", "unused", "bury", "nonsense"):
        state(context, ruling)
        assert inbox.inbox(context) == ()


def test_what_the_removal_of_the_last_claude_md_switches_on_is_named(context: Context) -> None:
    (context.root / "CLAUDE.md").write_text("## Care\n\nBe careful.\n")
    (context.root / "AGENTS.md").write_text("## Tests\n\nWrite them.\n")
    (text,) = [
        text for text in harness.parse(disk.read_files(context.root)) if text.heading == "Care"
    ]
    ledger.record(context.root, ledger.LedgerEntry(text.path, text.digest, "prune", text.heading))
    assert "Claude Code reads AGENTS.md from now on" in changes.prune(context, text.key).message
