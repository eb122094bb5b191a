"""Experiments with a known answer through the shipping gate, before anybody trusts a verdict.

Everything happens in a temporary folder with a store and repositories of its own. All that reaches
the person's store is what a paid agent cost.
"""

import json
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from cortex.artifacts import disk, edits
from cortex.commands.budget import BudgetTracker, track_budget
from cortex.commands.changes import apply_verdict
from cortex.commands.context import DATABASE, Context, find_repository
from cortex.commands.experiments import MISSING_IN_A_ROW, Observer, gate
from cortex.commands.trust import accept_trials, ensure_confined
from cortex.config import AgentConfig, Config, home, load_config
from cortex.digests import short_id
from cortex.errors import MachineError, UsageError
from cortex.git import ask, git
from cortex.judgement import Judgement
from cortex.model.artifacts import Candidate
from cortex.model.tasks import BaseTree, Task, TaskStatus
from cortex.model.trials import Trial
from cortex.model.verdicts import Diagnosis, Ruling, Verdict
from cortex.selftest.cases import SAME, Case, Kind, build, plan
from cortex.selftest.report import CaseResult, Report, grade
from cortex_replay.admission import admit
from cortex_replay.agents import make_agent
from cortex_replay.confinement import Confinement
from cortex_replay.files import remove_tree
from cortex_replay.objects import ObjectStore
from cortex_replay.trial_dirs import default_root
from cortex_replay.workspace import Workspace, Workspaces
from cortex_store import Store

REPEATS = 8
"""Of each kind of A/A experiment: under a minute of two cores with the scripted agent."""

TOUCHED = "The harness on the disk is not what this verdict makes of it."
SCRIPTED = "scripted"
WIDTH = 3
"""Pairs beside each other with the scripted agent, whatever is configured: a seed then gives the
same verdicts everywhere."""


class Listener(Protocol):
    """Is told about the progress of the self-test."""

    def began(self, kind: Kind, place: int, planned: int) -> None:
        """An experiment begins."""

    def on_trial(self, trial: Trial) -> None:
        """One more trial of it has ended."""

    def ended(self, run: CaseResult) -> None:
        """It has its verdict."""


@dataclass(frozen=True, slots=True)
class Order:
    """What is asked of a self-test."""

    seed: int = 1
    repeats: int = REPEATS
    agent: str | None = None
    """None: the configured one when it is free or has a budget, else the scripted one."""
    budget_usd: float | None = None
    kinds: tuple[Kind, ...] = tuple(Kind)


def selftest(where: Path, order: Order, listener: Listener) -> Report:
    """Run all experiments, as the configuration that holds in the folder `where` says.

    Raises UsageError for wrong arguments and a paid agent without a budget, MachineError when the
    agent cannot be run here.
    """
    if order.repeats < 1:
        raise UsageError(f"--repeats {order.repeats} runs nothing; give at least 1")
    repository = find_repository(where)
    config = load_config(repository)
    agent, note = _choose(config, order)
    config = replace(config, agent=agent)
    with _books(config, repository, order.budget_usd) as (money, book), _folder() as folder:
        laboratory = _CaseRunner(folder, config, order, money, book, listener)
        return laboratory.run(note)


def _choose(config: Config, order: Order) -> tuple[AgentConfig, str]:
    """Return the agent and, when it is not the configured one, why."""
    own = config.agent
    if order.agent not in (None, own.name):
        return AgentConfig(name=order.agent), ""
    paid = not own.free
    if order.agent is None and paid and order.budget_usd is None:
        note = (
            f"No --budget was given and {own.name} costs money, so the scripted agent ran: this "
            f"tries gate, store and workspaces here, but not {own.name}."
        )
        return AgentConfig(name=SCRIPTED), note
    return own, ""


Book = Callable[[Trial], None]


@contextmanager
def _books(
    config: Config, repository: Path | None, budget_usd: float | None
) -> Iterator[tuple[BudgetTracker, Book]]:
    """Yield the budget, and what books a trial on the person's own store; a free agent needs none.

    Each trial is booked when it ends, so that an interruption loses nothing of the day's sum.
    """
    if config.agent.free:
        yield BudgetTracker(None, free=True), lambda _trial: None
        return
    agent = make_agent(config.agent)
    agent.check()
    if budget_usd is None:
        BudgetTracker(config.budget.per_experiment_usd).check(agent)
    with Store.open(home() / DATABASE) as store:
        context = Context(store, config, home(), repository)
        ensure_confined(context, agent)
        money = track_budget(context, budget_usd)

        def book(trial: Trial) -> None:
            if trial.cost_usd:
                store.experiments.book(trial.started_at, trial.cost_usd, "self-test")

        yield money, book


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="cortex-selftest-") as folder:
        yield Path(folder).resolve()


class _SameTextWorkspaces(Workspaces):
    """Workspaces in which every arm has the same harness, whatever is asked for."""

    def __init__(
        self,
        root: Path,
        objects: ObjectStore,
        harness: Mapping[str, str],
        trusted: Set[str],
        confinement: Confinement,
    ) -> None:
        super().__init__(root, objects, trusts=trusted.__contains__, confinement=confinement)
        self._harness = dict(harness)

    def prepare(self, task: Task, harness_files: Mapping[str, str], slot: int) -> Workspace:
        """Make a workspace with the one harness."""
        del harness_files
        return super().prepare(task, self._harness, slot)


@dataclass(frozen=True, slots=True)
class SameTextContext(Context):
    """A context in which the gate unknowingly compares a text with itself."""

    harness: Mapping[str, str] = field(default_factory=dict)

    def workspaces(self) -> Workspaces:
        """Return a maker of workspaces that are alike."""
        objects = ObjectStore(self.home / "objects")
        return _SameTextWorkspaces(
            default_root(), objects, self.harness, self.trusted(), self.confinement()
        )


class _CaseObserver:
    """What the gate said on its way to a verdict."""

    def __init__(self, book: Book, listener: Listener) -> None:
        self._book, self._listener = book, listener
        self.judgement: Judgement | None = None
        self.missing = 0
        self.detail = ""

    def observer(self) -> Observer:
        """Return callbacks."""
        return Observer(self._on_trial, self._on_judgement)

    def _on_trial(self, trial: Trial) -> None:
        self._book(trial)
        self.missing = self.missing + 1 if trial.outcome.missing else 0
        self.detail = trial.detail
        self._listener.on_trial(trial)

    def _on_judgement(self, judgement: Judgement) -> None:
        self.judgement = judgement


@dataclass(frozen=True, slots=True)
class _CaseRunner:
    folder: Path
    config: Config
    order: Order
    money: BudgetTracker
    book: Book
    listener: Listener

    def run(self, note: str) -> Report:
        planned = plan(self.order.repeats, self.order.kinds)
        runs: list[CaseResult] = []
        stopped, version = "", ""
        with Store.open(self.folder / "home" / DATABASE) as store:
            for place, (kind, number) in enumerate(planned, 1):
                if runs and not self.money.may_start():
                    stopped = _said(self.money)
                    break
                self.listener.began(kind, place, len(planned))
                run, version = self._experiment(store, build(kind, number, self.order.seed))
                runs.append(run)
                self.listener.ended(run)
        return Report(
            agent=self.config.agent.name,
            agent_version=version,
            model=self.config.agent.model,
            seed=self.order.seed,
            alpha=self.config.gate.alpha,
            planned=len(planned),
            runs=tuple(runs),
            spent_usd=0.0 if self.money.free else self.money.spent_usd,
            note=note,
            stopped=stopped,
        )

    def _experiment(self, store: Store, case: Case) -> tuple[CaseResult, str]:
        """Run an experiment in a repository of its own; return it and the agent's version."""
        clock = time.monotonic()
        place = self.folder / f"{case.kind}-{case.number}" / "shelf"
        context = self._bench(store, case, place)
        candidate = _candidate(context, case, _tasks(context, case))
        case_observer = _CaseObserver(self.book, self.listener)
        verdict = gate(context, candidate, self.money, case_observer.observer())
        if case_observer.missing >= MISSING_IN_A_ROW:
            raise MachineError(f"the agent could not be run: {case_observer.detail}")
        if case.kind not in SAME:
            apply_verdict(context, candidate, verdict)
        in_place = disk.read_files(place) == _expected(case, verdict)
        diagnosis = case_observer.judgement.diagnosis if case_observer.judgement else Diagnosis.NONE
        remove_tree(place.parent)
        run = CaseResult(
            kind=case.kind,
            number=case.number,
            ruling=verdict.ruling,
            answer=grade(case.kind, verdict.ruling, diagnosis, in_place=in_place),
            reason=verdict.reason if in_place else TOUCHED,
            pairs=verdict.pairs,
            without=sum(task.without for task in verdict.tasks),
            with_=sum(task.with_ for task in verdict.tasks),
            loaded=verdict.loaded,
            trials=verdict.trials,
            cost_usd=verdict.cost_usd,
            seconds=round(time.monotonic() - clock, 3),
        )
        return run, "" if self.money.free else (verdict.lock.agent_version if verdict.lock else "")

    def _bench(self, store: Store, case: Case, place: Path) -> Context:
        """Write the repository and the scripted agent's playbook of an experiment."""
        _write(place, case.files)
        git("init", "--quiet", "--initial-branch=main", cwd=place)
        git("add", "--all", "--force", ".", cwd=place)
        git("commit", "--quiet", "--no-verify", "-m", "Begin", cwd=place)
        playbook = place.parent / "playbook.json"
        playbook.write_text(json.dumps(case.playbook()), "utf-8")
        config = self._configured(case, playbook)
        own = self.folder / "home"
        # What the person decided for their repository holds for those of the self-test.
        accept_trials(Context(store, config, own, place))
        if case.kind not in SAME:
            return Context(store, config, own, place)
        both = edits.with_artifact(case.harness, case.artifact)
        return SameTextContext(store, config, own, place, both)

    def _configured(self, case: Case, playbook: Path) -> Config:
        agent, trials = self.config.agent, self.config.trials
        width = trials.concurrency
        if agent.name == SCRIPTED:
            agent = replace(agent, playbook=str(playbook))
            width = WIDTH
        trials = replace(
            trials,
            seed=case.seed,
            concurrency=width,
            max_trials=min(trials.max_trials, case.max_trials),
        )
        return replace(self.config, agent=agent, trials=trials)


def _said(money: BudgetTracker) -> str:
    return money.describe() if money.unreported else f"the budget is spent ({money.describe()})"


def _write(place: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def _tasks(context: Context, case: Case) -> Sequence[Task]:
    """Admit the tasks by the same proofs as any other."""
    base = BaseTree(str(context.root), ask("rev-parse", "HEAD", cwd=context.root))
    with context.workspaces() as workspaces:
        tasks = [admit(job.task(case.task_id(job), base), workspaces) for job in case.jobs]
    for task in tasks:
        if task.status is not TaskStatus.ADMITTED:
            raise MachineError(f"a task of the self-test cannot measure here: {task.reason}")
        context.store.tasks.put(task)
    return tasks


def _candidate(context: Context, case: Case, tasks: Sequence[Task]) -> Candidate:
    themed = zip(tasks, case.jobs, strict=True)
    candidate = Candidate(
        id=short_id("cand", "self-test", str(case.kind), str(case.seed)),
        change=case.change,
        artifact=case.artifact,
        title=str(case.kind),
        task_ids=tuple(task.id for task, job in themed if job.theme),
        writer="self-test",
    )
    context.store.candidates.put(str(context.root), candidate)
    return candidate


def _expected(case: Case, verdict: Verdict) -> Mapping[str, str]:
    """Return the harness files that a verdict leaves on the disk; A/A changes none."""
    change = _CHANGES.get(verdict.ruling)
    if change is None or case.kind in SAME:
        return case.harness
    return change(case.harness, case.artifact)


_CHANGES = {Ruling.KEEP: edits.with_artifact, Ruling.PRUNE: edits.without_artifact}
