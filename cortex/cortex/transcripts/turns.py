"""Turns: a prompt and all that the agent did until the next one."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from cortex.model.sessions import (
    Action,
    Called,
    Event,
    Interrupted,
    Loaded,
    Prompted,
    Returned,
    Said,
    Speaker,
    Turn,
)
from cortex.transcripts.attachments import MENTION
from cortex.transcripts.speakers import opens_work
from cortex.transcripts.usage import SYNTHETIC


@dataclass(slots=True)
class _OpenTurn:
    """A turn that still grows."""

    prompt: Prompted
    calls: dict[str, Called] = field(default_factory=dict)
    results: dict[str, Returned] = field(default_factory=dict)
    messages: list[Said] = field(default_factory=list)
    loaded: list[Loaded] = field(default_factory=list)
    interrupted: bool = False
    order: list[str] = field(default_factory=list)

    def take_over(self, other: "_OpenTurn") -> None:
        """Append what happened in `other`."""
        self.calls |= other.calls
        self.results |= other.results
        self.messages += other.messages
        self.loaded += other.loaded
        self.interrupted |= other.interrupted
        self.order += other.order

    def close(self) -> Turn:
        """Return the finished turn."""
        actions = tuple(Action(call, self.results.get(key)) for key, call in self.calls.items())
        return Turn(
            prompt=self.prompt,
            actions=actions,
            messages=tuple(self.messages),
            loaded=tuple(self.loaded),
            interrupted=self.interrupted,
            order=tuple(dict.fromkeys(self.order)),
        )


def assemble(events: Iterable[Event]) -> tuple[Turn, ...]:
    """Return the turns of a session from its events in transcript order.

    A turn starts at each prompt of a person or a script, and where a slash command or an accepted
    plan made the agent work (its prompt is then `INJECTED`). Other injected text starts none.
    Events before the first prompt belong to no turn.
    """
    turns: list[_OpenTurn] = []
    owner: dict[str, _OpenTurn] = {}
    for event in events:
        if isinstance(event, Prompted) and opens_work(event):
            _drop_idle(turns)
            turns.append(_OpenTurn(event))
        if turns:
            _add(event, turns[-1], owner)
    _drop_idle(turns)
    return tuple(turn.close() for turn in turns)


def _drop_idle(turns: list[_OpenTurn]) -> None:
    """A command of the harness (`/compact`, `/model`) after which the agent took no action."""
    if turns and turns[-1].prompt.speaker is Speaker.INJECTED and _is_idle(turns[-1]):
        idle = turns.pop()
        if turns:
            turns[-1].take_over(idle)


def _is_idle(turn: _OpenTurn) -> bool:
    called = any(call.tool != MENTION for call in turn.calls.values())
    return not called and all(message.model == SYNTHETIC for message in turn.messages)


def _add(event: Event, turn: _OpenTurn, owner: dict[str, _OpenTurn]) -> None:
    turn.order.append(event.uuid)
    match event:
        case Called():
            turn.calls.setdefault(event.call_id, event)
            owner.setdefault(event.call_id, turn)
        case Returned():
            owner.get(event.call_id, turn).results.setdefault(event.call_id, event)
        case Said():
            turn.messages.append(event)
        case Loaded():
            _load(event, turn.loaded)
        case Interrupted():
            turn.interrupted = True
        case Prompted():
            pass


def _load(event: Loaded, loaded: list[Loaded]) -> None:
    """An opened skill may show twice, in the tool's answer and with its text: it counts once."""
    previous = loaded[-1] if loaded else None
    repeated = previous is not None and event.kind == previous.kind == "skill"
    if not (repeated and previous is not None and previous.path == event.path):
        loaded.append(event)
