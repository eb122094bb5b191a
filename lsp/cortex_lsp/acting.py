"""What an editor may do: code actions, and the deeds behind them and the sidebar."""

from collections.abc import Iterator
from typing import Any

from lsprotocol import types

from cortex.artifacts import graveyard, harness
from cortex.commands import harness as deeds
from cortex.commands import queue
from cortex.commands.workbench import Workbench
from cortex.model.verdicts import Ruling
from cortex_lsp.repository import Repository

COMMANDS = {"cortex.prune": "prune", "cortex.restore": "restore", "cortex.testNow": "test"}
"""Commands of the protocol -> actions of `act`."""


def act(bench: Workbench, action: str, subject: str) -> str:
    """Do one thing and return one sentence. Raises CortexError with one line."""
    if action == "accept":
        return deeds.accept(bench, subject).said
    if action == "bury":
        return deeds.bury(bench, subject).said
    if action == "prune":
        return deeds.prune(bench, subject).said
    if action == "restore":
        return f"restored {deeds.restore(bench, subject).path}"
    known = bench.store.candidates.get(subject)
    if known is not None:
        queue.queue_gate(bench, known.id)
        return f"queued {known.artifact.name}; the daemon measures it"
    queue.queue_removal(bench, subject)
    return f"queued {subject}; the daemon measures it"


def code_actions(
    repository: Repository, path: str, text: str, chosen: types.Range
) -> Iterator[types.CodeAction]:
    """Yield what can be done about the artifacts that a selection touches."""
    for place, standing in repository.standings(path, text):
        if place.end < chosen.start.line or place.start > chosen.end.line:
            continue
        name, key = standing.artifact.name, standing.artifact.key
        if standing.ruling is Ruling.PRUNE:
            yield _action(f"Prune {name}", "cortex.prune", key, types.CodeActionKind.QuickFix)
        yield _action(f"Measure {name} now", "cortex.testNow", key, types.CodeActionKind.Source)
    for entry in graves(repository):
        if entry["path"] == path and path in harness.INSTRUCTIONS:
            title = f"Restore {entry.get('heading') or entry.get('name')}"
            yield _action(title, "cortex.restore", entry["id"], types.CodeActionKind.Source)


def graves(repository: Repository) -> tuple[dict[str, Any], ...]:
    """Return the graveyard, newest first."""
    return tuple(reversed(graveyard.entries(repository.root)))


def _action(
    title: str, command: str, argument: str, kind: types.CodeActionKind
) -> types.CodeAction:
    called = types.Command(title=title, command=command, arguments=[argument])
    return types.CodeAction(title=title, kind=kind, command=called)
