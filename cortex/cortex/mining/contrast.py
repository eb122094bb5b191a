"""What the agent did first against what the developer got in the end, file by file."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from cortex.mining.chains import end
from cortex.mining.history import Position, Timeline
from cortex.mining.places import locate, positions
from cortex.mining.signals import DetectedCorrection
from cortex.model.corrections import Correction, Signal
from cortex.model.sessions import Action, ActionKind, Called, Prompted, Turn
from cortex.transcripts.editing import apply_call

Contents = dict[str, str | None]
"""Absolute path -> whole content, None where there is no file."""


@dataclass(frozen=True, slots=True)
class CommandRun:
    """A command that the agent ran or wanted to run."""

    command: str
    ok: bool | None
    """Whether it succeeded; None when it never ran or its answer is missing."""
    exit_code: int | None = None


@dataclass(frozen=True, slots=True)
class Contrast:
    """The work of a task before and after its correction; paths are absolute."""

    prompt: Prompted
    root: str
    """The working folder of the session."""
    base: Contents
    """Contents at the moment of the task's prompt."""
    attempt: Contents
    """Contents after the agent's attempt; a rejected edit counts as done."""
    corrected: Contents
    """Contents when the developer was satisfied."""
    touched: tuple[str, ...] = ()
    """Files that were read or written, in order."""
    attempt_commands: tuple[CommandRun, ...] = ()
    corrected_commands: tuple[CommandRun, ...] = ()
    earlier: Contents = field(default_factory=dict)
    """Contents, at the moment of the prompt, of files that the session had changed before it."""


class Contrasts:
    """The contrasts of the corrections of a session; what they share is computed once."""

    def __init__(self, turns: Sequence[Turn], corrections: Sequence[Correction]) -> None:
        """Take the turns of a session and all corrections that were mined from them.

        For hand edits that show in a later session, its turns follow those of the session.
        """
        self._turns = turns
        self._timeline = Timeline(turns)
        self._positions = positions(turns)
        self._places = locate(corrections, turns, self._positions)

    def of(self, correction: Correction) -> Contrast:
        """Return the files and commands before and after `correction`.

        Raises ValueError when the turns do not hold its line or the prompt of its task.
        """
        turns, timeline = self._turns, self._timeline
        place = self._places.by_id.get(correction.id)
        if place is None:
            raise ValueError(
                f"{correction.id}: its line {correction.uuid} is not in the transcript"
            )
        if correction.prompt_uuid not in self._positions:
            raise ValueError(
                f"{correction.id}: its prompt {correction.prompt_uuid} is not in the transcript"
            )
        start, _ = self._positions[correction.prompt_uuid]
        others = self._places.everything
        span = _span(start, self._positions[correction.uuid], turns, place, others)
        contents = _contents(timeline, span, turns, place)
        self._follow_by_hand(contents.corrected, span)
        return Contrast(
            prompt=turns[start].prompt,
            root=turns[start].prompt.cwd or correction.cwd,
            base=contents.base,
            attempt=contents.attempt,
            corrected=contents.corrected,
            touched=_touched(turns, span),
            attempt_commands=_commands(turns, span.start, span.behind),
            corrected_commands=_commands(turns, span.behind, span.end),
            earlier={
                path: timeline.last_before(path, span.start)
                for path in timeline.written((0, -1), span.start)
            },
        )

    def _follow_by_hand(self, corrected: Contents, span: "_Span") -> None:
        """Add to `corrected` what the developer changed by hand after the end of the chain."""
        if span.hand_edits:
            return
        for other in self._places.everything:
            late = (other.turn, -1) >= span.end and span.start <= (other.work, 0) < span.end
            if other.signal is Signal.HAND_EDIT and late:
                corrected |= {
                    path: self._timeline.first_after(path, self._positions[other.uuid])
                    for path in other.paths
                    if path in corrected
                }


@dataclass(frozen=True, slots=True)
class _Span:
    """The moments of the task's prompt, of the correction, and when the developer was satisfied."""

    start: Position
    moment: Position
    end: Position
    hand_edits: bool

    @property
    def behind(self) -> Position:
        """Just after the correction: a refused command belongs to the attempt."""
        return (self.moment[0], self.moment[1] + 1)


@dataclass(frozen=True, slots=True)
class _Contents:
    base: Contents
    attempt: Contents
    corrected: Contents


def _span(
    start: int,
    moment: Position,
    turns: Sequence[Turn],
    correction: DetectedCorrection,
    others: Sequence[DetectedCorrection],
) -> _Span:
    hand_edits = correction.signal is Signal.HAND_EDIT
    after = moment if hand_edits else (end(turns, correction, others) + 1, -1)
    return _Span((start, -1), moment, after, hand_edits)


def _contents(
    timeline: Timeline, span: _Span, turns: Sequence[Turn], correction: DetectedCorrection
) -> _Contents:
    paths = dict.fromkeys((*timeline.written(span.start, span.end), *correction.paths))
    readable = [path for path in paths if timeline.knows(path)]
    base = {path: timeline.first_after(path, span.start) for path in readable}
    attempt = {path: timeline.last_before(path, span.moment) for path in readable}
    corrected = {path: timeline.last_before(path, span.end) for path in readable}
    if span.hand_edits:
        _by_hand(correction.paths, timeline, span.moment, attempt, corrected)
    for call in _refused(turns, correction, span.moment):
        if call.path is None or (call.path not in base and call.tool != "Write"):
            continue
        wanted = apply_call(call, attempt.get(call.path))
        if wanted is not None:
            attempt[call.path] = wanted
            base.setdefault(call.path, None)
            corrected.setdefault(call.path, None)
    return _Contents(base, attempt, corrected)


def _by_hand(
    paths: Sequence[str],
    timeline: Timeline,
    moment: Position,
    attempt: Contents,
    corrected: Contents,
) -> None:
    for path in paths:
        wanted = timeline.wanted(path, moment)
        if wanted is None:
            corrected[path] = timeline.first_after(path, moment)
        else:
            attempt[path] = wanted
            corrected[path] = timeline.last_before(path, (moment[0], moment[1] + 1))


def _refused(
    turns: Sequence[Turn], correction: DetectedCorrection, moment: Position
) -> list[Called]:
    """Writes that the agent wanted to do and the correction kept from happening."""
    if correction.signal is Signal.REJECTION:
        return [turns[moment[0]].actions[moment[1]].call]
    if correction.signal is Signal.HAND_EDIT:
        return []
    return [action.call for action in turns[correction.work].actions if _pending(action)]


def _pending(action: Action) -> bool:
    result = action.result
    stopped = result is None or (result.rejected and not result.words)
    return stopped and action.call.kind is ActionKind.WRITE


def _touched(turns: Sequence[Turn], span: _Span) -> tuple[str, ...]:
    paths = (
        action.call.path
        for _, action in _between(turns, span.start, span.end)
        if action.call.kind in (ActionKind.READ, ActionKind.WRITE)
    )
    return tuple(dict.fromkeys(path for path in paths if path))


def _commands(turns: Sequence[Turn], start: Position, until: Position) -> tuple[CommandRun, ...]:
    return tuple(
        _run(action)
        for _, action in _between(turns, start, until)
        if action.call.kind is ActionKind.COMMAND and action.call.command
    )


def _run(action: Action) -> CommandRun:
    result = action.result
    ran = result is not None and not result.rejected
    return CommandRun(
        command=action.call.command or "",
        ok=result.ok if result is not None and ran else None,
        exit_code=result.exit_code if result is not None and ran else None,
    )


def _between(
    turns: Sequence[Turn], start: Position, until: Position
) -> Iterator[tuple[Position, Action]]:
    for number in range(start[0], min(until[0] + 1, len(turns))):
        for index, action in enumerate(turns[number].actions):
            if start <= (number, index) < until:
                yield (number, index), action
