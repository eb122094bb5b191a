"""A small self-test through the real CLI: an A/A experiment in which the model tosses a coin."""

import itertools
import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.servers.messages import Reply, call, say, serve
from tests.servers.requests import Request, difference, normalised

from cortex.selftest.cases import CARE

pytestmark = [pytest.mark.agent_cli, pytest.mark.timeout(120)]

PAIRS = 3
CALLS = 3
"""Requests to the model in a trial."""


class Coin:
    """A model that does what the prompt says and picks by chance."""

    def __init__(self) -> None:
        self._random = random.Random(5)

    def __call__(self, request: Request) -> Reply:
        root = request.working_directory
        if request.step == 0:
            return call("Read", file_path=f"{root}/draws/README.md")
        if request.step == 1:
            (file,) = re.findall(r"draws/\w+\.py", request.prompts[0])
            pick = self._random.choice(("left", "right"))
            return call("Write", file_path=f"{root}/{file}", content=f'PICK = "{pick}"\n')
        return say("Done.")


def trials(requests: list[Request]) -> Iterator[list[Request]]:
    """Cut the requests of trials that ran one after the other; the two arms share a session."""
    starts = [index for index, request in enumerate(requests) if request.step == 0]
    for start, end in itertools.pairwise([*starts, len(requests)]):
        yield requests[start:end]


def first_inputs(requests: list[Request]) -> list[dict[str, Any]]:
    """Return the requests before the model picked, normalised."""
    places = dict.fromkeys(
        re.findall(r"/\S*cortex-trials\S*?/run-\d+", requests[0].model_input), "RUN"
    )
    return [normalised(request, places) for request in requests[:2]]


def test_the_same_text_in_both_arms_gets_no_false_verdict(
    cli: str, tmp_path: Path, model: Callable[[str], None]
) -> None:
    home = tmp_path / "cortex-home"
    home.mkdir()
    settings = f'[agent]\ncommand = "{cli}"\ntimeout_s = 60.0\n[trials]\nconcurrency = 1\n'
    (home / "config.toml").write_text(f"{settings}max_trials = {2 * PAIRS}\n", "utf-8")
    with serve(Coin()) as server:
        model(server.url)
        env = {**os.environ, "CORTEX_HOME": str(home)}

        def cortex(*arguments: str) -> Any:
            argv = [sys.executable, "-m", "cortex.cli.main", *arguments, "--json"]
            result = subprocess.run(
                argv, cwd=tmp_path, env=env, capture_output=True, text=True, check=False
            )
            assert result.returncode == 0, result.stderr or result.stdout
            return json.loads(result.stdout)

        options = ("--only", "same-added", "--repeats", "1", "--budget", "20")
        report = cortex("selftest", "gate", *options)
        status = cortex("status")
    assert server.failures == []
    assert report["agent"] == "claude-code"
    assert (report["same"]["runs"], report["same"]["wrong"]) == (1, 0), report
    (run,) = report["runs"]
    assert (run["pairs"], run["loaded"], run["trials"]) == (PAIRS, PAIRS, 2 * PAIRS)
    assert report["spent_usd"] == pytest.approx(run["cost_usd"])
    assert status["spent_usd"] == pytest.approx(report["spent_usd"])
    assert report["spent_usd"] > 0
    assert status["verdicts"] == status["candidates"] == []

    ran = list(trials(server.requests))
    assert [len(trial) for trial in ran] == [CALLS] * (2 * PAIRS)
    for first, second in zip(ran[::2], ran[1::2], strict=True):
        assert CARE.strip() in first[0].model_input
        lines = difference(first_inputs(first), first_inputs(second))
        assert (lines.without, lines.with_) == ((), ())
