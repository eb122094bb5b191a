"""A small repository and store, written row by row, so that screens are the same each time."""

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from cortex.artifacts import harness
from cortex.commands.context import DATABASE
from cortex.commands.experiments import verdict_of
from cortex.judgement import Direction, Policy, TaskSpec, judge
from cortex.model.artifacts import Candidate, CandidateStatus, ChangeKind
from cortex.model.experiments import ExperimentLock, TaskRole
from cortex.model.trials import Arm, Outcome, Trial
from cortex.model.verdicts import Ruling, Verdict
from cortex_store import Store

DAY = "2026-01-02T03:04:05.678Z"
TASKS = ("task-aa", "task-bb", "task-cc", "task-dd")
RULES = {
    "use-clock": "---\npaths: src/**/*.py\n---\nTake the time from `clock.now()`.\n",
    "naming": "Name variables well.\n",
    "errors": "Raise `ShopError`, never `ValueError`.\n",
    "plain": "Nobody has measured this.\n",
}


@dataclass
class SampleRepository:
    """The repository, the store, and how rows get in."""

    root: Path
    home: Path

    @property
    def database(self) -> Path:
        return self.home / DATABASE

    def rule(self, name: str) -> Path:
        return self.root / ".claude" / "rules" / f"{name}.md"

    def candidate(
        self,
        name: str,
        change: ChangeKind,
        status: CandidateStatus = CandidateStatus.PROPOSED,
    ) -> Candidate:
        path = f".claude/rules/{name}.md"
        artifact = harness.from_text(path, RULES.get(name, f"Rule {name}.\n"))
        made = Candidate(f"cand-{name}", change, artifact, name, task_ids=TASKS, created_at=DAY,
                         status=status)  # fmt: skip
        with Store.open(self.database) as store:
            store.candidates.put(str(self.root), made)
        return made

    def running(
        self, candidate: Candidate, outcomes: Sequence[tuple[bool, bool]], after: int = 0
    ) -> str:
        """Add a pair for each outcome, numbered from `after`; return the experiment."""
        specs, experiment = _specs(candidate), f"exp-{candidate.id}"
        lock = ExperimentLock(specs, Policy(), model="haiku")
        with Store.open(self.database) as store:
            store.experiments.open(experiment, candidate.id, lock)
            for number, outcome in enumerate(outcomes, after):
                for arm, passed in zip(Arm, outcome, strict=True):
                    store.experiments.add_trial(self._trial(experiment, number, arm, passed))
        return experiment

    def measured(self, candidate: Candidate, outcomes: Sequence[tuple[bool, bool]]) -> Verdict:
        """Add an experiment with a pair for each outcome, and what the gate says of it."""
        experiment = self.running(candidate, outcomes)
        with Store.open(self.database) as store:
            (known,) = store.experiments.for_candidate(candidate.id)
            pairs = store.experiments.pairs(experiment)
            direction = Direction(str(candidate.change))
            judgement = judge(direction, _specs(candidate), pairs, Policy())
            verdict = replace(
                verdict_of(judgement),
                id=f"verdict-{candidate.id}", candidate_id=candidate.id, experiment_id=experiment,
                pairs=len(pairs), trials=2 * len(pairs), lock=known.lock, created_at=DAY,
                cost_usd=0.25,
            )  # fmt: skip
            store.verdicts.add(str(self.root), verdict)
            store.candidates.set_status(candidate.id, STATUS[verdict.ruling])
        return verdict

    @staticmethod
    def _trial(experiment: str, number: int, arm: Arm, passed: bool) -> Trial:
        outcome = Outcome.PASS if passed else Outcome.FAIL
        task = TASKS[number % len(TASKS)]
        return Trial(
            f"{experiment}-{number}-{arm}",
            experiment,
            task,
            number,
            arm,
            outcome,
            loaded=arm is Arm.WITH,
            seconds=30.0,
            cost_usd=0.02,
            started_at=DAY,
        )


def _specs(candidate: Candidate) -> tuple[TaskSpec, ...]:
    role = TaskRole.THEME if candidate.change is ChangeKind.ADD else TaskRole.OTHER
    return tuple(TaskSpec(task_id, role) for task_id in TASKS)


STATUS = {
    Ruling.KEEP: CandidateStatus.KEPT,
    Ruling.PRUNE: CandidateStatus.PRUNED,
    Ruling.RETAIN: CandidateStatus.RETAINED,
}


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SampleRepository:
    """A repository without anything."""
    root, home = tmp_path / "shop", tmp_path / "home"
    for folder in (root, home):
        folder.mkdir()
    monkeypatch.setenv("CORTEX_HOME", str(home))
    subprocess.run(["git", "init", "-q", "-b", "main"], cwd=root, check=True)
    (home / "config.toml").write_text('[agent]\nname = "scripted"\nplaybook = "none"\n')
    return SampleRepository(root, home)


@pytest.fixture
def sample(empty: SampleRepository) -> SampleRepository:
    """A proposal to keep, one not measured, a rule to prune, one that helps, one unknown."""
    empty.rule("x").parent.mkdir(parents=True)
    for name in ("naming", "errors", "plain"):
        empty.rule(name).write_text(RULES[name])
    empty.measured(empty.candidate("use-clock", ChangeKind.ADD), [(False, True)] * 6)
    empty.candidate("fresh", ChangeKind.ADD)
    empty.measured(empty.candidate("naming", ChangeKind.REMOVE), [(True, True)] * 28)
    empty.measured(empty.candidate("errors", ChangeKind.REMOVE), [(False, True)] * 4)
    return empty
