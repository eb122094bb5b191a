"""The signals of a correction, each a small pure function over turns."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cortex.mining.correction_classifier import CERTAIN_ENOUGH, confidence
from cortex.mining.turn_context import at_rejection, before_prompt
from cortex.model.corrections import Signal
from cortex.model.sessions import ActionKind, Speaker, Turn
from cortex.transcripts.attachments import MENTION


@dataclass(frozen=True, slots=True)
class DetectedCorrection:
    """Where and how a developer showed that the agent's work was wrong."""

    signal: Signal
    content: str
    turn: int
    """Turn in which it shows."""
    work: int
    """Turn whose work is meant."""
    uuid: str
    at: str
    paths: tuple[str, ...]
    """Absolute paths of files that were, or were to be, written."""
    confidence: float


def rejections(turns: Sequence[Turn], speakers: frozenset[Speaker]) -> Iterator[DetectedCorrection]:
    """Signal 1: a tool call that was refused with words, which stand only in its result."""
    for number, turn in enumerate(turns):
        if not _of_a_person(turn, speakers):
            continue
        for index, action in enumerate(turn.actions):
            result, call = action.result, action.call
            if result is None or not result.rejected or not result.words:
                continue
            certainty = confidence(result.words, at_rejection(turn, index))
            if certainty >= CERTAIN_ENOUGH:
                paths = (call.path,) if call.kind is ActionKind.WRITE and call.path else ()
                yield DetectedCorrection(
                    Signal.REJECTION,
                    result.words,
                    number,
                    number,
                    result.uuid,
                    result.at,
                    paths,
                    certainty,
                )


def prompts(turns: Sequence[Turn], speakers: frozenset[Speaker]) -> Iterator[DetectedCorrection]:
    """Signals 2 and 3: a prompt after an interruption, or a prompt that calls the work wrong.

    Where the agent only talked there is no work: most prompts there answer or ask.
    """
    for number, turn in enumerate(turns[1:], start=1):
        if turn.prompt.speaker not in speakers:
            continue
        last, work = number - 1, worked(turns, number)
        interrupted = turns[last].interrupted
        if not interrupted and not _acted(turns[work]):
            continue
        context = before_prompt(turns[work], turns[last], turn, interrupted)
        certainty = confidence(turn.prompt.text, context)
        if certainty >= CERTAIN_ENOUGH:
            yield DetectedCorrection(
                signal=Signal.INTERRUPTION if interrupted else Signal.FOLLOW_UP,
                content=turn.prompt.text,
                turn=number,
                work=work,
                uuid=turn.prompt.uuid,
                at=turn.prompt.at,
                paths=attempted(turns[work]),
                confidence=certainty,
            )


def worked(turns: Sequence[Turn], number: int) -> int:
    """Return the turn whose work the prompt of turn `number` refers to.

    The turn before it, or an earlier turn when only questions were answered since.
    """
    for work in range(number - 1, max(number - 4, -1), -1):
        if any(_is_work(turns[work])) or turns[work].interrupted:
            return work
    return number - 1


def _acted(turn: Turn) -> bool:
    return any(action.call.tool != MENTION for action in turn.actions)


def _is_work(turn: Turn) -> Iterator[bool]:
    for action in turn.actions:
        yield action.call.kind in (ActionKind.WRITE, ActionKind.COMMAND)


def attempted(turn: Turn) -> tuple[str, ...]:
    """Return the files that a turn wrote or wanted to write when it was stopped."""
    paths = (
        action.call.path
        for action in turn.actions
        if action.call.kind is ActionKind.WRITE
        and (action.done or action.result is None or action.result.rejected)
    )
    return tuple(dict.fromkeys(path for path in paths if path))


def _of_a_person(turn: Turn, speakers: frozenset[Speaker]) -> bool:
    """A plan or command that a person let run counts as that person's turn."""
    return turn.prompt.speaker in speakers or turn.prompt.speaker is Speaker.INJECTED
