"""What the agent did first against what the developer got in the end, file by file."""

import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial

from cortex.mining.chains import end
from cortex.mining.history import Position, Timeline
from cortex.mining.miner import PEOPLE, SCRIPTS_TOO, signs
from cortex.mining.signals import DetectedCorrection, worked
from cortex.model.corrections import Correction, Signal
from cortex.model.sessions import Action, ActionKind, Called, Prompted, Speaker, Turn
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
    """The work of one task before and after its correction; paths are absolute."""

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
    """What the corrections of one session are about; what they share is worked out once."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        """Take the turns of the session.

        For changes by hand that showed in a later session, they go on with that session's.
        """
        self._turns = turns
        self._timeline = Timeline(turns)
        self._signs = cache(partial(signs, turns))

    def of(self, correction: Correction) -> Contrast:
        """Reconstruct what `correction` is about.

        Raises ValueError when the turns do not hold its line.
        """
        turns, timeline = self._turns, self._timeline
        start = _turn_of(correction.prompt_uuid, turns)
        found, others = self._sign_of(correction)
        span = _span(start, found, turns, others)
        contents = _contents(timeline, span, turns, found)
        _follow_by_hand(contents.corrected, timeline, span, turns, others)
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
                path: timeline.left(path, span.start)
                for path in timeline.written((0, -1), span.start)
            },
        )

    def _sign_of(
        self, correction: Correction
    ) -> tuple[DetectedCorrection, tuple[DetectedCorrection, ...]]:
        for speakers in (PEOPLE, SCRIPTS_TOO):
            found = self._signs(speakers)
            for sign in found:
                if sign.uuid == correction.uuid and sign.signal is correction.signal:
                    return sign, found
        return self._remembered(correction)

    def _remembered(
        self, correction: Correction
    ) -> tuple[DetectedCorrection, tuple[DetectedCorrection, ...]]:
        """A correction that was found when less of its session was known, and would not be now.

        How sure one can be of words depends on what the agent did after them, and a session grows.
        """
        turns = self._turns
        number = _turn_with(correction, turns)
        scripted = turns[number].prompt.speaker is Speaker.HEADLESS
        sign = DetectedCorrection(
            signal=correction.signal,
            content=correction.content,
            turn=number,
            work=_work_of(correction, number, turns),
            uuid=correction.uuid,
            at=correction.at,
            paths=tuple(posixpath.join(correction.cwd, path) for path in correction.paths),
            confidence=correction.confidence,
        )
        found = (*self._signs(SCRIPTS_TOO if scripted else PEOPLE), sign)
        return sign, tuple(sorted(found, key=lambda each: (each.turn, each.at)))


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
class _Three:
    base: Contents
    attempt: Contents
    corrected: Contents


def _turn_of(uuid: str, turns: Sequence[Turn]) -> int:
    for number, turn in enumerate(turns):
        if turn.prompt.uuid == uuid:
            return number
    raise ValueError(f"no turn starts with the prompt {uuid}")


def _turn_with(correction: Correction, turns: Sequence[Turn]) -> int:
    for number, turn in enumerate(turns):
        answers = (action.result.uuid for action in turn.actions if action.result is not None)
        if correction.uuid == turn.prompt.uuid or correction.uuid in answers:
            return number
    raise ValueError(f"the turns do not hold the correction {correction.id}")


def _work_of(correction: Correction, number: int, turns: Sequence[Turn]) -> int:
    if correction.signal is Signal.REJECTION:
        return number
    if correction.signal is Signal.HAND_EDIT:
        return _turn_of(correction.prompt_uuid, turns)
    return worked(turns, number)


def _span(
    start: int,
    sign: DetectedCorrection,
    turns: Sequence[Turn],
    others: Sequence[DetectedCorrection],
) -> _Span:
    hand_edits = sign.signal is Signal.HAND_EDIT
    moment = _moment(turns, sign)
    after = moment if hand_edits else (end(turns, sign, others) + 1, -1)
    return _Span((start, -1), moment, after, hand_edits)


def _moment(turns: Sequence[Turn], sign: DetectedCorrection) -> Position:
    """The action whose answer carries the sign, or the prompt that is the sign."""
    for number, action in enumerate(turns[sign.turn].actions):
        if action.result is not None and action.result.uuid == sign.uuid:
            return (sign.turn, number)
    return (sign.turn, -1)


def _contents(
    timeline: Timeline, span: _Span, turns: Sequence[Turn], sign: DetectedCorrection
) -> _Three:
    paths = dict.fromkeys((*timeline.written(span.start, span.end), *sign.paths))
    known = [path for path in paths if timeline.knows(path)]
    base = {path: timeline.found(path, span.start) for path in known}
    attempt = {path: timeline.left(path, span.moment) for path in known}
    corrected = {path: timeline.left(path, span.end) for path in known}
    if span.hand_edits:
        _by_hand(sign.paths, timeline, span.moment, attempt, corrected)
    for call in _refused(turns, sign, span.moment):
        if call.path is None or (call.path not in base and call.tool != "Write"):
            continue
        wanted = apply_call(call, attempt.get(call.path))
        if wanted is not None:
            attempt[call.path] = wanted
            base.setdefault(call.path, None)
            corrected.setdefault(call.path, None)
    return _Three(base, attempt, corrected)


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
            corrected[path] = timeline.found(path, moment)
        else:
            attempt[path] = wanted
            corrected[path] = timeline.left(path, (moment[0], moment[1] + 1))


def _refused(turns: Sequence[Turn], sign: DetectedCorrection, moment: Position) -> list[Called]:
    """Writes that the agent wanted to do and the correction kept from happening."""
    if sign.signal is Signal.REJECTION:
        return [turns[moment[0]].actions[moment[1]].call]
    if sign.signal is Signal.HAND_EDIT:
        return []
    return [action.call for action in turns[sign.work].actions if _pending(action)]


def _pending(action: Action) -> bool:
    result = action.result
    stopped = result is None or (result.rejected and not result.words)
    return stopped and action.call.kind is ActionKind.WRITE


def _follow_by_hand(
    corrected: Contents,
    timeline: Timeline,
    span: _Span,
    turns: Sequence[Turn],
    others: Sequence[DetectedCorrection],
) -> None:
    """Take over what the developer changed by hand after the last turn of the chain."""
    for other in others:
        late = (other.turn, -1) >= span.end and span.start <= (other.work, 0) < span.end
        if other.signal is Signal.HAND_EDIT and late and not span.hand_edits:
            corrected |= {
                path: timeline.found(path, _moment(turns, other))
                for path in other.paths
                if path in corrected
            }


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
