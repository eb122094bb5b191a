"""How the end of an agent's process becomes an outcome: missing is not failing."""

import json

import pytest

from cortex_replay.agents.claude_output import cost, outcome, result_line, tokens
from cortex_replay.processes import ProcessResult


def process_result(
    result: dict[str, object] | None, code: int = 0, *, timed_out: bool = False
) -> ProcessResult:
    line = json.dumps({"type": "result", **result}) if result is not None else ""
    return ProcessResult(code, f'{{"type":"system"}}\n{line}\n', "boom", timed_out, 1.0)


@pytest.mark.parametrize(
    ("process", "expected"),
    [
        (process_result({"subtype": "success", "is_error": False}), "finished"),
        (
            process_result({"subtype": "success", "is_error": True, "result": "API Error: 401"}, 1),
            "infra",
        ),
        (process_result({"subtype": "error_max_budget_usd", "is_error": True}, 1), "budget"),
        (process_result({"subtype": "error_max_turns", "is_error": True}, 1), "finished"),
        (process_result({"subtype": "error_during_execution", "is_error": True}, 1), "infra"),
        (process_result(None, 143), "infra"),
        (process_result({"subtype": "success", "is_error": False}, timed_out=True), "timeout"),
    ],
)
def test_outcomes_of_the_real_agent(process: ProcessResult, expected: str) -> None:
    assert outcome(process, result_line(process.stdout), ())[0] == expected


def test_a_timeout_names_its_seconds() -> None:
    process = process_result(None, timed_out=True)
    assert outcome(process, {}, ()) == ("timeout", "timed out after 1 s")


@pytest.mark.parametrize("value", [None, True, "0.1", -1, float("nan"), float("inf"), [], {}])
def test_a_cost_that_is_no_amount_is_unknown(value: object) -> None:
    assert cost({"total_cost_usd": value}) is None
    assert tokens({"usage": {"input_tokens": value}}, "input_tokens") == 0
    assert tokens({"usage": value}, "input_tokens") == 0


def test_a_result_is_read_wherever_its_type_stands() -> None:
    line = json.dumps({"usage": {"text": "x" * 5000}, "type": "result", "subtype": "success"})
    assert result_line(f"noise\n[1]\n{line}\nnull\n{{")["subtype"] == "success"
    assert result_line(json.dumps({"text": '"type":"result"'})) == {}
