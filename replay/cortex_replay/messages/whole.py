"""Editing by one answer with whole files, for models that cannot call tools."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from cortex_replay import files
from cortex_replay.messages import named
from cortex_replay.messages.edits import write_file
from cortex_replay.messages.instructions import Instructions
from cortex_replay.messages.provider import Provider, Reply
from cortex_replay.messages.record import Record
from cortex_replay.messages.request import Request

SYSTEM = (
    "You are a coding agent. Answer with the whole text of every file that you create or change: "
    "first a line with its path, then its text in a fenced block. Write complete files, leave "
    "nothing out, and change nothing else."
)
_FENCE = re.compile(r"\s{0,3}(?P<fence>`{3,}|~{3,})(?P<info>.*)$")
_PATH = re.compile(r"(?:\.?/)?[\w.+-]+(?:/[\w.+-]+)*\.\w{1,10}")
_AROUND = " \t`*_#:;/-<>!\"'()="
_LABEL = re.compile(r"(?:file|path|filename|title)\s*[:=]\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block of an answer."""

    path: str | None
    text: str


def work(request: Request, record: Record, provider: Provider, instructions: Instructions) -> str:
    """Ask once and write the files of the answer; return what to say about the run."""
    reply = provider.ask(
        SYSTEM, [{"role": "user", "content": _first(request, record, instructions)}]
    )
    record.count(reply.usage)
    if not reply.text:
        return "the model refused" if reply.stop_reason == "refusal" else "the answer is empty"
    written = _write(request, record, reply)
    record.transcript.say(reply.text)
    if reply.stop_reason == "max_tokens":
        return "the answer was cut off at its longest"
    return "" if written else "the answer has no file in a fenced block"


def _first(request: Request, record: Record, instructions: Instructions) -> list[dict[str, Any]]:
    """Return instructions, the files that the prompt names, and the prompt."""
    texts, shown = [instructions.at_start()], []
    for name in named.paths(request.prompt, request.workspace):
        text = named.text_of(request.workspace, name)
        record.mentioned(name, text)
        texts.append(instructions.on_read(name))
        shown.append(_file(name, text))
    texts += shown
    texts.append(request.prompt)
    return [{"type": "text", "text": text} for text in texts if text]


def _file(path: str, text: str) -> str:
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{path}\n{fence}\n{text.rstrip()}\n{fence}"


def _write(request: Request, record: Record, reply: Reply) -> int:
    targets = named.targets(request.prompt)
    written = 0
    for block in blocks(reply.text, targets[0] if len(targets) == 1 else None):
        if block.path is None or not files.inside(block.path):
            continue
        call = record.transcript.call(
            "Write", {"file_path": str(request.workspace / block.path), "content": block.text}
        )
        answer = write_file(request.workspace, block.path, block.text)
        record.transcript.result(call, answer.content, answer.result, error=answer.failed)
        written += not answer.failed
    return written


def blocks(answer: str, only: str | None = None) -> tuple[Block, ...]:
    """Return the whole files of an answer.

    The path is in the opening fence, in the line before it, or alone in the first line of the
    block, as a comment or bare. Where the prompt names one file (`only`), the first block without
    a path is that file. A block that is not closed is left out: it may be half of a file.
    """
    parsed = list(_blocks(answer.splitlines()))
    bare = [block for block in parsed if block.path is None]
    if only is not None and bare and not any(block.path == only for block in parsed):
        named_blocks = [block for block in parsed if block.path is not None]
        return (*named_blocks, Block(only, bare[0].text))
    return tuple(block for block in parsed if block.path is not None)


def _blocks(lines: list[str]) -> Iterator[Block]:
    at, before = 0, ""
    while at < len(lines):
        opening = _FENCE.match(lines[at])
        if opening is None:
            before = lines[at] if lines[at].strip() else before
            at += 1
            continue
        end = _closing(lines, at + 1, opening["fence"])
        if end is None:
            return
        yield _block(opening["info"], before, lines[at + 1 : end])
        at, before = end + 1, ""


def _closing(lines: list[str], start: int, fence: str) -> int | None:
    for number in range(start, len(lines)):
        line = lines[number].strip()
        if line.startswith(fence) and not line.strip(fence[0]):
            return number
    return None


def _block(info: str, before: str, body: list[str]) -> Block:
    words = info.replace("{", " ").replace("}", " ").split()
    path = next(filter(None, map(_path, words)), None)
    path = path or _path(before.split(" ")[-1]) or _path(before)
    first = _path(body[0]) if body else None
    if first is not None and (path is None or _same(first, path)):
        return Block(path or first, _text(body[1:]))
    return Block(path, _text(body))


def _same(first: str, second: str) -> bool:
    return first == second or PurePosixPath(second).name == first


def _path(line: str) -> str | None:
    """Return the path that a line consists of; None for any other line."""
    bare = _LABEL.sub("", line.strip(_AROUND)).strip(_AROUND)
    return bare.removeprefix("./") if _PATH.fullmatch(bare) else None


def _text(lines: list[str]) -> str:
    return "\n".join(lines).strip("\n") + "\n"
