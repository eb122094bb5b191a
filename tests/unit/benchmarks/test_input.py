"""Invalid input to the gate benchmark: a single line on standard error and exit code 2."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from benchmarks import gate, holdout, scenario_files
from benchmarks.scenarios import SCENARIOS

from cortex.errors import UsageError

TASK = {"without": 0.2, "with": 0.8, "role": "theme"}
GOOD = {"name": "made", "direction": "add", "tasks": [TASK]}


def task(**changes: Any) -> list[dict[str, Any]]:
    return [GOOD | {"tasks": [TASK, TASK | changes]}]


def without_field(field: str) -> list[dict[str, Any]]:
    return [{key: value for key, value in GOOD.items() if key != field}]


INVALID = [
    (task(without=1.2), "scenario 'made': task 2: without"),
    (task(without=-0.1), "scenario 'made': task 2: without"),
    (task(load=2), "scenario 'made': task 2: load"),
    (task(**{"with": float("nan")}), "scenario 'made': task 2: with"),
    (task(**{"with": float("inf")}), "scenario 'made': task 2: with"),
    (task(**{"with": "0.5"}), "scenario 'made': task 2: with"),
    (task(**{"with": True}), "scenario 'made': task 2: with"),
    (task(**{"with": None}), "scenario 'made': task 2: with"),
    (task(role="hero"), "scenario 'made': task 2: role"),
    (task(role=["theme"]), "scenario 'made': task 2: role"),
    (
        [GOOD | {"tasks": [{"with": 1, "role": "theme"}]}],
        "'made': task 1: without: missing",
    ),
    ([GOOD | {"tasks": [3]}], "scenario 'made': task 1: must be an object"),
    ([GOOD | {"tasks": []}], "scenario 'made': tasks"),
    ([GOOD | {"tasks": {}}], "scenario 'made': tasks"),
    ([GOOD | {"direction": "sideways"}], "scenario 'made': direction"),
    ([GOOD | {"direction": None}], "scenario 'made': direction"),
    ([GOOD, GOOD], "scenario 'made': duplicate name"),
    ([GOOD, GOOD | {"name": ""}], "scenario 2: name"),
    (without_field("name"), "scenario 1: name: missing"),
    (without_field("direction"), "scenario 'made': direction: missing"),
    (without_field("tasks"), "scenario 'made': tasks: missing"),
    ([], "no scenarios"),
    (GOOD, "must be a list of scenarios, not an object"),
    (None, "must be a list of scenarios, not null"),
    ([None], "scenario 1: must be an object"),
]


@pytest.mark.parametrize(("raw", "message"), INVALID)
def test_the_error_names_scenario_and_field(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], raw: object, message: str
) -> None:
    path = tmp_path / "scenarios.json"
    path.write_text(json.dumps(raw), "utf-8")
    assert gate.main(["--scenarios", str(path), "--runs", "1"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith(f"gate: {path}: ")
    assert message in err


@pytest.mark.parametrize("content", [b"", b"[", b"\xff\xfe", b"[" * 100_000])
def test_invalid_json_is_a_single_error_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    path = tmp_path / "scenarios.json"
    path.write_bytes(content)
    assert gate.main(["--scenarios", str(path), "--runs", "1"]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "invalid JSON" in err


def test_an_unreadable_file_is_a_single_error_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in (tmp_path, tmp_path / "none.json"):
        assert gate.main(["--scenarios", str(path)]) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert f"{path}: cannot be read" in err


@pytest.mark.parametrize(
    "options", [["--runs", "0"], ["--runs", "-3"], ["--runs", "many"], ["--seed", "x"], ["--what"]]
)
def test_invalid_options_are_a_single_error_line(
    capsys: pytest.CaptureFixture[str], options: list[str]
) -> None:
    assert gate.main(options) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert options[0] in err


def test_the_module_exits_with_two() -> None:
    root = Path(gate.__file__).parents[1]
    process = subprocess.run(
        [sys.executable, "-m", "benchmarks.gate", "--runs", "0"],
        capture_output=True, text=True, check=False, cwd=root,
    )  # fmt: skip
    assert (process.returncode, process.stdout) == (2, "")
    assert process.stderr == "gate: --runs: must be at least 1, not 0\n"


def test_scenarios_round_trip_through_a_file() -> None:
    parsed = scenario_files.parse(json.loads(scenario_files.dump(SCENARIOS)))
    assert [(scenario.name, scenario.direction, scenario.tasks) for scenario in parsed] == [
        (scenario.name, scenario.direction, scenario.tasks) for scenario in SCENARIOS
    ]


def test_the_shipped_held_out_scenarios_match_the_counts() -> None:
    assert holdout.SCENARIOS.read_text("utf-8") == scenario_files.dump(holdout.build_scenarios())
    names = [scenario.name for scenario in holdout.build_scenarios()]
    assert names == [f"held out, R{n} family {f}" for n in range(1, 5) for f in "ABCDE"]


def test_held_out_rates_are_smoothed_counts() -> None:
    scenario = next(
        scenario
        for scenario in holdout.build_scenarios()
        if scenario.name == "held out, R1 family B"
    )
    first = scenario.tasks[0]
    assert (first.without, first.with_) == (round(0.5 / 6, 4), round(3.5 / 6, 4))
    assert [task.role for task in scenario.tasks] == ["theme"] * 6 + ["protected"] * 6
    rates = [
        rate
        for scenario in holdout.build_scenarios()
        for task in scenario.tasks
        for rate in (task.without, task.with_)
    ]
    assert all(0 < rate < 1 for rate in rates)


def test_there_is_a_row_for_each_scenario_and_method(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "scenarios.json"
    raw = [GOOD, GOOD | {"name": "removed", "direction": "remove"}]
    raw.append(GOOD | {"name": "exchanged", "direction": "rescope"})
    path.write_text(json.dumps(raw), "utf-8")
    gate.main(["--scenarios", str(path), "--runs", "3", "--json"])
    rows = json.loads(capsys.readouterr().out)["rows"]
    methods = ["cortex", "published", "fixed", "oracle"]
    expected = [(name, method) for name in ("made", "removed") for method in methods]
    assert [(row["scenario"], row["method"]) for row in rows] == [
        *expected,
        ("exchanged", "cortex"),
    ]
    for row in rows:
        assert row["runs"] == 3
        assert sum(row[ruling] for ruling in gate.RULINGS) == pytest.approx(1, abs=0.001)


def test_chunks_do_not_change_the_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = gate.report(SCENARIOS[4:5], 7, 3, compare=False)["rows"]
    monkeypatch.setattr(gate, "CHUNK", 2)
    assert gate.report(SCENARIOS[4:5], 7, 3, compare=False)["rows"] == whole


def test_the_reported_commit_is_that_of_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    heads = ["at the start"]
    run_parallel = gate._run_parallel

    def commit_and_run(chunks: list[gate.Chunk]) -> list[list[tuple[str, int]]]:
        heads.append("later")
        return run_parallel(chunks)

    monkeypatch.setattr(gate, "commit", lambda: heads[-1])
    monkeypatch.setattr(gate, "_run_parallel", commit_and_run)
    assert gate.report(SCENARIOS[4:5], 1, 1, compare=False)["commit"] == "at the start"


def test_a_scenario_with_a_share_runs_less() -> None:
    scenario = holdout.shipped()[0]
    assert gate.runs_of(scenario, 4000) == 1000
    assert gate.runs_of(scenario, 1) == 1


def test_an_unreadable_file_raises_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        scenario_files.read(tmp_path)
