"""What Claude Code printed, as data: every line is JSON, whatever the order of its keys."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from cortex.model.sessions import Called, Event, Returned
from cortex.timestamps import parse
from cortex_replay.agents.base import RunStatus
from cortex_replay.processes import ProcessResult

SILENT_SHARE = 0.5
"""Of a run's time without an answer of the model, until its end: then the provider failed."""
DETAIL = 200
"""Characters of a message that are kept."""


def result_line(output: str) -> dict[str, Any]:
    """Return the result that the CLI printed; empty when there is none."""
    results = (event for event in _newest_first(output) if event.get("type") == "result")
    return next(results, {})


def cost(result: Mapping[str, Any]) -> float | None:
    """Return the cost in US dollars; None when the CLI does not say it in numbers."""
    return _number(result.get("total_cost_usd"))


def tokens(result: Mapping[str, Any], name: str) -> int:
    """Return a count of the result's `usage`; 0 when it is missing."""
    usage = result.get("usage")
    value = _number(usage.get(name)) if isinstance(usage, dict) else None
    return int(value or 0)


def outcome(
    process: ProcessResult, result: Mapping[str, Any], events: Sequence[Event]
) -> tuple[RunStatus, str]:
    """Return status and detail. The subtype is not enough: an API error has subtype "success"."""
    if process.stopped:
        return "timeout", process.stopped
    if process.timed_out:
        failing = _provider_failing(process, events)
        detail = f"timed out after {process.seconds:.0f} s"
        return ("infra", failing) if failing else ("timeout", detail)
    if not result:
        lines = (process.stderr or process.stdout).strip().splitlines()
        last = lines[-1][:DETAIL] if lines else "no output"
        return "infra", f"exit code {process.returncode}: {last}"
    subtype = str(result.get("subtype", ""))
    if subtype == "error_max_budget_usd":
        return "budget", "reached the budget of a trial"
    if subtype == "error_max_turns":
        return "finished", "reached the maximum number of turns"
    if result.get("is_error"):
        errors = result.get("errors")
        first = errors[0] if isinstance(errors, list) and errors else result.get("result")
        return "infra", str(first or subtype)[:DETAIL]
    return "finished", ""


def _newest_first(output: str) -> Iterator[dict[str, Any]]:
    """Yield the objects that were printed, newest first; other lines are passed over."""
    for line in reversed(output.splitlines()):
        if "{" not in line:
            continue  # Millions of lines, when a program never stops to print.
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield value


def _provider_failing(process: ProcessResult, events: Sequence[Event]) -> str:
    """Return how the provider kept a run from ending in time, "" when it was the agent's own."""
    newest = next(_newest_first(process.stdout), {})
    if newest.get("subtype") == "api_retry":
        return f"the provider kept failing: {newest.get('error_status') or newest.get('error')}"
    silent_s = _silent_s(process, events)
    if silent_s > SILENT_SHARE * process.seconds:
        return f"the provider did not answer for {silent_s:.0f} s"
    return ""


def _silent_s(process: ProcessResult, events: Sequence[Event]) -> float:
    """Return for how long the run waited for the model at its end.

    0 while a tool ran, and where the transcript does not say.
    """
    returned = {event.call_id for event in events if isinstance(event, Returned)}
    if any(isinstance(event, Called) and event.call_id not in returned for event in events):
        return 0.0
    moments = [event.at for event in events if event.at]
    try:
        last = parse(max(moments, default="")).timestamp()
    except ValueError:
        return 0.0
    return min(process.seconds, datetime.now(UTC).timestamp() - last)


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) and value >= 0 else None
