"""From what a model answered to a validated draft, with a second try."""

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from cortex.errors import UsageError
from cortex.proposing.draft import Draft, Usage


class Answer(NamedTuple):
    """One answer of a model."""

    fields: object
    """What it gave as the draft; None when it gave none."""
    usage: Usage


def ask_twice(writer: str, ask: Callable[[str], Answer]) -> Draft:
    """Return the draft that `ask` yields; a second call gets told what was wrong with the first.

    `ask` takes that complaint ("" the first time). Raises UsageError when both are unusable.
    """
    complaint, spent = "", Usage()
    for _ in range(2):
        answer = ask(complaint)
        spent = _sum(spent, answer.usage)
        draft = _validated(answer.fields, spent)
        if isinstance(draft, Draft):
            return draft
        complaint = draft
    raise UsageError(f"{writer} gave no usable draft, twice: {complaint}")


def find_object(text: str) -> dict[str, Any] | None:
    """Return the first JSON object in `text`, whatever surrounds it."""
    decoder = json.JSONDecoder()
    start = text.find("{")
    while start >= 0:
        try:
            answer, _ = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            answer = None
        if isinstance(answer, dict):
            return answer
        start = text.find("{", start + 1)
    return None


def _validated(fields: object, usage: Usage) -> Draft | str:
    """Return the draft, or what is wrong with it in a line."""
    from pydantic import ValidationError

    if not isinstance(fields, dict):
        return "there was no JSON object in the answer"
    try:
        return Draft.model_validate({**fields, "usage": usage})
    except ValidationError as error:
        wrong = error.errors(include_url=False, include_context=False, include_input=False)
        parts = (
            f"{'.'.join(map(str, problem['loc'])) or 'draft'}: {problem['msg']}"
            for problem in wrong
        )
        return "; ".join(parts)[:500]


def _sum(first: Usage, second: Usage) -> Usage:
    costs = [usage.cost_usd for usage in (first, second) if usage.cost_usd is not None]
    return Usage(
        requests=first.requests + second.requests,
        input_tokens=first.input_tokens + second.input_tokens,
        output_tokens=first.output_tokens + second.output_tokens,
        cost_usd=sum(costs) if costs else None,
    )
