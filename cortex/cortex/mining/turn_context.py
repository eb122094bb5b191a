"""What surrounds a developer's words: most of what they mean shows in what the agent just did."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from cortex.mining.rework import rework, wrote_file
from cortex.model.sessions import ActionKind, Turn


class Channel(StrEnum):
    """How the words reached the agent."""

    PROMPT = "prompt"
    REJECTION = "rejection"
    INTERRUPTION = "interruption"


@dataclass(frozen=True, slots=True)
class TurnContext:
    """What the agent did before the words, and after them as far as that is known."""

    channel: Channel = Channel.PROMPT
    wrote: bool = False
    """It wrote files, or wanted to in the call that was rejected."""
    ran: bool = False
    """It ran commands, or wanted to."""
    planned: bool = False
    """It put a plan forward."""
    asked: bool = False
    """It ended by asking the developer something."""
    rewrote: bool | None = None
    """After the words it took out lines that it had put in before them, or wrote the file whose
    change was rejected. False: it worked on files and left such lines alone. None: it did not."""
    replaced: frozenset[str] = frozenset()
    """Names in the lines that it took out again and that are gone."""


_ASKING = ("AskUserQuestion",)
_PLANNING = ("ExitPlanMode",)


def before_prompt(work: Turn, last: Turn, following: Turn, interrupted: bool) -> TurnContext:
    """Return the context of the prompt that starts `following`.

    `work` is the turn with the agent's last work, `last` the one just before the prompt.
    """
    changed = rework(work.actions, following.actions)
    return TurnContext(
        channel=Channel.INTERRUPTION if interrupted else Channel.PROMPT,
        wrote=bool(written(work)),
        ran=any(action.call.kind is ActionKind.COMMAND for action in work.actions),
        planned=any(action.call.tool in _PLANNING for action in work.actions),
        asked=not interrupted and ends_with_question(last),
        rewrote=bool(changed.out) if changed.wrote else None,
        replaced=changed.names,
    )


def at_rejection(turn: Turn, number: int) -> TurnContext:
    """Return the context of the words with which action `number` of `turn` was rejected."""
    call = turn.actions[number].call
    later = {action.call.path for action in turn.actions[number + 1 :] if wrote_file(action)}
    return TurnContext(
        channel=Channel.REJECTION,
        wrote=call.kind is ActionKind.WRITE,
        ran=call.kind is ActionKind.COMMAND,
        planned=call.tool in _PLANNING,
        asked=call.tool in _ASKING,
        rewrote=True if call.path and call.path in later else None,
    )


def written(turn: Turn) -> tuple[str, ...]:
    """Return the files that a turn wrote, each once."""
    paths = (action.call.path for action in turn.actions if wrote_file(action))
    return tuple(dict.fromkeys(path for path in paths if path))


def ends_with_question(turn: Turn) -> bool:
    """Return whether the agent's last words of a turn ask something."""
    if turn.actions and turn.actions[-1].call.tool in _ASKING:
        return True
    texts = [message.text for message in turn.messages if message.text.strip()]
    return bool(texts) and _asks(texts[-1])


def _asks(text: str) -> bool:
    lines: Sequence[str] = [line.strip(" *_`)") for line in text.splitlines() if line.strip()]
    return any(line.endswith(("?", "？")) for line in lines[-2:])
