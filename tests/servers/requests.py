"""Requests that an agent CLI sent: the model's input, and comparisons of it."""

import difflib
import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

_INJECTED = ("<system-reminder>", "Base directory for this skill:")
_TOOL_ID = re.compile(r"toolu_\w+")
_VARYING = (
    (re.compile(r"cc_version=[^;]+"), "cc_version=VERSION"),
    (re.compile(r"Today's date is \d{4}-\d\d-\d\d"), "Today's date is DATE"),
)


@dataclass(frozen=True)
class Request:
    """A call of the Messages API, as received."""

    body: dict[str, Any]
    headers: dict[str, str]
    """Names in lower case."""

    @property
    def session(self) -> str:
        """The agent's session, from its header."""
        return self.headers.get("x-claude-code-session-id", "")

    @cached_property
    def digest(self) -> str:
        """Digest of what the model reads: equal conversations have equal digests."""
        content = json.dumps([self.body.get("system"), self.body["messages"]], sort_keys=True)
        return hashlib.sha256(content.encode()).hexdigest()

    @cached_property
    def model_input(self) -> str:
        """The model's input: system prompt, harness, prompts and tool results.

        Its own earlier answers are left out.
        """
        others = [m for m in self.body["messages"] if m["role"] != "assistant"]
        return "\n".join(_texts([self.body.get("system", ""), *others]))

    @property
    def working_directory(self) -> str:
        """The folder that the agent names in its system prompt."""
        lines = self.model_input.split("\n")
        line = next(line for line in lines if "Primary working directory" in line)
        return line.partition(": ")[2].strip()

    @cached_property
    def prompts(self) -> tuple[str, ...]:
        """The person's prompts, in order."""
        return tuple(text for _, text in self._typed())

    @property
    def step(self) -> int:
        """Number of the model's answers since the last prompt."""
        last = max(position for position, _ in self._typed())
        return sum(1 for m in self.body["messages"][last:] if m["role"] == "assistant")

    @property
    def results(self) -> tuple[str, ...]:
        """Text of every tool result so far."""
        blocks = (b for m in self.body["messages"] for b in _blocks(m))
        return tuple("\n".join(_texts(b["content"])) for b in blocks if b["type"] == "tool_result")

    def _typed(self) -> Iterator[tuple[int, str]]:
        for position, message in enumerate(self.body["messages"]):
            if message["role"] != "user":
                continue
            for block in _blocks(message):
                if block["type"] == "text" and not block["text"].lstrip().startswith(_INJECTED):
                    yield position, block["text"]


def normalised(request: Request, places: Mapping[str, str]) -> dict[str, Any]:
    """Return the body without values that differ between any two runs.

    Those are device and session ids, ids of tool calls (numbered by appearance), the date, the
    build's fingerprint, marks for the provider's cache, and the folders in `places` (path -> name).
    """
    text = json.dumps(request.body | {"metadata": "METADATA"}, sort_keys=True)
    for pattern, replacement in _VARYING:
        text = pattern.sub(replacement, text)
    for path, name in places.items():
        text = text.replace(json.dumps(path)[1:-1], name)
    numbered: dict[str, str] = {}
    text = _TOOL_ID.sub(
        lambda match: numbered.setdefault(match.group(), f"toolu_{len(numbered) + 1}"), text
    )
    body: dict[str, Any] = _without_cache_marks(json.loads(text))
    return body


def _without_cache_marks(value: Any) -> Any:
    """Remove what only tells the provider where to keep a prefix: it depends on the position."""
    if isinstance(value, dict):
        marked = {key: _without_cache_marks(item) for key, item in value.items()}
        marked.pop("cache_control", None)
        return marked
    if isinstance(value, list):
        return [_without_cache_marks(item) for item in value]
    return value


@dataclass(frozen=True, slots=True)
class Difference:
    """Lines that are in a single sequence of requests; both empty when the sequences are equal."""

    without: tuple[str, ...]
    with_: tuple[str, ...]


def difference(without: Sequence[dict[str, Any]], with_: Sequence[dict[str, Any]]) -> Difference:
    """Compare two sequences of normalised bodies line by line; keys and texts are lines alike."""
    before, after = list(_lines(list(without))), list(_lines(list(with_)))
    only_before: list[str] = []
    only_after: list[str] = []
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag != "equal":
            only_before += before[a:b]
            only_after += after[c:d]
    return Difference(tuple(only_before), tuple(only_after))


def _lines(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key in sorted(value):
            yield f"{key}:"
            yield from _lines(value[key])
    elif isinstance(value, list):
        for item in value:
            yield "-"
            yield from _lines(item)
    elif isinstance(value, str):
        yield from value.split("\n")
    else:
        yield json.dumps(value)


def _blocks(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    content = message["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _texts(value: object) -> Iterator[str]:
    """Yield the text of blocks, messages and plain strings, in order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, dict):
        yield from _texts(value.get("text"))
        yield from _texts(value.get("content"))
