"""Drafts from the Messages API, for people with an API key."""

import os
from typing import TYPE_CHECKING, Any

from cortex.errors import MachineError
from cortex.proposing.answers import Answer, ask_twice
from cortex.proposing.briefs import Brief
from cortex.proposing.draft import Draft, Usage, schema
from cortex.proposing.prompting import prompts

if TYPE_CHECKING:
    from anthropic import Anthropic
    from anthropic.types import Message, MessageParam

DEFAULT_MODEL = "claude-sonnet-5"
MAX_TOKENS = 4096
TOOL = "propose"


class AnthropicWriter:
    """Asks a model through the SDK; the draft is the input of a tool that it has to call."""

    name = "anthropic"

    def __init__(
        self,
        model: str | None = None,
        *,
        base_url: str | None = None,
        timeout_s: float = 120.0,
        max_retries: int = 2,
    ) -> None:
        """`base_url` None leaves the SDK's own (or ANTHROPIC_BASE_URL)."""
        self._model = model or DEFAULT_MODEL
        self._base_url = base_url
        self._timeout_s = timeout_s
        self._max_retries = max_retries

    def write(self, brief: Brief) -> Draft:
        """Return the model's draft.

        Raises MachineError without a key or when the API refuses, UsageError when the model gave
        nothing usable twice.
        """
        client = self._client()
        system, user = prompts(brief)
        messages: list[MessageParam] = [{"role": "user", "content": user}]

        def ask(complaint: str) -> Answer:
            if complaint:
                messages.append({"role": "user", "content": _again(complaint)})
            message = self._create(client, system, messages)
            return Answer(_tool_input(message), _usage(message))

        return ask_twice(self.name, ask)

    def _client(self) -> "Anthropic":
        if not (os.environ.get("ANTHROPIC_API_KEY") or os.environ.get("ANTHROPIC_AUTH_TOKEN")):
            raise MachineError(
                "the anthropic writer needs ANTHROPIC_API_KEY in the environment; "
                "`--writer template` works offline"
            )
        from anthropic import Anthropic

        return Anthropic(
            base_url=self._base_url, timeout=self._timeout_s, max_retries=self._max_retries
        )

    def _create(
        self, client: "Anthropic", system: str, messages: "list[MessageParam]"
    ) -> "Message":
        import anthropic

        try:
            return client.messages.create(
                model=self._model,
                max_tokens=MAX_TOKENS,
                system=system,
                messages=messages,
                tools=[
                    {
                        "name": TOOL,
                        "description": "Hand in the rule, skill or section.",
                        "input_schema": schema(),
                    }
                ],
                tool_choice={"type": "tool", "name": TOOL},
            )
        except anthropic.APITimeoutError:
            raise MachineError(
                f"the Messages API gave no answer in {self._timeout_s:g} s"
            ) from None
        except anthropic.APIStatusError as error:
            raise MachineError(f"the Messages API refused: {_said(error)}") from None
        except anthropic.AnthropicError as error:
            raise MachineError(f"the Messages API cannot be reached: {error}") from None


def _tool_input(message: "Message") -> object:
    return next((block.input for block in message.content if block.type == "tool_use"), None)


def _usage(message: "Message") -> Usage:
    spent = message.usage
    cached = (spent.cache_creation_input_tokens or 0) + (spent.cache_read_input_tokens or 0)
    return Usage(
        requests=1,
        input_tokens=spent.input_tokens + cached,
        output_tokens=spent.output_tokens,
    )


def _again(complaint: str) -> str:
    return f"That could not be used: {complaint}. Hand in the corrected draft."


def _said(error: Any) -> str:
    body = error.body if isinstance(error.body, dict) else {}
    detail = body.get("error") if isinstance(body.get("error"), dict) else {}
    text = str((detail or {}).get("message") or error.message).split("\n", 1)[0]
    return f"{error.status_code} {text}"[:300]
