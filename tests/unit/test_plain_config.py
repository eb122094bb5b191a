"""Configuration files: read without pydantic where they are plain, explained by it elsewhere."""

import subprocess
import sys
from pathlib import Path

import pytest

from cortex.config import AgentConfig, Config, GateConfig, TrialsConfig, load_config
from cortex.errors import UsageError
from cortex.plain_values import NotPlainError, read_record


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CORTEX_HOME", str(tmp_path))
    return tmp_path


def test_a_plain_file(home: Path) -> None:
    text = "transcripts = ['~/a']\n[agent]\ntimeout_s = 5\n[gate]\nalpha = 0.1\n"
    (home / "config.toml").write_text(text)
    config = load_config()
    assert config == Config(AgentConfig(timeout_s=5.0), GateConfig(alpha=0.1), transcripts=("~/a",))
    assert isinstance(config.agent.timeout_s, float)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[gate]\nalpha = 2\n", "gate.alpha: Input should be less than 0.5"),
        ("[gate]\nalfa = 0.1\n", "gate.alfa: no such setting"),
        ("gates = 1\n", "gates: no such setting"),
        ("[trials]\nconcurrency = 0\n", "trials.concurrency: Input should be greater than"),
        ("[trials]\nseed = true\n", None),
        ("[trials]\nseed = 'a'\n", "trials.seed: Input should be a valid integer"),
        ("[budget]\nper_day_usd = nan\n", "budget.per_day_usd: Input should be greater than 0"),
        ("[hook]\nunused = 'x'\n", "hook.unused: Input should be 'report'"),
        ("agent = 3\n", "agent: Input should be"),
    ],
)
def test_a_wrong_file_is_explained(home: Path, text: str, message: str | None) -> None:
    (home / "config.toml").write_text(text)
    if message is None:
        assert load_config().trials == TrialsConfig(seed=1)
        return
    with pytest.raises(UsageError, match=message):
        load_config()


def test_what_is_not_plain_is_left_to_pydantic() -> None:
    for values in ("a", {"agent": None}, {"trials": {"seed": "1"}}, {"nothing": 1}):
        with pytest.raises(NotPlainError):
            read_record(Config, values)


def test_a_plain_file_needs_no_pydantic(home: Path) -> None:
    (home / "config.toml").write_text("[trials]\nseed = 2\n")
    code = "import sys; from cortex.config import load_config; print(load_config().trials.seed)\n"
    code += "assert 'pydantic' not in sys.modules"
    finished = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert finished.stdout == "2\n"
