"""The self-test with the scripted agent, as a person calls it."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from cortex.model.trials import Trial
from cortex.selftest.cases import SAME, Kind
from cortex.selftest.report import CaseResult
from cortex.selftest.run import Order, selftest

EXPECTED = {
    "helps": "keep",
    "breaks": "bury",
    "idle": "bury",
    "unloaded-added": "bury",
    "unloaded-removed": "unused",
}


class Place:
    """A folder for everything that one call may write."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.temporary = folder / "tmp"
        self.temporary.mkdir()
        self.home = folder / "home"

    def start(self, *arguments: str) -> "subprocess.Popen[str]":
        env = {**os.environ, "CORTEX_HOME": str(self.home), "TMPDIR": str(self.temporary)}
        env.pop("CORTEX_TRIALS", None)
        return subprocess.Popen(
            [sys.executable, "-m", "cortex.cli.main", "selftest", "gate", *arguments],
            cwd=self.folder,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *arguments: str) -> tuple[int, str, str]:
        process = self.start(*arguments)
        out, err = process.communicate(timeout=100)
        return process.returncode, out, err

    def left(self) -> list[str]:
        """Return what lies in the temporary folder, without the empty folder for trials."""
        return [
            path.name
            for pattern in ("cortex-selftest-*", "cortex-trials-*/*")
            for path in self.temporary.glob(pattern)
        ]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


@pytest.mark.slow
def test_planted_texts_get_their_verdicts_and_nothing_is_left(place: Place) -> None:
    code, out, err = place.run("--repeats", "1", "--seed", "4", "--json")
    assert (code, err) == (0, "")
    report = json.loads(out)
    rulings = {run["kind"]: run["ruling"] for run in report["runs"]}
    assert {kind: rulings[kind] for kind in EXPECTED} == EXPECTED
    assert report["same"]["runs"] == 2
    assert report["broken"] is (report["same"]["interval"][0] > 0.05)
    assert "claude-code costs money" in report["note"]
    assert (report["agent"], report["spent_usd"]) == ("scripted", 0.0)
    assert {row["kind"] for row in report["kinds"]} == {str(kind) for kind in Kind}
    assert place.left() == []
    assert not place.home.exists()


@pytest.mark.slow
def test_a_seed_gives_the_same_verdicts_whatever_is_configured(place: Place) -> None:
    def runs(*arguments: str) -> list[dict[str, Any]]:
        code, out, err = place.run("--only", "same-added", "--repeats", "2", "--json", *arguments)
        assert code == 0, err
        runs: list[dict[str, Any]] = json.loads(out)["runs"]
        return [{k: v for k, v in run.items() if k != "seconds"} for run in runs]

    first = runs()
    place.home.mkdir()
    (place.home / "config.toml").write_text("[trials]\nconcurrency = 1\nseed = 9\n", "utf-8")
    assert runs("--agent", "scripted") == first


def test_the_report_for_a_person(place: Place) -> None:
    code, out, err = place.run("--only", "breaks", "--only", "unloaded-removed", "--repeats", "1")
    assert code == 0
    assert err.splitlines() == [
        "1 of 2  breaks: bury after 4 pairs (right)",
        "2 of 2  unloaded-removed: unused after 4 pairs (right)",
    ]
    assert out.startswith("No --budget was given and claude-code costs money")
    assert "2 of 2 planted texts got the right verdict." in out


def test_an_interruption_leaves_nothing(place: Place) -> None:
    process = place.start()
    while not list(place.temporary.glob("cortex-trials-*/run-*/slot-*")):
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert err.splitlines()[-1] == (
        "cortex: interrupted; nothing is kept, what an agent cost is booked"
    )
    assert out == ""
    assert place.left() == []
    assert not place.home.exists()


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("--repeats", "0"), 2, "--repeats 0 runs nothing"),
        (("--only", "nonsense"), 2, "--only nonsense: no such kind; there are same-added"),
        (("--agent", "nobody"), 2, "unknown agent 'nobody'"),
        (("--budget", "0"), 2, "invalid budget 0 USD"),
        (("--budget", "nan"), 2, "invalid budget nan USD"),
        (("--agent", "claude-code"), 2, "cost money: say how much this call may spend"),
    ],
)
def test_wrong_use(place: Place, arguments: tuple[str, ...], code: int, message: str) -> None:
    fake = place.folder / "claude"
    fake.write_text("#!/bin/sh\necho '2.1.197 (Claude Code)'\n", "utf-8")
    fake.chmod(0o755)
    place.home.mkdir()
    (place.home / "config.toml").write_text(f'[agent]\ncommand = "{fake}"\n', "utf-8")
    exit_code, _, err = place.run(*arguments)
    assert exit_code == code
    assert err.startswith("cortex: ")
    assert message in err
    assert err.count("\n") == 1
    assert place.left() == []


def test_the_agent_is_missing(place: Place) -> None:
    place.home.mkdir()
    (place.home / "config.toml").write_text('[agent]\ncommand = "no-such-claude"\n', "utf-8")
    code, _, err = place.run("--budget", "1")
    assert code == 3
    assert err.startswith("cortex: Claude Code CLI not found (no-such-claude)")


class Recorder:
    """Keeps the trials of each experiment."""

    def __init__(self) -> None:
        self.trials: dict[Kind, list[Trial]] = defaultdict(list)
        self.now = Kind.HELPS
        self.runs: list[CaseResult] = []

    def began(self, kind: Kind, place: int, planned: int) -> None:
        self.now = kind

    def on_trial(self, trial: Trial) -> None:
        self.trials[self.now].append(trial)

    def ended(self, run: CaseResult) -> None:
        self.runs.append(run)


@pytest.mark.slow
def test_both_arms_hold_the_text_and_the_gate_sees_it_load(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The scripted agent counts the words that it reads: the same in both arms, with the text."""
    monkeypatch.setenv("CORTEX_HOME", str(tmp_path / "home"))
    recorder = Recorder()
    selftest(tmp_path, Order(repeats=3, kinds=(*SAME, Kind.BREAKS)), recorder)
    bare = 1000
    for kind in SAME:
        read: dict[str, set[int]] = defaultdict(set)
        for trial in recorder.trials[kind]:
            read[trial.experiment_id].add(trial.input_tokens)
            assert trial.loaded is (trial.arm == "with")
        assert [len(counts) for counts in read.values()] == [1, 1, 1]
        assert min(map(min, read.values())) > bare
    assert len({trial.input_tokens for trial in recorder.trials[Kind.BREAKS]}) == 2
    assert all(run.loaded >= run.pairs for run in recorder.runs if run.kind in SAME)
