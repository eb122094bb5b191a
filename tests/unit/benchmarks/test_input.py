"""Wrong input to the gate's benchmark is one line on standard error and exit code 2."""

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


def lacking(field: str) -> list[dict[str, Any]]:
    return [{key: value for key, value in GOOD.items() if key != field}]


WRONG = [
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
    ([GOOD | {"tasks": [{"with": 1, "role": "theme"}]}], "scenario 'made': task 1: without: is m"),
    ([GOOD | {"tasks": [3]}], "scenario 'made': task 1: must be an object"),
    ([GOOD | {"tasks": []}], "scenario 'made': tasks"),
    ([GOOD | {"tasks": {}}], "scenario 'made': tasks"),
    ([GOOD | {"direction": "sideways"}], "scenario 'made': direction"),
    ([GOOD | {"direction": None}], "scenario 'made': direction"),
    ([GOOD, GOOD], "scenario 'made': name: stands there twice"),
    ([GOOD, GOOD | {"name": ""}], "scenario 2: name"),
    (lacking("name"), "scenario 1: name: is missing"),
    (lacking("direction"), "scenario 'made': direction: is missing"),
    (lacking("tasks"), "scenario 'made': tasks: is missing"),
    ([], "has no scenarios"),
    (GOOD, "must be a list of scenarios, not an object"),
    (None, "must be a list of scenarios, not null"),
    ([None], "scenario 1: must be an object"),
]


@pytest.mark.parametrize(("raw", "said"), WRONG)
def test_one_line_names_scenario_and_field(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], raw: object, said: str
) -> None:
    path = tmp_path / "scenarios.json"
    path.write_text(json.dumps(raw), "utf-8")
    assert gate.main(["--scenarios", str(path), "--runs", "1"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith(f"gate: {path}: ")
    assert said in err


@pytest.mark.parametrize("content", [b"", b"[", b"\xff\xfe", b"[" * 100_000])
def test_what_is_no_json_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    path = tmp_path / "scenarios.json"
    path.write_bytes(content)
    assert gate.main(["--scenarios", str(path), "--runs", "1"]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "is no JSON" in err


def test_a_file_that_cannot_be_read_is_one_line(
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
def test_wrong_options_are_one_line(capsys: pytest.CaptureFixture[str], options: list[str]) -> None:
    assert gate.main(options) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert options[0] in err


def test_the_module_itself_ends_with_two() -> None:
    root = Path(gate.__file__).parents[1]
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.gate", "--runs", "0"],
        capture_output=True, text=True, check=False, cwd=root,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "gate: --runs: must be at least 1, not 0\n"


def test_what_is_written_reads_as_it_was() -> None:
    plain = [(one.name, one.direction, one.tasks) for one in SCENARIOS]
    read = scenario_files.parse(json.loads(scenario_files.dump(SCENARIOS)))
    assert [(one.name, one.direction, one.tasks) for one in read] == plain


def test_the_shipped_held_out_scenarios_are_those_of_the_counts() -> None:
    assert holdout.SCENARIOS.read_text("utf-8") == scenario_files.dump(holdout.made())
    names = [one.name for one in holdout.made()]
    assert names == [f"held out, R{n} family {f}" for n in range(1, 5) for f in "ABCDE"]


def test_held_out_rates_are_smoothed_counts() -> None:
    scenario = next(one for one in holdout.made() if one.name == "held out, R1 family B")
    first = scenario.tasks[0]
    assert (first.without, first.with_) == (round(0.5 / 6, 4), round(3.5 / 6, 4))
    assert [task.role for task in scenario.tasks] == ["theme"] * 6 + ["protected"] * 6
    rates = [r for one in holdout.made() for t in one.tasks for r in (t.without, t.with_)]
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
    expected = [(name, who) for name in ("made", "removed") for who in methods]
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


def test_the_commit_is_the_one_that_was_there_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    heads = ["at the start"]
    spread = gate._spread

    def move_on(jobs: list[gate.Job]) -> list[list[tuple[str, int]]]:
        heads.append("later")
        return spread(jobs)

    monkeypatch.setattr(gate, "commit", lambda: heads[-1])
    monkeypatch.setattr(gate, "_spread", move_on)
    assert gate.report(SCENARIOS[4:5], 1, 1, compare=False)["commit"] == "at the start"


def test_a_scenario_with_a_share_runs_less() -> None:
    one = holdout.shipped()[0]
    assert gate.runs_of(one, 4000) == 1000
    assert gate.runs_of(one, 1) == 1


def test_reading_raises_for_people(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        scenario_files.read(tmp_path)
