"""Trials and batches: pairs in the same slot, outcomes as data, no leftovers."""

import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

from cortex.config import AgentConfig
from cortex.model.artifacts import Artifact
from cortex.model.tasks import CommandCheck, PatternCheck, Task
from cortex.model.trials import Arm, Outcome, Trial
from cortex_replay.agents import AgentJob, AgentRun, make_agent
from cortex_replay.agents.scripted import ScriptedAgent
from cortex_replay.batch import PairSpec, run_batch
from cortex_replay.workspace import Workspaces


def pair_spec(task: Task, rule: Artifact, pair: int = 0, timeout_s: float = 30.0) -> PairSpec:
    with_ = {rule.path: rule.text}
    return PairSpec("exp-1", task, pair, {}, with_, rule, seed=pair, timeout_s=timeout_s)


def run(specs: list[PairSpec], workspaces: Workspaces, playbook: Path) -> list[Trial]:
    agent = make_agent(AgentConfig(name="scripted", playbook=str(playbook)))
    trials: list[Trial] = []
    run_batch(specs, workspaces, agent, 2, trials.append)
    return trials


def test_a_pair_differs_in_the_rule_alone(
    task: Task, rule: Artifact, workspaces: Workspaces, playbook: Path
) -> None:
    trials = {trial.arm: trial for trial in run([pair_spec(task, rule)], workspaces, playbook)}
    without, with_ = trials[Arm.WITHOUT], trials[Arm.WITH]
    assert (without.outcome, with_.outcome) == (Outcome.FAIL, Outcome.PASS)
    assert (without.loaded, with_.loaded) == (False, True)
    assert (without.triggered, with_.triggered) == (True, True)
    assert with_.changed == {"src/a.py": "x = 1\nstamp = clock.now()\n"}
    assert list(workspaces.folder.glob("slot-*/*")) == []


def test_a_single_arm_trial_runs_in_its_arm_only(
    task: Task, rule: Artifact, workspaces: Workspaces, playbook: Path
) -> None:
    (trial,) = run([replace(pair_spec(task, rule), arms=(Arm.WITH,))], workspaces, playbook)
    assert (trial.arm, trial.outcome, trial.alone) == (Arm.WITH, Outcome.PASS, True)


def test_a_rule_that_no_read_triggers_is_not_loaded(
    task: Task, rule: Artifact, workspaces: Workspaces, playbook: Path
) -> None:
    created = replace(task, prompt="Create src/new.py")
    trials = run([pair_spec(created, rule)], workspaces, playbook)
    assert {(trial.loaded, trial.triggered) for trial in trials} == {(False, False)}


def test_all_pairs_of_a_batch_are_delivered(
    task: Task, rule: Artifact, workspaces: Workspaces, playbook: Path
) -> None:
    specs = [pair_spec(task, rule, pair) for pair in range(4)]
    trials = run(specs, workspaces, playbook)
    assert sorted((trial.pair, trial.arm) for trial in trials) == sorted(
        (pair, arm) for pair in range(4) for arm in Arm
    )
    first_arms = {trial.pair: trial.arm for trial in reversed(trials)}
    assert len(set(first_arms.values())) == 2


def test_a_slow_agent_is_a_timeout_and_is_killed(
    task: Task, rule: Artifact, workspaces: Workspaces, playbook: Path
) -> None:
    slow = replace(task, prompt="Sleep")
    trials = run([pair_spec(slow, rule, timeout_s=1.0)], workspaces, playbook)
    assert [trial.outcome for trial in trials] == [Outcome.TIMEOUT, Outcome.TIMEOUT]


def test_checks_that_pass_before_the_agent_runs_are_contaminated(
    task: Task, rule: Artifact, workspaces: Workspaces, playbook: Path
) -> None:
    empty = replace(task, checks=(PatternCheck("never", ("src/*.py",), present=False),))
    trials = run([pair_spec(empty, rule)], workspaces, playbook)
    assert {trial.outcome for trial in trials} == {Outcome.CONTAMINATED}
    assert len(trials) == 2


def test_a_check_that_cannot_run_is_missing_not_failed(
    task: Task, rule: Artifact, workspaces: Workspaces, playbook: Path
) -> None:
    absent = replace(task, checks=(CommandCheck(("no-such-program-at-all",)),))
    trials = run([pair_spec(absent, rule)], workspaces, playbook)
    assert {trial.outcome for trial in trials} == {Outcome.INFRA}


def test_nothing_starts_without_budget(
    task: Task, rule: Artifact, workspaces: Workspaces, playbook: Path
) -> None:
    agent = make_agent(AgentConfig(name="scripted", playbook=str(playbook)))
    trials: list[Trial] = []
    run_batch([pair_spec(task, rule)], workspaces, agent, 2, trials.append, may_start=lambda: False)
    assert trials == []


def test_a_workspace_that_cannot_be_compared_is_missing_and_counts_its_cost(
    task: Task, rule: Artifact, workspaces: Workspaces, playbook: Path
) -> None:
    """The agent runs as the same user, so that it can break the repository of the template."""
    for prompt, detail in (("Wreck", "git"), ("Replace", "shop")):
        broken = replace(task, prompt=prompt)
        trials = run([pair_spec(broken, rule)], workspaces, playbook)
        assert {trial.outcome for trial in trials} == {Outcome.INFRA}
        assert all(detail in trial.detail and trial.cost_usd for trial in trials)


class BlindAgent(ScriptedAgent):
    """An agent that cannot report which text it loaded."""

    def run(self, job: AgentJob) -> AgentRun:
        return replace(super().run(job), loaded=frozenset(), unseen=("*",))


def test_loading_is_unknown_when_the_agent_cannot_report_it(
    task: Task, rule: Artifact, workspaces: Workspaces, playbook: Path
) -> None:
    trials: list[Trial] = []
    run_batch([pair_spec(task, rule)], workspaces, BlindAgent(str(playbook)), 1, trials.append)
    assert {trial.arm: trial.loaded for trial in trials} == {Arm.WITHOUT: False, Arm.WITH: None}


def test_an_agent_whose_program_is_gone_is_missing(
    task: Task, rule: Artifact, workspaces: Workspaces, tmp_path: Path
) -> None:
    agent = make_agent(AgentConfig(name="claude-code", command=str(tmp_path / "no-such-claude")))
    trials: list[Trial] = []
    run_batch([pair_spec(task, rule)], workspaces, agent, 1, trials.append)
    assert {trial.outcome for trial in trials} == {Outcome.INFRA}
    assert "no-such-claude" in trials[0].detail


INTERRUPTED = """
import sys, pickle
from pathlib import Path
from cortex.config import AgentConfig
from cortex_replay.agents import make_agent
from cortex_replay.objects import ObjectStore
from cortex_replay.batch import run_batch
from cortex_replay.workspace import Workspaces
folder, playbook, specs = Path(sys.argv[1]), sys.argv[2], pickle.loads(bytes.fromhex(sys.argv[3]))
agent = make_agent(AgentConfig(name="scripted", playbook=playbook))
with Workspaces(folder / "cortex-trials", ObjectStore(folder / "objects")) as workspaces:
    print("started", flush=True)
    try:
        run_batch(specs, workspaces, agent, 2, lambda trial: print(trial.outcome, flush=True))
    except KeyboardInterrupt:
        print("interrupted", flush=True)
"""


def test_ctrl_c_stops_everything_promptly(
    tmp_path: Path, task: Task, rule: Artifact, playbook: Path
) -> None:
    import pickle

    specs = [pair_spec(task, rule), pair_spec(replace(task, id="task-s", prompt="Sleep"), rule)]
    argv = [sys.executable, "-c", INTERRUPTED, str(tmp_path), str(playbook)]
    process = subprocess.Popen(
        [*argv, pickle.dumps(specs).hex()], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "started\n"
    assert process.stdout.readline().strip() in ("pass", "fail")
    time.sleep(0.5)
    clock = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=20)
    assert time.monotonic() - clock < 3.0
    assert out.endswith("interrupted\n")
    assert list((tmp_path / "cortex-trials").glob("run-*")) == []
