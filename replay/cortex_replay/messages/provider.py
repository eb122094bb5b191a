"""Calls of the Messages API: bounded retries, and every failure as the end of a run."""

import json
import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cortex.config import is_local
from cortex_replay.agents.claude_output import DETAIL, SILENT_SHARE
from cortex_replay.agents.pricing import Usage
from cortex_replay.messages.record import EndedError
from cortex_replay.messages.request import Request

DELAYS_S = (0.5, 2.0, 8.0)
"""Before each further attempt, unless the server asks for more."""
LONGEST_DELAY_S = 60.0
MAX_TOKENS = 8192
"""Of an answer."""
_AGAIN = frozenset({408, 409, 429})
_NO_KEY = "none"
"""A server on this machine asks for no key, the SDK does."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer of the model."""

    blocks: tuple[dict[str, Any], ...]
    """Of the types `text` and `tool_use`, in order."""
    stop_reason: str
    usage: Usage | None

    @property
    def text(self) -> str:
        """The words of the answer."""
        return "\n".join(block["text"] for block in self.blocks if block["type"] == "text")

    @property
    def calls(self) -> tuple[dict[str, Any], ...]:
        """The tools that the model asks for."""
        return tuple(block for block in self.blocks if block["type"] == "tool_use")


class Provider:
    """Asks the model until the run's time is up."""

    def __init__(self, request: Request) -> None:
        from anthropic import Anthropic, DefaultHttpxClient

        self._request = request
        # A proxy of the person's network does not reach a server on this machine.
        http = DefaultHttpxClient(trust_env=not is_local(request.base_url))
        key = request.api_key
        self._client = Anthropic(
            api_key=key if key or request.auth_token else _NO_KEY,
            auth_token=request.auth_token,
            base_url=request.base_url,
            max_retries=0,
            http_client=http,
        )

    def ask(
        self,
        system: str,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Mapping[str, Any]] = (),
    ) -> Reply:
        """Return the model's answer; EndedError when there is none."""
        body: dict[str, Any] = {
            "model": self._request.model,
            "max_tokens": MAX_TOKENS,
            "system": system,
            "messages": list(messages),
        }
        if tools:
            body["tools"] = list(tools)
        failure, asked_s = "", 0.0
        for delay in (0.0, *DELAYS_S):
            self._wait(max(delay, asked_s), failure)
            failure, asked_s, text = self._attempt(body)
            if text is not None:
                return _reply(text)
        raise EndedError("infra", failure)

    def left_s(self) -> float:
        """Return the seconds that the run still has."""
        return self._request.deadline - time.time()

    def _wait(self, delay: float, failure: str) -> None:
        if delay > LONGEST_DELAY_S or delay >= self.left_s():
            if failure:
                raise EndedError("infra", failure)
            raise EndedError("timeout", f"timed out after {self._request.timeout_s:.0f} s")
        time.sleep(delay)

    def _attempt(self, body: Mapping[str, Any]) -> tuple[str, float, str | None]:
        """Return (failure, seconds that the server asks to wait, None), or the answer's text."""
        import anthropic

        began = time.time()
        try:
            response = self._client.messages.with_raw_response.create(
                **body, timeout=max(0.1, self.left_s())
            )
            return "", 0.0, response.http_response.text
        except anthropic.APITimeoutError:
            raise self._out_of_time(time.time() - began) from None
        except anthropic.APIStatusError as error:
            failure = error_line(error.status_code, error.body, error.message)
            if error.status_code < 500 and error.status_code not in _AGAIN:
                raise EndedError("infra", failure) from None
            return failure, _seconds(error.response.headers.get("retry-after")), None
        except anthropic.AnthropicError as error:
            where = self._request.base_url or "the provider"
            reason = error.__cause__ or error
            return f"{where} cannot be reached: {reason}"[:DETAIL], 0.0, None

    def _out_of_time(self, silent_s: float) -> EndedError:
        if silent_s > SILENT_SHARE * self._request.timeout_s:
            return EndedError("infra", f"the provider did not answer for {silent_s:.0f} s")
        return EndedError("timeout", f"timed out after {self._request.timeout_s:.0f} s")


def error_line(status: int, body: object, message: str) -> str:
    """Return what an error of the API says, in a line."""
    error = body.get("error") if isinstance(body, dict) else None
    words = error.get("message") if isinstance(error, dict) else None
    kind = error.get("type") if isinstance(error, dict) else None
    first = (str(words or message).splitlines() or [""])[0]
    return f"API error {status}: {f'{kind}: ' if kind else ''}{first}"[:DETAIL]


def _seconds(value: str | None) -> float:
    try:
        seconds = float(value or 0)
    except ValueError:
        return 0.0
    return seconds if math.isfinite(seconds) and seconds > 0 else 0.0


def _reply(text: str) -> Reply:
    """Read an answer; EndedError for one that is no message."""
    try:
        message = json.loads(text)
        blocks = [block for block in message["content"] if _is_known(block)]
        stop_reason = str(message.get("stop_reason") or "")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise EndedError("infra", "the server's answer is no message of the API") from None
    return Reply(tuple(map(_bare, blocks)), stop_reason, _usage(message.get("usage")))


def _is_known(block: dict[str, Any]) -> bool:
    if block["type"] == "text":
        return isinstance(block["text"], str) and bool(block["text"])
    return (
        block["type"] == "tool_use"
        and isinstance(block["id"], str)
        and isinstance(block["name"], str)
        and isinstance(block["input"], dict)
    )


def _bare(block: dict[str, Any]) -> dict[str, Any]:
    """Return a block as it may be sent back."""
    names = ("type", "text") if block["type"] == "text" else ("type", "id", "name", "input")
    return {name: block[name] for name in names}


def _usage(value: object) -> Usage | None:
    """Return the tokens of an answer; None when the server does not say them in numbers."""
    if not isinstance(value, dict):
        return None
    counts = [value.get(name) or 0 for name in _COUNTS]
    if not all(type(count) is int and count >= 0 for count in counts):
        return None
    if "input_tokens" not in value or "output_tokens" not in value:
        return None
    fresh, output, written, read = counts
    return Usage(fresh + written + read, output, read)


_COUNTS = (
    "input_tokens",
    "output_tokens",
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
)
