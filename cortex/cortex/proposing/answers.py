"""From what a model answered to a validated draft, with one more try."""

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
    """Return the first JSON object in `text`, whatever stands around it."""
    decoder = json.JSONDecoder()
    at = text.find("{")
    while at >= 0:
        try:
            found, _ = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            found = None
        if isinstance(found, dict):
            return found
        at = text.find("{", at + 1)
    return None


def _validated(fields: object, usage: Usage) -> Draft | str:
    """Return the draft, or what is wrong with it in one line."""
    from pydantic import ValidationError

    if not isinstance(fields, dict):
        return "there was no JSON object in the answer"
    try:
        return Draft.model_validate({**fields, "usage": usage})
    except ValidationError as error:
        wrong = error.errors(include_url=False, include_context=False, include_input=False)
        parts = (f"{'.'.join(map(str, one['loc'])) or 'draft'}: {one['msg']}" for one in wrong)
        return "; ".join(parts)[:500]


def _sum(one: Usage, other: Usage) -> Usage:
    costs = [usage.cost_usd for usage in (one, other) if usage.cost_usd is not None]
    return Usage(
        requests=one.requests + other.requests,
        input_tokens=one.input_tokens + other.input_tokens,
        output_tokens=one.output_tokens + other.output_tokens,
        cost_usd=sum(costs) if costs else None,
    )
