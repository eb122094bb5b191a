"""One candidate as a person wants to see it: verdict, how it came about, what would change it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean

from cortex.commands.colleagues import Statement, statement
from cortex.commands.context import Context
from cortex.commands.online_fdr import level_of
from cortex.commands.queries import prompts
from cortex.commands.queries import verdict as find_verdict
from cortex.errors import UsageError
from cortex.judgement import Direction, Judgement, Policy, judge
from cortex.judgement.outlook import Outlook, outlook
from cortex.judgement.trajectory import Point, Thresholds, evidence_trajectory, thresholds
from cortex.model.artifacts import Candidate
from cortex.model.experiments import ExperimentLock, TaskRole
from cortex.model.trials import Trial
from cortex.model.verdicts import TaskEvidence, Verdict
from cortex_store.experiments import Experiment
from cortex_store.pairing import pairs_of


@dataclass(frozen=True, slots=True)
class NextBatch:
    """What the gate would run next, and its price."""

    tasks: tuple[str, ...]
    trials: int
    cost_usd: float | None
    """Expected; None when no trial has reported a cost. 0 for an agent that is free."""
    minutes: float | None
    """Expected, the runs beside each other; None when no trial has a duration."""
    free: bool = False
    """The agent calls no provider."""


@dataclass(frozen=True, slots=True)
class Group:
    """The pairs of some tasks together."""

    tasks: int
    pairs: int
    without: int
    """Passes without."""
    with_: int
    """Passes with."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """All evidence about a candidate."""

    candidate: Candidate | None
    """None when it is not in this database any more."""
    verdict: Verdict | None
    """None while its first experiment runs."""
    needed: float
    """E+ that a keep or retain needs."""
    judgement: Judgement | None = None
    """Of the stored pairs; None when their experiment cannot be read any more."""
    outlook: Outlook | None = None
    batch: NextBatch | None = None
    """None when no run is pending."""
    trajectory: tuple[Point, ...] = ()
    thresholds: Thresholds | None = None
    """What each e-value has to reach; None with `judgement`."""
    seen: Group | None = None
    """Tasks that the writer of the text saw; None when there are none."""
    held_out: Group | None = None
    """Tasks of the theme that the writer never saw; None when there are none."""
    later: str | None = None
    """Id of a newer verdict about the candidate."""
    further: int = 0
    """Pairs and single-arm trials that were run after the verdict and are counted here."""
    prompts: Mapping[str, str] = field(default_factory=dict)
    """Task id -> what its prompt asks for, as far as the task is in this database."""
    stated: bool = False
    """By a colleague in the ledger, with nothing behind it in this database."""


def evidence(context: Context, reference: str) -> Evidence:
    """Return the evidence that a verdict rests on, by its id or its candidate's.

    Of a verdict whose candidate or trials are gone: what it says itself. Raises UsageError for an
    unknown reference.
    """
    stated = statement(context, reference)
    if stated is not None:
        return _from_statement(stated)
    verdict = find_verdict(context, reference)
    candidate = context.store.candidates.get(verdict.candidate_id)
    newest = context.store.verdicts.latest(verdict.candidate_id)
    result = _from_verdict(candidate, verdict)
    if newest is not None and newest.id != verdict.id:
        result = replace(result, later=newest.id)
    source = Experiment(verdict.experiment_id, verdict.candidate_id, verdict.lock, "")
    weighed = _weigh(context, result, source, verdict.pairs + verdict.single_arm)
    return _with_prompts(context, weighed)


def evidence_of(context: Context, candidate: Candidate) -> Evidence | None:
    """Return the evidence about a candidate, also while it is gathered; None before a trial."""
    stated = statement(context, candidate.id)
    if stated is not None:
        return _from_statement(stated)
    verdict = context.store.verdicts.latest(candidate.id)
    experiments = context.store.experiments.for_candidate(candidate.id)
    result = _from_verdict(candidate, verdict)
    if not experiments:
        return _with_prompts(context, result) if verdict else None
    running = experiments[-1]
    if verdict and verdict.experiment_id == running.id:
        running = replace(running, lock=verdict.lock)
    return _with_prompts(context, _weigh(context, result, running))


def _from_statement(stated: Statement) -> Evidence:
    return replace(_from_verdict(stated.candidate, stated.verdict), stated=True)


def _with_prompts(context: Context, shown: Evidence) -> Evidence:
    judgement, verdict = shown.judgement, shown.verdict
    tasks = judgement.tasks if judgement else verdict.tasks if verdict else ()
    return replace(shown, prompts=prompts(context, tasks))


def _from_verdict(candidate: Candidate | None, verdict: Verdict | None) -> Evidence:
    """Return what a verdict says itself."""
    needed = verdict.needed if verdict else Policy().needed
    return _with_groups(Evidence(candidate, verdict, needed), verdict.tasks if verdict else ())


def _weigh(
    context: Context, stored: Evidence, source: Experiment, upto: int | None = None
) -> Evidence:
    """Return the evidence with what the gate says of the pairs, where everything is there."""
    trials = context.store.experiments.trials(source.id)
    pairs = pairs_of(trials)[:upto]
    candidate, verdict, lock = stored.candidate, stored.verdict, source.lock
    same = verdict is not None and verdict.experiment_id == source.id
    ruled = verdict.pairs + verdict.single_arm if verdict and same else 0
    if candidate is None or lock is None or len(pairs) < ruled:
        return stored
    direction, width = Direction(str(candidate.change)), context.config.trials.concurrency
    try:
        policy = _policy_of(context, direction, source, lock)
        judged = judge(direction, lock.specs, pairs, policy, width)
    except (UsageError, ValueError):
        return stored
    limits = thresholds(direction, policy)
    return replace(
        _with_groups(stored, judged.tasks),
        needed=limits.helps,
        thresholds=limits,
        judgement=judged,
        outlook=outlook(direction, lock.specs, pairs, policy),
        batch=None if stored.later else _next_batch(context, judged, lock, trials),
        trajectory=evidence_trajectory(direction, lock.specs, pairs, policy),
        further=len(pairs) - ruled if verdict else 0,
    )


def _policy_of(
    context: Context, direction: Direction, source: Experiment, lock: ExperimentLock
) -> Policy:
    """Return the policy; for a running addition with the level that a keep currently needs."""
    policy = lock.judging_policy
    running = source.created_at and context.repository is not None
    if direction is not Direction.ADD or policy.keep_alpha is not None or not running:
        return policy
    return replace(policy, keep_alpha=level_of(context, source.id).alpha)


def _with_groups(result: Evidence, tasks: Iterable[TaskEvidence]) -> Evidence:
    theme_tasks = [task for task in tasks if task.role is TaskRole.THEME and task.pairs]
    return replace(
        result,
        seen=_group([task for task in theme_tasks if not task.held_out]),
        held_out=_group([task for task in theme_tasks if task.held_out]),
    )


def _group(tasks: Sequence[TaskEvidence]) -> Group | None:
    if not tasks:
        return None
    return Group(
        tasks=len(tasks),
        pairs=sum(task.pairs for task in tasks),
        without=sum(task.without for task in tasks),
        with_=sum(task.with_ for task in tasks),
    )


def _next_batch(
    context: Context, judged: Judgement, lock: ExperimentLock, trials: Sequence[Trial]
) -> NextBatch | None:
    if not judged.batch:
        return None
    count = sum(len(run.arms) for run in judged.batch)
    free = lock.agent == "scripted" or context.config.agent.free
    mean = 0.0 if free else _mean_cost(context, trials)
    seconds = [trial.seconds for trial in trials if trial.seconds]
    beside = min(context.config.trials.concurrency, len(judged.batch))
    return NextBatch(
        tasks=tuple(run.task_id for run in judged.batch),
        trials=count,
        cost_usd=None if mean is None else mean * count,
        minutes=fmean(seconds) * count / beside / 60 if seconds else None,
        free=free,
    )


def _mean_cost(context: Context, trials: Sequence[Trial]) -> float | None:
    costs = [trial.cost_usd for trial in trials if trial.cost_usd is not None]
    return fmean(costs) if costs else context.store.experiments.mean_cost_usd()
