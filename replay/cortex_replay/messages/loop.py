"""The loop: the model asks for tools until it is done, or its turns or money are."""

from collections.abc import Iterator
from typing import Any

from cortex_replay.messages import named
from cortex_replay.messages.instructions import Instructions
from cortex_replay.messages.provider import Provider, Reply
from cortex_replay.messages.record import EndedError, Record
from cortex_replay.messages.request import Request
from cortex_replay.messages.tools import TOOLS, Toolbox

MAX_TURNS = 50
"""Answers of the model in a run."""
_SYSTEM = """You are a coding agent. Do what the user asks, in the files of the working directory, \
with the tools that you have. Follow the instructions of the project that you are shown. Change \
nothing else. There is nobody to ask; when you are done, say so in a sentence.

Primary working directory: """


def work(request: Request, record: Record, provider: Provider, instructions: Instructions) -> str:
    """Work until the model is done; return what to say about the run."""
    toolbox = Toolbox(request, instructions)
    system = f"{_SYSTEM}{request.workspace}"
    messages: list[dict[str, Any]] = [
        {"role": "user", "content": _first(request, record, instructions, toolbox)}
    ]
    for _ in range(MAX_TURNS):
        record.progress()
        reply = provider.ask(system, messages, TOOLS)
        record.count(reply.usage)
        if reply.text:
            record.transcript.say(reply.text)
        if not reply.calls or reply.stop_reason == "max_tokens":
            return _detail(reply)
        if record.over_budget:
            raise EndedError("budget", "reached the budget of a trial")
        messages.append({"role": "assistant", "content": list(reply.blocks)})
        messages.append(
            {"role": "user", "content": list(_results(reply, record, provider, toolbox))}
        )
    return f"reached the maximum number of turns ({MAX_TURNS})"


def _detail(reply: Reply) -> str:
    if reply.stop_reason == "max_tokens":
        return "the answer was cut off at its longest"
    if reply.stop_reason == "refusal":
        return "the model refused"
    return "" if reply.text else "the answer is empty"


def _first(
    request: Request, record: Record, instructions: Instructions, toolbox: Toolbox
) -> list[dict[str, Any]]:
    """Return instructions, skills, files that are mentioned by `@path`, and the prompt."""
    texts = [instructions.at_start(), instructions.skills()]
    for path in named.paths(request.prompt, request.workspace, mentioned=True):
        text = named.text_of(request.workspace, path)
        toolbox.saw(path)
        record.mentioned(path, text)
        texts.append(
            f"<system-reminder>\nContents of {path}:\n\n{text.rstrip()}\n</system-reminder>"
        )
        texts += [instructions.on_read(path), instructions.skills(path)]
    texts.append(request.prompt)
    return [{"type": "text", "text": text} for text in texts if text]


def _results(
    reply: Reply, record: Record, provider: Provider, toolbox: Toolbox
) -> Iterator[dict[str, Any]]:
    """Run the tools of an answer in their order; yield the blocks that tell the model."""
    added = []
    for block in reply.calls:
        call = record.transcript.call(block["name"], block["input"])
        answer, harness = toolbox.use(block["name"], block["input"], provider.left_s())
        record.transcript.result(call, answer.content, answer.result, error=answer.failed)
        is_skill = block["name"] == "Skill" and bool(harness)
        if is_skill:
            record.transcript.skill_body(call, harness)
            added.append(harness)
        text = answer.content if is_skill or not harness else f"{answer.content}\n\n{harness}"
        result = {"type": "tool_result", "tool_use_id": block["id"], "content": text}
        yield result | ({"is_error": True} if answer.failed else {})
    yield from ({"type": "text", "text": text} for text in added)
