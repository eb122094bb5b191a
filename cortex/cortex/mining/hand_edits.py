"""Signal 4: text of the agent that a person changed by hand."""

from collections.abc import Iterator, Sequence

from cortex import linediff
from cortex.linediff import Hunk
from cortex.mining.command_effects import may_change_files
from cortex.mining.formatting import same_but_for_formatting
from cortex.mining.history import FileSnapshot, Position, snapshots
from cortex.mining.line_ownership import after_change, after_write, touched
from cortex.mining.paths import relative
from cortex.mining.signals import DetectedCorrection
from cortex.model.corrections import Signal
from cortex.model.sessions import Turn

_CONFIDENCE = 0.8
"""Confidence: a tool outside of the session can change files too."""

_CONTEXT = 2


class _File:
    """A file during a session: its content and which lines the agent wrote."""

    def __init__(self) -> None:
        self.content: str | None = None
        self.owned: list[bool] = []
        self.originals: set[str] = set()
        self.last_write: FileSnapshot | None = None
        self.seen: Position = (0, -1)

    def follow(self, snapshot: FileSnapshot) -> None:
        """Update the content and the owners of its lines from `snapshot`."""
        before, after = snapshot.before or "", snapshot.after or ""
        if self.content is None:
            self.owned = [False] * len(before.splitlines())
        elif self.content != before:
            self.owned = after_change(self.owned, self.content, before)
        if snapshot.written:
            self.originals.add(before)
            self.owned = after_write(self.owned, before, _proposal(snapshot))
            self.owned = after_change(self.owned, _proposal(snapshot), after)
            self.last_write = snapshot
        self.content, self.seen = after, snapshot.at


def hand_edits(turns: Sequence[Turn]) -> Iterator[DetectedCorrection]:
    """Yield a correction for each file whose agent-written lines a person changed afterwards.

    It shows at the next whole read of the file, or at the next edit, whose answer carries the
    content before it. Not counted: changes while a command ran that may have made them, layout
    only, a plain return to what was there before, and a change of branch.
    """
    files: dict[str, _File] = {}
    for snapshot in snapshots(turns):
        file = files.setdefault(snapshot.path, _File())
        detected = _since_last_seen(turns, file, snapshot) or _while_approving(turns, snapshot)
        file.follow(snapshot)
        if detected is not None:
            yield detected


def _proposal(snapshot: FileSnapshot) -> str:
    return (snapshot.after if snapshot.wanted is None else snapshot.wanted) or ""


def _since_last_seen(
    turns: Sequence[Turn], file: _File, snapshot: FileSnapshot
) -> DetectedCorrection | None:
    written, before = file.last_write, file.content
    current = (snapshot.before or "").replace("\r\n", "\n")
    if written is None or before is None or before.replace("\r\n", "\n") == current:
        return None
    if not current or current in file.originals or not _quiet(turns, file.seen, snapshot.at):
        return None
    return _detected(turns, snapshot, written, file.owned, before, current)


def _while_approving(turns: Sequence[Turn], snapshot: FileSnapshot) -> DetectedCorrection | None:
    """The developer changed the proposed edit in the dialog that asks for permission."""
    if snapshot.wanted is None or not snapshot.after:
        return None
    nothing = [False] * len((snapshot.before or "").splitlines())
    owned = after_write(nothing, snapshot.before or "", snapshot.wanted)
    return _detected(turns, snapshot, snapshot, owned, snapshot.wanted, snapshot.after)


def _detected(
    turns: Sequence[Turn],
    snapshot: FileSnapshot,
    work: FileSnapshot,
    owned: Sequence[bool],
    before: str,
    current: str,
) -> DetectedCorrection | None:
    if same_but_for_formatting(before, current):
        return None
    changed = touched(owned, before, current)
    if not changed or not _substantial(before, current, changed):
        return None
    return DetectedCorrection(
        signal=Signal.HAND_EDIT,
        content=unified(
            relative(snapshot.path, turns[snapshot.at[0]].prompt.cwd), before, current, changed
        ),
        turn=snapshot.at[0],
        work=work.at[0],
        uuid=snapshot.uuid,
        at=_time_of(turns[snapshot.at[0]], snapshot),
        paths=(snapshot.path,),
        confidence=_CONFIDENCE,
    )


def _quiet(turns: Sequence[Turn], start: Position, end: Position) -> bool:
    """Whether no command between two moments may have changed files, on the same branch."""
    branches = {turns[number].prompt.branch for number in (start[0], end[0])}
    between = (
        action
        for number in range(start[0], end[0] + 1)
        for index, action in enumerate(turns[number].actions)
        if start < (number, index) < end
    )
    return len(branches) == 1 and not any(may_change_files(action) for action in between)


def _substantial(before: str, current: str, changed: Sequence[Hunk]) -> bool:
    """The change inside the agent's lines is more than layout."""
    old, new = before.splitlines(), current.splitlines()
    return any(
        not same_but_for_formatting(
            "\n".join(old[hunk.old_start : hunk.old_end]),
            "\n".join(new[hunk.new_start : hunk.new_end]),
        )
        for hunk in changed
    )


def unified(path: str, before: str, after: str, changed: Sequence[Hunk]) -> str:
    """Return a unified diff of the `changed` hunks only."""
    lines = before.splitlines(), after.splitlines()
    return "\n".join(linediff.unified(*lines, (path, path), changed, _CONTEXT))


def _time_of(turn: Turn, snapshot: FileSnapshot) -> str:
    for action in turn.actions:
        if action.result is not None and action.result.uuid == snapshot.uuid:
            return action.result.at
    return turn.prompt.at
