"""Signal 4: text of the agent that a person changed by hand."""

import difflib
from collections.abc import Iterator, Sequence

from cortex.linediff import Hunk
from cortex.mining.command_effects import may_change_files
from cortex.mining.formatting import same_but_for_formatting
from cortex.mining.history import Position, Step, steps
from cortex.mining.line_ownership import after_change, after_write, touched
from cortex.mining.paths import relative
from cortex.mining.signals import DetectedCorrection
from cortex.model.corrections import Signal
from cortex.model.sessions import Turn

_SURE = 0.8
"""Confidence: a tool outside of the session can change files too."""

_CONTEXT = 2


class _File:
    """One file while the session goes on: its content and which lines are the agent's."""

    def __init__(self) -> None:
        self.content: str | None = None
        self.owned: list[bool] = []
        self.originals: set[str] = set()
        self.last_write: Step | None = None
        self.seen: Position = (0, -1)

    def follow(self, step: Step) -> None:
        """Take over what `step` shows."""
        before, after = step.before or "", step.after or ""
        if self.content is None:
            self.owned = [False] * len(before.splitlines())
        elif self.content != before:
            self.owned = after_change(self.owned, self.content, before)
        if step.written:
            self.originals.add(before)
            self.owned = after_write(self.owned, before, _proposal(step))
            self.owned = after_change(self.owned, _proposal(step), after)
            self.last_write = step
        self.content, self.seen = after, step.at


def hand_edits(turns: Sequence[Turn]) -> Iterator[DetectedCorrection]:
    """Yield a sign for each file whose agent-written lines a person changed afterwards.

    It shows at the next whole read of the file, or at the next edit, whose answer carries the
    content that it found. Not counted: changes while a command ran that may have made them, layout
    only, a plain return to what was there before, and a change of branch.
    """
    files: dict[str, _File] = {}
    for step in steps(turns):
        file = files.setdefault(step.path, _File())
        since = _since_last_seen(turns, file, step) or _while_approving(turns, step)
        file.follow(step)
        if since is not None:
            yield since


def _proposal(step: Step) -> str:
    return (step.after if step.wanted is None else step.wanted) or ""


def _since_last_seen(turns: Sequence[Turn], file: _File, step: Step) -> DetectedCorrection | None:
    written, before = file.last_write, file.content
    found = (step.before or "").replace("\r\n", "\n")
    if written is None or before is None or before.replace("\r\n", "\n") == found:
        return None
    if not found or found in file.originals or not _quiet(turns, file.seen, step.at):
        return None
    return _sign(turns, step, written, file.owned, before, found)


def _while_approving(turns: Sequence[Turn], step: Step) -> DetectedCorrection | None:
    """The developer changed the proposed edit in the dialog that asks for permission."""
    if step.wanted is None or not step.after:
        return None
    nothing = [False] * len((step.before or "").splitlines())
    owned = after_write(nothing, step.before or "", step.wanted)
    return _sign(turns, step, step, owned, step.wanted, step.after)


def _sign(
    turns: Sequence[Turn], step: Step, work: Step, owned: Sequence[bool], before: str, found: str
) -> DetectedCorrection | None:
    if same_but_for_formatting(before, found):
        return None
    changed = touched(owned, before, found)
    if not changed or not _substantial(before, found, changed):
        return None
    return DetectedCorrection(
        signal=Signal.HAND_EDIT,
        content=unified(relative(step.path, turns[step.at[0]].prompt.cwd), before, found, changed),
        turn=step.at[0],
        work=work.at[0],
        uuid=step.uuid,
        at=_at(turns[step.at[0]], step),
        paths=(step.path,),
        confidence=_SURE,
    )


def _quiet(turns: Sequence[Turn], start: Position, end: Position) -> bool:
    """Nothing ran between two moments that may have changed files, on one branch."""
    branches = {turns[number].prompt.branch for number in (start[0], end[0])}
    between = (
        action
        for number in range(start[0], end[0] + 1)
        for index, action in enumerate(turns[number].actions)
        if start < (number, index) < end
    )
    return len(branches) == 1 and not any(may_change_files(action) for action in between)


def _substantial(before: str, found: str, changed: Sequence[Hunk]) -> bool:
    """The change inside the agent's lines is more than layout."""
    old, new = before.splitlines(), found.splitlines()
    return any(
        not same_but_for_formatting(
            "\n".join(old[hunk.old_start : hunk.old_end]),
            "\n".join(new[hunk.new_start : hunk.new_end]),
        )
        for hunk in changed
    )


def unified(path: str, before: str, after: str, changed: Sequence[Hunk]) -> str:
    """Return a unified diff of the `changed` hunks only."""
    old, new = before.splitlines(), after.splitlines()
    kept: list[str] = []
    position = 0
    for hunk in changed:
        kept += old[position : hunk.old_start] + new[hunk.new_start : hunk.new_end]
        position = hunk.old_end
    kept += old[position:]
    lines = difflib.unified_diff(old, kept, path, path, n=_CONTEXT, lineterm="")
    return "\n".join(lines)


def _at(turn: Turn, step: Step) -> str:
    for action in turn.actions:
        if action.result is not None and action.result.uuid == step.uuid:
            return action.result.at
    return turn.prompt.at
