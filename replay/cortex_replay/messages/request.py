"""The input of the messages agent, which also holds the key: it comes by standard input only."""

import json
from dataclasses import dataclass, field
from pathlib import Path

from cortex.config import TokenPrices


class InvalidRequestError(Exception):
    """The request is invalid; the message is a single line."""


@dataclass(frozen=True, slots=True)
class Request:
    """A prompt to work on, and the server that answers."""

    prompt: str
    workspace: Path
    state: Path
    session_id: str
    model: str
    deadline: float
    """Seconds since the epoch; the run ends by itself before it is ended."""
    timeout_s: float
    edit_format: str = "tools"
    base_url: str | None = None
    """None is the provider's own."""
    api_key: str | None = field(default=None, repr=False)
    auth_token: str | None = field(default=None, repr=False)
    budget_usd: float | None = None
    prices: TokenPrices | None = None
    reads_agents_file: bool = False

    @classmethod
    def parse(cls, text: str) -> "Request":
        """Read a request; InvalidRequestError names the problem, never a value."""
        try:
            raw = json.loads(text)
            prices = raw.pop("prices", None)
            return cls(
                workspace=Path(raw.pop("workspace")),
                state=Path(raw.pop("state")),
                prices=TokenPrices(**prices) if prices else None,
                **raw,
            )
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise InvalidRequestError(f"invalid request ({type(error).__name__})") from None
