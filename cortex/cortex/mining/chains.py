"""Chains: a task, the corrections that it took, and where the developer was satisfied."""

from collections.abc import Sequence

from cortex.mining.signals import DetectedCorrection
from cortex.mining.turn_context import ends_with_question, written
from cortex.model.corrections import Signal
from cortex.model.sessions import Speaker, Turn

_BY_PROMPT = (Signal.FOLLOW_UP, Signal.INTERRUPTION)
_SHORT_REPLY = 60
"""Characters: a longer answer to the agent's question may be a new wish."""


def root(work: int, corrections: Sequence[DetectedCorrection]) -> int:
    """Return the turn whose prompt is the task of the work in turn `work`.

    A turn that a correction started carries on the task of the work that it corrects.
    """
    started = {other.turn: other.work for other in corrections if other.signal in _BY_PROMPT}
    while work in started:
        work = started[work]
    return work


def end(
    turns: Sequence[Turn],
    correction: DetectedCorrection,
    others: Sequence[DetectedCorrection],
) -> int:
    """Return the turn after which the developer was satisfied: the last one of the chain.

    The next prompts belong to it while they correct the same work, or answer a question that the
    agent put before it did anything.
    """
    corrects = {other.turn for other in others if other.signal in _BY_PROMPT}
    first = last = correction.turn
    while last + 1 < len(turns):
        following = turns[last + 1]
        if last + 1 not in corrects and not _answers(turns[first : last + 1], following):
            break
        last += 1
    return last


def _answers(since: Sequence[Turn], following: Turn) -> bool:
    prompt = following.prompt
    short = len(prompt.text) <= _SHORT_REPLY and prompt.speaker is not Speaker.INJECTED
    idle = not any(written(turn) for turn in since)
    return short and idle and ends_with_question(since[-1])
