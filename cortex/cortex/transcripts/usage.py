"""Tokens that a session used."""

from collections.abc import Iterable
from dataclasses import dataclass

from cortex.model.sessions import Event, Said

SYNTHETIC = "<synthetic>"
"""The model of messages that the harness wrote itself."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of distinct messages of the model."""

    input_tokens: int
    """Including what was read from and written to the prompt cache."""
    output_tokens: int
    messages: int


def total(events: Iterable[Event]) -> Usage:
    """Add up usage, each message once: every block of a message repeats its figures."""
    messages: dict[str, tuple[int, int]] = {}
    for event in events:
        if isinstance(event, Said) and event.model != SYNTHETIC:
            known = messages.get(event.message_id, (0, 0))
            figures = max(known[0], event.input_tokens), max(known[1], event.output_tokens)
            messages[event.message_id] = figures
    return Usage(
        input_tokens=sum(figures[0] for figures in messages.values()),
        output_tokens=sum(figures[1] for figures in messages.values()),
        messages=len(messages),
    )
