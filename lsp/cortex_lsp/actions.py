"""What an editor may do: code actions, and the deeds behind them and the sidebar."""

from collections.abc import Iterator

from lsprotocol import types

from cortex.artifacts import graveyard, harness
from cortex.artifacts.entries import GraveyardEntry
from cortex.commands import changes as changes
from cortex.commands import queue
from cortex.commands.context import Context
from cortex.model.verdicts import Ruling
from cortex.presenting.plain import one_line
from cortex_lsp.repository import Repository

COMMANDS = {"cortex.prune": "prune", "cortex.restore": "restore", "cortex.testNow": "test"}
"""Commands of the protocol -> actions of `act`."""


def act(context: Context, action: str, subject: str) -> str:
    """Run an action and return a sentence. Raises CortexError with a message."""
    if action == "accept":
        return changes.accept(context, subject).message
    if action == "bury":
        return changes.bury(context, subject).message
    if action == "prune":
        return changes.prune(context, subject).message
    if action == "restore":
        return f"restored {changes.restore(context, subject).path}"
    known = context.store.candidates.get(subject)
    if known is not None:
        queue.queue_gate(context, known.id)
        return f"queued {known.artifact.name}; the daemon measures it"
    queue.queue_removal(context, subject)
    return f"queued {subject}; the daemon measures it"


def code_actions(
    repository: Repository, path: str, text: str, chosen: types.Range
) -> Iterator[types.CodeAction]:
    """Yield what can be done about the artifacts that a selection touches."""
    for place, status in repository.artifact_statuses(path, text):
        if place.end < chosen.start.line or place.start > chosen.end.line:
            continue
        name, key = status.artifact.name, status.artifact.key
        if status.ruling is Ruling.PRUNE:
            yield _action(f"Prune {name}", "cortex.prune", key, types.CodeActionKind.QuickFix)
        yield _action(f"Measure {name} now", "cortex.testNow", key, types.CodeActionKind.Source)
    for entry in graves(repository):
        if entry.path == path and path in harness.INSTRUCTIONS:
            title = f"Restore {entry.heading or entry.name}"
            yield _action(title, "cortex.restore", entry.id, types.CodeActionKind.Source)


def graves(repository: Repository) -> tuple[GraveyardEntry, ...]:
    """Return the graveyard, newest first."""
    return tuple(reversed(graveyard.entries(repository.root)))


def _action(
    title: str, command: str, argument: str, kind: types.CodeActionKind
) -> types.CodeAction:
    title = one_line(title, 100)
    called = types.Command(title=title, command=command, arguments=[argument])
    return types.CodeAction(title=title, kind=kind, command=called)
