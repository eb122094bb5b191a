"""One candidate as a person wants to see it: verdict, how it came about, what would change it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from cortex.commands.budget import FREE_AGENTS
from cortex.commands.context import Context
from cortex.commands.online_fdr import level_of
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
    """Everything that is known about one candidate."""

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
    """None when nothing is left to run."""
    path: tuple[Point, ...] = ()
    thresholds: Thresholds | None = None
    """What each e-value has to reach; None with `judgement`."""
    seen: Group | None = None
    """Tasks that the writer of the text saw; None without one."""
    held_out: Group | None = None
    """Tasks of the theme that the writer never saw; None without one."""
    later: str | None = None
    """Id of a newer verdict about the candidate."""
    further: int = 0
    """Pairs and trials alone that were run after the verdict and are counted here."""


def evidence(context: Context, reference: str) -> Evidence:
    """Return the evidence that a verdict rests on, by its id or its candidate's.

    Of a verdict whose candidate or trials are gone: what it says itself. Raises UsageError for an
    unknown reference.
    """
    verdict = find_verdict(context, reference)
    candidate = context.store.candidates.get(verdict.candidate_id)
    newest = context.store.verdicts.latest(verdict.candidate_id)
    shown = _stored(candidate, verdict)
    if newest is not None and newest.id != verdict.id:
        shown = replace(shown, later=newest.id)
    source = Experiment(verdict.experiment_id, verdict.candidate_id, verdict.lock, "")
    return _weighed(context, shown, source, verdict.pairs + verdict.single_arm)


def evidence_of(context: Context, candidate: Candidate) -> Evidence | None:
    """Return the evidence about a candidate, also while it is gathered; None before a trial."""
    verdict = context.store.verdicts.latest(candidate.id)
    experiments = context.store.experiments.for_candidate(candidate.id)
    shown = _stored(candidate, verdict)
    if not experiments:
        return shown if verdict else None
    running = experiments[-1]
    if verdict and verdict.experiment_id == running.id:
        running = replace(running, lock=verdict.lock)
    return _weighed(context, shown, running)


def _stored(candidate: Candidate | None, verdict: Verdict | None) -> Evidence:
    """Return what a verdict says itself."""
    needed = verdict.needed if verdict else Policy().needed
    return _grouped(Evidence(candidate, verdict, needed), verdict.tasks if verdict else ())


def _weighed(
    context: Context, shown: Evidence, source: Experiment, upto: int | None = None
) -> Evidence:
    """Return the evidence with what the gate says of the pairs, where everything is there."""
    trials = context.store.experiments.trials(source.id)
    pairs = pairs_of(trials)[:upto]
    candidate, verdict, lock = shown.candidate, shown.verdict, source.lock
    same = verdict is not None and verdict.experiment_id == source.id
    ruled = verdict.pairs + verdict.single_arm if verdict and same else 0
    if candidate is None or lock is None or len(pairs) < ruled:
        return shown
    direction, width = Direction(str(candidate.change)), context.config.trials.concurrency
    try:
        policy = _policy_of(context, direction, source, lock)
        judged = judge(direction, lock.specs, pairs, policy, width)
    except (UsageError, ValueError):
        return shown
    limits = thresholds(direction, policy)
    return replace(
        _grouped(shown, judged.tasks),
        needed=limits.helps,
        thresholds=limits,
        judgement=judged,
        outlook=outlook(direction, lock.specs, pairs, policy),
        batch=None if shown.later else _batch(context, judged, lock, trials),
        path=evidence_trajectory(direction, lock.specs, pairs, policy),
        further=len(pairs) - ruled if verdict else 0,
    )


def _policy_of(
    context: Context, direction: Direction, source: Experiment, lock: ExperimentLock
) -> Policy:
    """Return the policy, of a running addition with what a keep needs by now."""
    policy = lock.judging_policy
    running = source.created_at and context.repository is not None
    if direction is not Direction.ADD or policy.keep_alpha is not None or not running:
        return policy
    return replace(policy, keep_alpha=level_of(context, source.id).alpha)


def _grouped(shown: Evidence, tasks: Iterable[TaskEvidence]) -> Evidence:
    about = [one for one in tasks if one.role is TaskRole.THEME and one.pairs]
    return replace(
        shown,
        seen=_group([one for one in about if not one.held_out]),
        held_out=_group([one for one in about if one.held_out]),
    )


def _group(tasks: Sequence[TaskEvidence]) -> Group | None:
    if not tasks:
        return None
    return Group(
        tasks=len(tasks),
        pairs=sum(one.pairs for one in tasks),
        without=sum(one.without for one in tasks),
        with_=sum(one.with_ for one in tasks),
    )


def _batch(
    context: Context, judged: Judgement, lock: ExperimentLock, trials: Sequence[Trial]
) -> NextBatch | None:
    if not judged.batch:
        return None
    count = sum(len(run.arms) for run in judged.batch)
    free = lock.agent in FREE_AGENTS
    mean = 0.0 if free else _mean_cost(context, trials)
    seconds = [one.seconds for one in trials if one.seconds]
    beside = min(context.config.trials.concurrency, len(judged.batch))
    return NextBatch(
        tasks=tuple(run.task_id for run in judged.batch),
        trials=count,
        cost_usd=None if mean is None else mean * count,
        minutes=fmean(seconds) * count / beside / 60 if seconds else None,
        free=free,
    )


def _mean_cost(context: Context, trials: Sequence[Trial]) -> float | None:
    costs = [one.cost_usd for one in trials if one.cost_usd is not None]
    return fmean(costs) if costs else context.store.experiments.mean_cost_usd()
