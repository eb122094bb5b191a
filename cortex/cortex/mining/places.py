"""Where stored corrections are in the turns of their session."""

import posixpath
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cortex.mining.history import Position
from cortex.mining.miner import PEOPLE, SCRIPTS_TOO, detected_corrections
from cortex.mining.signals import DetectedCorrection, worked
from cortex.model.corrections import Correction, Signal
from cortex.model.sessions import Speaker, Turn


def positions(turns: Sequence[Turn]) -> dict[str, Position]:
    """Return the position of each line that can carry a correction: prompts and tool results."""
    by_uuid: dict[str, Position] = {}
    for number, turn in enumerate(turns):
        by_uuid.setdefault(turn.prompt.uuid, (number, -1))
        for index, action in enumerate(turn.actions):
            if action.result is not None:
                by_uuid.setdefault(action.result.uuid, (number, index))
    return by_uuid


@dataclass(frozen=True, slots=True)
class Places:
    """The corrections of a session with the turns that they refer to."""

    by_id: Mapping[str, DetectedCorrection]
    """Correction id -> its place; corrections whose line is not in the turns are left out."""
    everything: tuple[DetectedCorrection, ...]


def locate(
    corrections: Sequence[Correction], turns: Sequence[Turn], by_uuid: Mapping[str, Position]
) -> Places:
    """Return the places of all `corrections` of a session in its `turns`.

    Records of earlier versions do not name the turn of the work: with such a record among
    `corrections` the turns are mined again.
    """
    within = [correction for correction in corrections if correction.uuid in by_uuid]
    if not all(correction.work_uuid for correction in within):
        return _mined_again(within, turns, by_uuid)
    by_id = {
        correction.id: _placed(correction, by_uuid[correction.work_uuid][0], turns, by_uuid)
        for correction in within
        if correction.work_uuid in by_uuid
    }
    return Places(by_id, tuple(by_id.values()))


def _mined_again(
    corrections: Sequence[Correction], turns: Sequence[Turn], by_uuid: Mapping[str, Position]
) -> Places:
    numbers = {by_uuid[correction.uuid][0] for correction in corrections}
    scripted = any(turns[number].prompt.speaker is Speaker.HEADLESS for number in numbers)
    mined = detected_corrections(turns, SCRIPTS_TOO if scripted else PEOPLE)
    by_line = {(detected.uuid, detected.signal): detected for detected in mined}
    # Confidence depends on what the agent did afterwards: a correction that was stored while the
    # session was shorter may not be detected in the whole of it.
    by_id = {
        correction.id: by_line.get((correction.uuid, correction.signal))
        or _placed(correction, _work(correction, turns, by_uuid), turns, by_uuid)
        for correction in corrections
    }
    return Places(by_id, tuple(dict.fromkeys((*mined, *by_id.values()))))


def _work(correction: Correction, turns: Sequence[Turn], by_uuid: Mapping[str, Position]) -> int:
    number = by_uuid[correction.uuid][0]
    if correction.signal is Signal.REJECTION:
        return number
    if correction.signal is Signal.HAND_EDIT and correction.prompt_uuid in by_uuid:
        return by_uuid[correction.prompt_uuid][0]
    return worked(turns, number)


def _placed(
    correction: Correction, work: int, turns: Sequence[Turn], by_uuid: Mapping[str, Position]
) -> DetectedCorrection:
    number = by_uuid[correction.uuid][0]
    spelled = {
        posixpath.normpath(action.call.path): action.call.path
        for turn in (turns[work], turns[number])
        for action in turn.actions
        if action.call.path
    }
    absolute = (posixpath.join(correction.cwd, path) for path in correction.paths)
    return DetectedCorrection(
        signal=correction.signal,
        content=correction.content,
        turn=number,
        work=work,
        uuid=correction.uuid,
        at=correction.at,
        paths=tuple(spelled.get(posixpath.normpath(path), path) for path in absolute),
        confidence=correction.confidence,
    )
