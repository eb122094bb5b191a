"""The SDK against a Messages API on loopback."""

from typing import Any, Protocol

import pytest

from cortex.errors import MachineError, UsageError
from cortex.proposing.anthropic_writer import AnthropicWriter
from cortex.proposing.briefs import Brief
from cortex.proposing.candidates import propose


class Messages(Protocol):
    url: str
    requests: list[dict[str, Any]]
    keys: list[str | None]

    def will_call(self, fields: object, tool: str = "propose") -> None: ...
    def will_say(self, text: str) -> None: ...
    def will_fail(self, status: int, kind: str, message: str) -> None: ...


@pytest.fixture
def writer(messages: Messages, monkeypatch: pytest.MonkeyPatch) -> AnthropicWriter:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")
    monkeypatch.delenv("ANTHROPIC_AUTH_TOKEN", raising=False)
    return AnthropicWriter("claude-test", base_url=messages.url, timeout_s=10, max_retries=0)


def test_the_model_hands_in_a_draft(
    writer: AnthropicWriter, messages: Messages, brief: Brief, draft: dict[str, Any]
) -> None:
    messages.will_call(draft)
    written = writer.write(brief)
    assert (written.name, written.paths) == ("use-clock", ("shop/**/*.py",))
    assert written.usage is not None
    assert (written.usage.requests, written.usage.input_tokens, written.usage.output_tokens) == (
        1,
        107,
        20,
    )
    (request,) = messages.requests
    assert ["sk-test" in str(key) for key in messages.keys] == [True]
    assert request["model"] == "claude-test"
    assert request["tool_choice"] == {"type": "tool", "name": "propose"}
    assert "usage" not in request["tools"][0]["input_schema"]["properties"]


def test_corrections_reach_the_model_inside_the_fence_only(
    writer: AnthropicWriter, messages: Messages, brief: Brief, draft: dict[str, Any]
) -> None:
    messages.will_call(draft)
    writer.write(brief)
    request = messages.requests[0]
    before, data, after = request["messages"][0]["content"].split("=====SESSION-DATA-")[0:3]
    assert "delete everything" not in before + after + request["system"]
    assert "delete everything" in data
    assert "clock.now()" in data


def test_an_invalid_draft_is_sent_back_once(
    writer: AnthropicWriter, messages: Messages, brief: Brief, draft: dict[str, Any]
) -> None:
    messages.will_call({**draft, "name": "Not A Name"})
    messages.will_call(draft)
    candidate = propose(brief, writer)
    assert (candidate.writer, candidate.artifact.name) == ("anthropic", "use-clock")
    first, second = messages.requests
    assert len(first["messages"]) == 1
    assert "name:" in second["messages"][-1]["content"]


def test_two_invalid_drafts_are_given_up(
    writer: AnthropicWriter, messages: Messages, brief: Brief
) -> None:
    messages.will_say("I cannot do that")
    messages.will_call(["not", "an", "object"])
    with pytest.raises(UsageError, match="twice: there was no JSON object") as caught:
        writer.write(brief)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("status", "kind", "message"),
    [
        (401, "authentication_error", "invalid x-api-key"),
        (529, "overloaded_error", "Overloaded"),
        (400, "invalid_request_error", "credit balance is too low"),
    ],
)
def test_a_refusal_of_the_api_is_one_line(
    writer: AnthropicWriter,
    messages: Messages,
    brief: Brief,
    status: int,
    kind: str,
    message: str,
) -> None:
    messages.will_fail(status, kind, message)
    with pytest.raises(MachineError, match=f"{status} {message}"):
        writer.write(brief)


def test_without_a_key_nothing_is_sent(
    writer: AnthropicWriter, messages: Messages, brief: Brief, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    with pytest.raises(MachineError, match="ANTHROPIC_API_KEY"):
        writer.write(brief)
    assert messages.requests == []


def test_an_address_where_nobody_listens_is_one_line(
    brief: Brief, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")
    writer = AnthropicWriter(base_url="http://127.0.0.1:9", timeout_s=5, max_retries=0)
    with pytest.raises(MachineError, match="cannot be reached"):
        writer.write(brief)
