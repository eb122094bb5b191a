"""How the real CLI ends, and what a trial makes of it: missing is not failing."""

import subprocess
from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest
from tests.servers.messages import Failure, Reply, Script, Stall, call, say, serve
from tests.servers.requests import Request

from cortex.artifacts import harness
from cortex.model.tasks import Task
from cortex.model.trials import Arm, Outcome, Trial
from cortex_replay.agents.claude_code import ClaudeCode
from cortex_replay.trial import TrialSpec, run_trial
from cortex_replay.workspace import Workspaces

pytestmark = pytest.mark.agent_cli

RULE = harness.from_text(".claude/rules/r.md", "Be brief.\n")


class Trials:
    """Runs a trial under a scripted model."""

    def __init__(
        self, task: Task, workspaces: Workspaces, agent: ClaudeCode, model: Callable[[str], None]
    ) -> None:
        self.task, self.workspaces, self.agent, self.model = task, workspaces, agent, model

    def run(
        self, script: Script, timeout_s: float = 60.0, budget_usd: float | None = None
    ) -> Trial:
        with serve(script) as server:
            self.model(server.url)
            return self.without_server(timeout_s, budget_usd)

    def without_server(self, timeout_s: float, budget_usd: float | None = None) -> Trial:
        order = TrialSpec(
            "exp-1", self.task, 0, Arm.WITH, {}, RULE, 1, timeout_s, budget_usd=budget_usd
        )
        trial = run_trial(order, self.workspaces, self.agent, 0)
        processes = subprocess.run(
            ["ps", "-eo", "args"], capture_output=True, text=True, check=True
        )
        assert str(self.workspaces.folder) not in processes.stdout
        assert list(self.workspaces.folder.glob("slot-*/*")) == []
        return trial


@pytest.fixture
def trials(
    task: Task, workspaces: Workspaces, agent: ClaudeCode, model: Callable[[str], None]
) -> Trials:
    return Trials(task, workspaces, agent, model)


def test_a_refused_key_is_missing(trials: Trials) -> None:
    refusal = Failure(401, "authentication_error", "invalid x-api-key")
    trial = trials.run(lambda _: refusal, timeout_s=12.0)
    assert trial.outcome is Outcome.INFRA
    assert "401" in trial.detail


def test_an_overloaded_provider_is_waited_for(trials: Trials) -> None:
    requests: list[int] = []

    def script(_: Request) -> Reply:
        requests.append(1)
        return Failure(529, "overloaded_error", "Overloaded") if len(requests) < 2 else say("Done.")

    assert trials.run(script).outcome is Outcome.FAIL
    assert len(requests) == 2


def test_no_connection_is_missing(trials: Trials) -> None:
    with serve(lambda _: say("Done.")) as server:
        url = server.url
    trials.model(url)
    trial = trials.without_server(timeout_s=12.0)
    assert trial.outcome is Outcome.INFRA
    assert "provider kept failing" in trial.detail


def test_a_silent_provider_is_missing(trials: Trials) -> None:
    trial = trials.run(lambda _: Stall(), timeout_s=6.0)
    assert trial.outcome is Outcome.INFRA
    assert "provider did not answer" in trial.detail
    assert trial.seconds < 20


def test_a_spent_budget_is_missing(trials: Trials) -> None:
    def script(request: Request) -> Reply:
        if request.step > 3:
            return say("Done.")
        return replace(call("Bash", command="true"), input_tokens=400_000)

    trial = trials.run(script, budget_usd=0.5)
    assert trial.outcome is Outcome.BUDGET
    assert trial.cost_usd is not None
    assert trial.cost_usd > 0.5


def test_a_finished_run_reports_what_it_cost(trials: Trials) -> None:
    trial = trials.run(lambda _: say("Nothing to do."))
    assert trial.outcome is Outcome.FAIL
    assert trial.cost_usd is not None
    assert trial.cost_usd > 0


def test_the_environment_of_the_person_stays_out(
    trials: Trials, monkeypatch: pytest.MonkeyPatch
) -> None:
    bodies: list[Mapping[str, object]] = []
    monkeypatch.setenv("SECRET_OF_THE_PERSON", "s3cret")

    def script(request: Request) -> Reply:
        if request.step == 0:
            return call("Bash", command="env; ls -a ~")
        bodies.append(request.body)
        return say("Done.")

    trials.run(script)
    assert "s3cret" not in str(bodies)
    assert "CLAUDE_CONFIG_DIR" in str(bodies)
