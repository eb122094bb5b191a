"""The benchmark with a small model, against a scripted one that follows what it is told."""

import json
from pathlib import Path

import pytest
from benchmarks import small_model
from benchmarks.small_model_tasks import CONVENTIONS
from tests.servers.messages import Reply, Script, say, serve
from tests.servers.requests import Request


def model(*, heeds: bool) -> Script:
    """Write the file that is asked for, with the convention when its rule is there."""

    def script(request: Request) -> Reply:
        text = request.model_input
        for convention in CONVENTIONS:
            for task in convention.tasks:
                if task.prompt in text:
                    good = heeds and convention.rule in text
                    return say(f"```python\n{task.good if good else task.bad}```\n")
        raise LookupError("no such task")

    return script


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORTEX_HOME", str(tmp_path / "cortex"))


def test_a_useful_rule_is_kept_and_the_measurement_goes_on_where_it_ended(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep = tmp_path / "keep"
    with serve(model(heeds=True)) as server:
        arguments = ["--url", server.url, "--only", "logging", "--keep", str(keep), "--json"]
        assert small_model.main(arguments) == 0
        sent = len(server.requests)
        (result,) = json.loads(capsys.readouterr().out)
        assert small_model.main(arguments) == 0
        assert (len(server.requests), server.failures) == (sent, [])
    assert (result["ruling"], result["without"]) == ("keep", 0)
    assert result["with_"] == result["loaded"] == result["pairs"]
    assert result["trials"] == sent


def test_a_rule_that_is_not_followed_is_no_keep(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(small_model.MAX_TRIALS, small_model.Kind.UNRELATED, 8)
    monkeypatch.setitem(small_model.MAX_TRIALS, small_model.Kind.USEFUL, 8)
    with serve(model(heeds=False)) as server:
        names = ["--only", "errors", "--only", "errors-unrelated"]
        assert small_model.main(["--url", server.url, *names]) == 1
    rows = capsys.readouterr().out.splitlines()[2:]
    assert [row.split(" | ")[-1] for row in rows] == ["no |", "yes |"]


def test_a_server_elsewhere_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert small_model.main(["--url", "https://models.example"]) == 2
    assert "must be a server on this machine" in capsys.readouterr().err
