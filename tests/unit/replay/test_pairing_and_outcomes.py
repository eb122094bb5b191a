"""How an agent's end becomes an outcome: missing is not failing."""

import json

import pytest

from cortex_replay.agents.claude_code import _outcome, _result_line
from cortex_replay.processes import ProcessResult


def ended(result: dict[str, object] | None, code: int = 0, *, late: bool = False) -> ProcessResult:
    line = json.dumps({"type": "result", **result}) if result is not None else ""
    return ProcessResult(code, f'{{"type":"system"}}\n{line}\n', "boom", late, 1.0)


@pytest.mark.parametrize(
    ("finished", "expected"),
    [
        (ended({"subtype": "success", "is_error": False}), "finished"),
        (ended({"subtype": "success", "is_error": True, "result": "API Error: 401"}, 1), "infra"),
        (ended({"subtype": "error_max_budget_usd", "is_error": True}, 1), "budget"),
        (ended({"subtype": "error_max_turns", "is_error": True}, 1), "finished"),
        (ended({"subtype": "error_during_execution", "is_error": True}, 1), "infra"),
        (ended(None, 143), "infra"),
        (ended({"subtype": "success", "is_error": False}, late=True), "timeout"),
    ],
)
def test_outcomes_of_the_real_agent(finished: ProcessResult, expected: str) -> None:
    assert _outcome(finished, _result_line(finished.stdout))[0] == expected
