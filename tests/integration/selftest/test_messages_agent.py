"""The messages agent with its tools, confined, through the gate: a planted rule is kept."""

import re
from pathlib import Path

import pytest
from tests.servers.messages import Reply, call, say, serve
from tests.servers.requests import Request

from cortex.model.trials import Trial
from cortex.selftest.cases import Kind
from cortex.selftest.report import CaseResult
from cortex.selftest.run import Order, selftest


class Silent:
    """Wants to know nothing of the progress."""

    def began(self, kind: Kind, place: int, planned: int) -> None:
        pass

    def on_trial(self, trial: Trial) -> None:
        pass

    def ended(self, run: CaseResult) -> None:
        pass


def model(request: Request) -> Reply:
    """Do what the prompt says, with an owner line where a rule asks for one."""
    prompt = request.prompts[-1]
    path = re.findall(r"(?:src|notes)/(?!README)\w+\.\w+", prompt)[-1]
    name = Path(path).stem
    owner = re.search(r"the line `(# owner: \w+)`", request.model_input)
    text = f"def {name}(a, b):\n    return a + b\n" if path.endswith(".py") else f"{name} is done\n"
    if owner and path.endswith(".py"):
        text = f"{owner[1]}\n{text}"
    steps = (
        call("Read", file_path=f"{Path(path).parent}/README.md"),
        call("Bash", command=f"mkdir -p {Path(path).parent}"),
        call("Write", file_path=path, content=text),
        say("Done."),
    )
    return steps[request.step]


@pytest.mark.slow
def test_a_planted_rule_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "cortex"
    home.mkdir()
    monkeypatch.setenv("CORTEX_HOME", str(home))
    with serve(model) as server:
        (home / "config.toml").write_text(
            f'[agent]\nname = "messages"\nmodel = "m"\nbase_url = "{server.url}"\n'
        )
        report = selftest(tmp_path, Order(repeats=1, kinds=(Kind.HELPS,)), Silent())
    (run,) = report.runs
    assert server.failures == []
    assert (report.agent, run.ruling, run.answer) == ("messages", "keep", "right")
    assert run.loaded == run.trials - run.pairs
    assert report.spent_usd == 0
