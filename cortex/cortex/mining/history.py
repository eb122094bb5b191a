"""What the files of a session held and when, as far as its reads and writes show it."""

from collections.abc import Sequence
from dataclasses import dataclass

from cortex.model.sessions import Action, ActionKind, Turn
from cortex.transcripts.editing import apply_call

Position = tuple[int, int]
"""Turn and action within it; `(turn, -1)` is the moment of the turn's prompt."""


@dataclass(frozen=True, slots=True)
class FileSnapshot:
    """One moment at which the whole content of a file was seen."""

    at: Position
    uuid: str
    """The line that shows it."""
    path: str
    before: str | None
    """Content just before: None when there was no file."""
    after: str | None
    written: bool
    """The agent wrote it; else it only read it, and `before` equals `after`."""
    wanted: str | None = None
    """What the agent wanted to write, when the developer changed that while approving it."""


def snapshots(turns: Sequence[Turn]) -> tuple[FileSnapshot, ...]:
    """Return all moments at which a whole content is known, in order."""
    known: dict[str, str | None] = {}
    in_order: list[FileSnapshot] = []
    for turn_number, turn in enumerate(turns):
        for number, action in enumerate(turn.actions):
            snapshot = _snapshot((turn_number, number), action, known)
            if snapshot is not None:
                known[snapshot.path] = snapshot.after
                in_order.append(snapshot)
    return tuple(in_order)


def _snapshot(at: Position, action: Action, known: dict[str, str | None]) -> FileSnapshot | None:
    call, result = action.call, action.result
    if result is None or not result.ok or call.path is None:
        return None
    if call.kind is ActionKind.READ and result.after is not None:
        return FileSnapshot(at, result.uuid, call.path, result.after, result.after, written=False)
    if call.kind is not ActionKind.WRITE:
        return None
    if result.before is None and call.path not in known:
        return _first_write(at, action)
    before = known.get(call.path) if result.before is None else result.before
    after = result.after if result.after is not None else apply_call(call, before)
    if after is None:
        known.pop(call.path, None)
        return None
    wanted = apply_call(call, before)
    return FileSnapshot(
        at,
        result.uuid,
        call.path,
        _existing(action, before),
        after,
        written=True,
        wanted=None if wanted == after else wanted,
    )


def _first_write(at: Position, action: Action) -> FileSnapshot | None:
    """The first write of an unknown file: only a whole write shows a content.

    What was there before is not known; that the file was new is the only case in which agents
    may write without having read.
    """
    call, result = action.call, action.result
    whole = call.replaces is None and not call.edits and call.proposed is not None
    if result is None or call.path is None or not whole:
        return None
    return FileSnapshot(
        at, result.uuid, call.path, None, result.after or call.proposed, written=True
    )


def _existing(action: Action, before: str | None) -> str | None:
    """Transcripts show a new file as an empty file."""
    creates = action.call.replaces in (None, "") and not action.call.edits
    return None if before == "" and creates else before


class Timeline:
    """Contents of all files at any moment of a session."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        self._snapshots: dict[str, list[FileSnapshot]] = {}
        for snapshot in snapshots(turns):
            self._snapshots.setdefault(snapshot.path, []).append(snapshot)

    def written(self, start: Position, end: Position) -> tuple[str, ...]:
        """Return the files that the agent wrote from `start` until before `end`, in order."""
        inside = [
            snapshot
            for of_path in self._snapshots.values()
            for snapshot in of_path
            if snapshot.written and start <= snapshot.at < end
        ]
        return tuple(
            dict.fromkeys(snapshot.path for snapshot in sorted(inside, key=lambda each: each.at))
        )

    def knows(self, path: str) -> bool:
        """Return whether the whole content of `path` was ever seen."""
        return path in self._snapshots

    def last_before(self, path: str, moment: Position) -> str | None:
        """Return the content as it was last seen before `moment`, else as first seen later."""
        last = None
        for snapshot in self._snapshots.get(path, ()):
            if snapshot.at >= moment:
                return snapshot.before if last is None else last.after
            last = snapshot
        return None if last is None else last.after

    def wanted(self, path: str, moment: Position) -> str | None:
        """Return what the agent wanted to write at `moment`, when the developer changed that."""
        proposals = (
            snapshot.wanted for snapshot in self._snapshots.get(path, ()) if snapshot.at == moment
        )
        return next(proposals, None)

    def first_after(self, path: str, moment: Position) -> str | None:
        """Return the content as it was first seen from `moment` on, else as last seen before.

        For a file that a person changed in between, this is the state that the agent found.
        """
        of_path = self._snapshots.get(path, [])
        for snapshot in of_path:
            if snapshot.at >= moment:
                return snapshot.before
        return of_path[-1].after if of_path else None
