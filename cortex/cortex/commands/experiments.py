"""The gate at work: batches of pairs until the evidence suffices or the budget is spent."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from cortex.commands.budget import BudgetTracker
from cortex.commands.canary import ensure_proved
from cortex.commands.changes import record
from cortex.commands.context import Context
from cortex.commands.experiment_plan import ExperimentPlan, check_unpurged, prepare
from cortex.commands.locks import alone
from cortex.commands.online_fdr import level_of
from cortex.commands.trust import ensure_confined
from cortex.digests import digest_text, short_id
from cortex.judgement import Direction, Judgement, Policy, judge
from cortex.model.artifacts import Candidate, CandidateStatus, ChangeKind
from cortex.model.experiments import Level
from cortex.model.trials import BOTH, Run, Trial
from cortex.model.verdicts import Ruling, Verdict
from cortex.timestamps import now
from cortex_replay.agents import Agent, make_agent
from cortex_replay.batch import PairSpec, run_batch
from cortex_replay.workspace import Workspaces

MISSING_IN_A_ROW = 4
"""So many missing trials on end mean that the agent or its provider is down."""


@dataclass(frozen=True, slots=True)
class Observer:
    """What a surface wants to hear while an experiment runs, in the calling thread."""

    on_trial: Callable[[Trial], None] = field(default=lambda _trial: None)
    on_judgement: Callable[[Judgement], None] = field(default=lambda _judgement: None)


@dataclass(frozen=True, slots=True)
class RunResult:
    """How an experiment stopped."""

    judgement: Judgement
    level: Level | None
    """The level that a keep had to reach; None for a removal."""
    note: str = ""
    """Why it stopped early."""


def gate(
    context: Context, candidate: Candidate, tracker: BudgetTracker, observer: Observer | None = None
) -> Verdict:
    """Run pairs for `candidate` until a verdict, and keep it with its lock.

    An experiment with the same lock is resumed. Raises UsageError when there is no task, no budget
    for an agent that costs money, or no sandbox for one that runs commands; MachineError when the
    agent is missing or another process runs the experiment.
    """
    observer = observer or Observer()
    agent = make_agent(context.config.agent)
    agent.check()
    confined = ensure_confined(context, agent)
    plan = prepare(context, candidate, agent, "" if confined == "none" else confined)
    tracker.check(agent)
    ensure_proved(context, agent)
    busy = f"{candidate.id}: another Cortex is testing it; wait for it, or stop it"
    with alone(context, plan.experiment_id, busy):
        with context.store.transaction():
            check_unpurged(context, plan)
            context.store.experiments.open(plan.experiment_id, candidate.id, plan.lock)
        with context.workspaces() as workspaces:
            run = _run(context, plan, agent, workspaces, tracker, observer)
        verdict = _verdict(context, plan, run)
        with context.store.transaction():
            context.store.verdicts.add(str(context.root), verdict)
            context.store.candidates.set_status(candidate.id, STATUS[verdict.ruling])
            context.store.candidates.clear_decision(candidate.id)
        if candidate.change is ChangeKind.REMOVE:
            record(context, candidate, verdict)
    return verdict


STATUS = {
    Ruling.KEEP: CandidateStatus.KEPT,
    Ruling.BURY: CandidateStatus.BURIED,
    Ruling.PRUNE: CandidateStatus.PRUNED,
    Ruling.RETAIN: CandidateStatus.RETAINED,
    Ruling.UNUSED: CandidateStatus.UNUSED,
    Ruling.UNDECIDED: CandidateStatus.UNDECIDED,
}


def _run(
    context: Context,
    plan: ExperimentPlan,
    agent: Agent,
    workspaces: Workspaces,
    tracker: BudgetTracker,
    observer: Observer,
) -> RunResult:
    experiments, missing = context.store.experiments, 0

    def on_trial(trial: Trial) -> None:
        nonlocal missing
        experiments.add_trial(trial)
        tracker.book(trial)
        missing = missing + 1 if trial.outcome.missing else 0
        observer.on_trial(trial)

    width = context.config.trials.concurrency
    while True:
        pairs = experiments.pairs(plan.experiment_id)
        policy, level = _policy_now(context, plan)
        judgement = judge(plan.direction, plan.specs, pairs, policy, width)
        observer.on_judgement(judgement)
        if judgement.ruling is not None:
            return RunResult(judgement, level)
        if missing >= MISSING_IN_A_ROW:
            return RunResult(
                judgement, level, f"the agent could not be run: {_last_detail(context, plan)}"
            )
        if not tracker.may_start():
            return RunResult(judgement, level, f"the budget is spent ({tracker.describe()})")
        orders = _orders(context, plan, judgement.batch, tracker)
        run_batch(orders, workspaces, agent, width, on_trial, may_start=tracker.may_start)


def _policy_now(context: Context, plan: ExperimentPlan) -> tuple[Policy, Level | None]:
    """Return the policy with the level that a keep currently needs, given the other candidates."""
    if plan.direction is not Direction.ADD:
        return plan.policy, None
    level = level_of(context, plan.experiment_id)
    return replace(plan.policy, keep_alpha=level.alpha), level


def _orders(
    context: Context, plan: ExperimentPlan, batch: Sequence[Run], tracker: BudgetTracker
) -> list[PairSpec]:
    tasks = {task.id: task for task in plan.tasks}
    counts: dict[str, int] = {}
    for trial in context.store.experiments.trials(plan.experiment_id):
        counts[trial.task_id] = max(counts.get(trial.task_id, 0), trial.pair + 1)
    orders = []
    for run in batch:
        number = counts.get(run.task_id, 0)
        counts[run.task_id] = number + 1
        orders.append(
            PairSpec(
                experiment_id=plan.experiment_id,
                task=tasks[run.task_id],
                pair=number,
                without=plan.without,
                with_=plan.with_,
                artifact=plan.candidate.artifact,
                seed=_seed(context, plan, run.task_id, number),
                timeout_s=context.config.agent.timeout_s,
                budget_usd=tracker.per_trial_usd,
                model=context.config.agent.model,
                arms=run.arms,
                reads_agents_file=plan.reads_agents_file,
            )
        )
    return orders


def _seed(context: Context, plan: ExperimentPlan, task_id: str, number: int) -> int:
    """Return the same seed for the same text, task and pair, wherever the repository is."""
    artifact = plan.candidate.artifact
    parts = (context.config.trials.seed, plan.direction, artifact.key, artifact.digest)
    return int(digest_text(" ".join(map(str, (*parts, task_id, number))))[:12], 16)


def _last_detail(context: Context, plan: ExperimentPlan) -> str:
    trials = context.store.experiments.trials(plan.experiment_id)
    return next((trial.detail for trial in reversed(trials) if trial.outcome.missing), "")


def _verdict(context: Context, plan: ExperimentPlan, ended: RunResult) -> Verdict:
    trials = context.store.experiments.trials(plan.experiment_id)
    pairs = context.store.experiments.pairs(plan.experiment_id)
    at = now()
    verdict = verdict_of(ended.judgement, ended.note)
    return replace(
        verdict,
        id=short_id("verdict", plan.experiment_id, str(len(trials)), at),
        candidate_id=plan.candidate.id,
        experiment_id=plan.experiment_id,
        pairs=sum(pair.arms == BOTH for pair in pairs),
        single_arm=sum(pair.arms != BOTH for pair in pairs),
        lock=replace(plan.lock, level=ended.level),
        cost_usd=sum(trial.cost_usd or 0.0 for trial in trials),
        trials=len(trials),
        created_at=at,
    )


def verdict_of(judgement: Judgement, note: str = "") -> Verdict:
    """Return what a judgement amounts to, without ids: also used to check stored verdicts."""
    reason = f"{judgement.reason} Stopped: {note}." if note else judgement.reason
    return Verdict(
        id="",
        candidate_id="",
        experiment_id="",
        ruling=judgement.ruling or Ruling.UNDECIDED,
        reason=reason,
        pairs=0,
        lift=judgement.lift,
        e_value=judgement.e_value,
        harm_e_value=judgement.harm_e_value,
        futility_e_value=judgement.futility_e_value,
        loaded=judgement.loaded,
        tasks=judgement.tasks,
        diagnosis=judgement.diagnosis,
        interval=judgement.interval,
    )
