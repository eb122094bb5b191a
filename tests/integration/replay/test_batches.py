"""Trials and waves: pairs in one place, outcomes as data, nothing left behind."""

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
from cortex_replay.agents import make_agent
from cortex_replay.batch import PairOrder, run_batch
from cortex_replay.workspace import Workspaces


def order(task: Task, rule: Artifact, pair: int = 0, timeout_s: float = 30.0) -> PairOrder:
    with_ = {rule.path: rule.text}
    return PairOrder("exp-1", task, pair, {}, with_, rule, seed=pair, timeout_s=timeout_s)


def run(orders: list[PairOrder], workspaces: Workspaces, playbook: Path) -> list[Trial]:
    agent = make_agent(AgentConfig(name="scripted", playbook=str(playbook)))
    trials: list[Trial] = []
    run_batch(orders, workspaces, agent, 2, trials.append)
    return trials


def test_a_pair_differs_in_the_rule_alone(
    task: Task, rule: Artifact, workspaces: Workspaces, playbook: Path
) -> None:
    trials = {one.arm: one for one in run([order(task, rule)], workspaces, playbook)}
    without, with_ = trials[Arm.WITHOUT], trials[Arm.WITH]
    assert (without.outcome, with_.outcome) == (Outcome.FAIL, Outcome.PASS)
    assert (without.loaded, with_.loaded) == (False, True)
    assert (without.triggered, with_.triggered) == (True, True)
    assert with_.changed == {"src/a.py": "x = 1\nstamp = clock.now()\n"}
    assert list(workspaces.folder.glob("slot-*/*")) == []


def test_a_trial_alone_runs_in_its_arm_only(
    task: Task, rule: Artifact, workspaces: Workspaces, playbook: Path
) -> None:
    (alone,) = run([replace(order(task, rule), arms=(Arm.WITH,))], workspaces, playbook)
    assert (alone.arm, alone.outcome, alone.alone) == (Arm.WITH, Outcome.PASS, True)


def test_a_rule_that_no_read_triggers_is_not_loaded(
    task: Task, rule: Artifact, workspaces: Workspaces, playbook: Path
) -> None:
    created = replace(task, prompt="Create src/new.py")
    trials = run([order(created, rule)], workspaces, playbook)
    assert {(one.loaded, one.triggered) for one in trials} == {(False, False)}


def test_pairs_of_a_wave_are_all_delivered(
    task: Task, rule: Artifact, workspaces: Workspaces, playbook: Path
) -> None:
    orders = [order(task, rule, pair) for pair in range(4)]
    trials = run(orders, workspaces, playbook)
    assert sorted((one.pair, one.arm) for one in trials) == sorted(
        (pair, arm) for pair in range(4) for arm in Arm
    )
    first_arms = {one.pair: one.arm for one in reversed(trials)}
    assert len(set(first_arms.values())) == 2


def test_a_slow_agent_is_a_timeout_and_is_killed(
    task: Task, rule: Artifact, workspaces: Workspaces, playbook: Path
) -> None:
    slow = replace(task, prompt="Sleep")
    trials = run([order(slow, rule, timeout_s=1.0)], workspaces, playbook)
    assert [one.outcome for one in trials] == [Outcome.TIMEOUT, Outcome.TIMEOUT]


def test_a_check_that_holds_before_the_agent_ran_is_contaminated(
    task: Task, rule: Artifact, workspaces: Workspaces, playbook: Path
) -> None:
    empty = replace(task, checks=(PatternCheck("never", ("src/*.py",), present=False),))
    trials = run([order(empty, rule)], workspaces, playbook)
    assert {one.outcome for one in trials} == {Outcome.CONTAMINATED}
    assert len(trials) == 2


def test_a_check_that_cannot_run_is_missing_not_failing(
    task: Task, rule: Artifact, workspaces: Workspaces, playbook: Path
) -> None:
    absent = replace(task, checks=(CommandCheck(("no-such-program-at-all",)),))
    trials = run([order(absent, rule)], workspaces, playbook)
    assert {one.outcome for one in trials} == {Outcome.INFRA}


def test_nothing_starts_without_budget(
    task: Task, rule: Artifact, workspaces: Workspaces, playbook: Path
) -> None:
    agent = make_agent(AgentConfig(name="scripted", playbook=str(playbook)))
    trials: list[Trial] = []
    run_batch([order(task, rule)], workspaces, agent, 2, trials.append, may_start=lambda: False)
    assert trials == []


INTERRUPTED = """
import sys, pickle
from pathlib import Path
from cortex.config import AgentConfig
from cortex_replay.agents import make_agent
from cortex_replay.objects import ObjectStore
from cortex_replay.batch import run_batch
from cortex_replay.workspace import Workspaces
folder, playbook, orders = Path(sys.argv[1]), sys.argv[2], pickle.loads(bytes.fromhex(sys.argv[3]))
agent = make_agent(AgentConfig(name="scripted", playbook=playbook))
with Workspaces(folder / "cortex-trials", ObjectStore(folder / "objects")) as workspaces:
    print("started", flush=True)
    try:
        run_batch(orders, workspaces, agent, 2, lambda trial: print(trial.outcome, flush=True))
    except KeyboardInterrupt:
        print("interrupted", flush=True)
"""


def test_ctrl_c_ends_everything_promptly(
    tmp_path: Path, task: Task, rule: Artifact, playbook: Path
) -> None:
    import pickle

    orders = [order(task, rule), order(replace(task, id="task-s", prompt="Sleep"), rule)]
    argv = [sys.executable, "-c", INTERRUPTED, str(tmp_path), str(playbook)]
    process = subprocess.Popen(
        [*argv, pickle.dumps(orders).hex()], stdout=subprocess.PIPE, text=True
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
