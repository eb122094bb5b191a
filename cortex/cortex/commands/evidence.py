"""One candidate as a person wants to see it: verdict, how it came about, what would change it."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from cortex.commands.locks import policy_in, specs_in
from cortex.commands.queries import candidate as find_candidate
from cortex.commands.queries import verdict as find_verdict
from cortex.commands.workbench import Workbench
from cortex.errors import UsageError
from cortex.judgement import Direction, Judgement, judge
from cortex.judgement.outlook import Outlook, outlook
from cortex.judgement.path import Point, evidence_path
from cortex.model.artifacts import Candidate
from cortex.model.trials import Trial
from cortex.model.verdicts import Verdict


@dataclass(frozen=True, slots=True)
class Wave:
    """What the gate would run next, and its price."""

    tasks: tuple[str, ...]
    trials: int
    cost_usd: float | None
    """Expected; None when no trial has reported a cost. 0 for an agent that is free."""
    minutes: float | None
    """Expected, the runs beside each other; None when no trial has a duration."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything that is known about one candidate."""

    candidate: Candidate
    verdict: Verdict | None
    """None while its first experiment runs."""
    needed: float
    """E+ that a keep or retain needs."""
    judgement: Judgement | None = None
    """Of the stored pairs; None when their experiment cannot be read any more."""
    outlook: Outlook | None = None
    wave: Wave | None = None
    """None when nothing is left to run."""
    path: tuple[Point, ...] = ()


def evidence(bench: Workbench, reference: str) -> Evidence:
    """Return the evidence behind a verdict, by its id or its candidate's.

    Raises UsageError for an unknown reference.
    """
    verdict = find_verdict(bench, reference)
    return _evidence(bench, find_candidate(bench, verdict.candidate_id), verdict)


def evidence_of(bench: Workbench, candidate: Candidate) -> Evidence | None:
    """Return the evidence about a candidate, also while it is gathered; None before a trial."""
    verdict = bench.store.verdicts.latest(candidate.id)
    newest = bench.store.experiments.for_candidate(candidate.id)
    if verdict is None and not newest:
        return None
    return _evidence(bench, candidate, verdict)


def _evidence(bench: Workbench, candidate: Candidate, verdict: Verdict | None) -> Evidence:
    experiments = bench.store.experiments.for_candidate(candidate.id)
    running = experiments[-1] if experiments else None
    if verdict is not None and (running is None or running.id == verdict.experiment_id):
        lock, experiment_id = verdict.lock, verdict.experiment_id
    elif running is not None:
        lock, experiment_id = running.lock, running.id
    else:
        lock, experiment_id = {}, ""
    try:
        policy, specs = policy_in(lock), specs_in(lock)
    except UsageError:
        return Evidence(candidate, verdict, _needed(verdict))
    trials = bench.store.experiments.trials(experiment_id)
    pairs = bench.store.experiments.pairs(experiment_id)
    direction, width = Direction(str(candidate.change)), bench.config.trials.concurrency
    judged = judge(direction, specs, pairs, policy, width)
    return Evidence(
        candidate=candidate,
        verdict=verdict,
        needed=1 / (policy.keep_alpha or policy.alpha),
        judgement=judged,
        outlook=outlook(direction, specs, pairs, policy) if pairs else None,
        wave=_wave(bench, judged, trials, width),
        path=evidence_path(direction, specs, pairs, policy),
    )


def _needed(verdict: Verdict | None) -> float:
    alpha = (verdict.lock.get("policy") or {}).get("alpha") if verdict else None
    return 1 / alpha if isinstance(alpha, float) and alpha > 0 else 20.0


def _wave(bench: Workbench, judged: Judgement, trials: Sequence[Trial], width: int) -> Wave | None:
    if not judged.wave:
        return None
    count = sum(len(run.arms) for run in judged.wave)
    costs = [one.cost_usd for one in trials if one.cost_usd is not None]
    mean = fmean(costs) if costs else bench.store.experiments.mean_cost_usd()
    seconds = [one.seconds for one in trials if one.seconds]
    beside = min(width, len(judged.wave))
    return Wave(
        tasks=tuple(run.task_id for run in judged.wave),
        trials=count,
        cost_usd=None if mean is None else mean * count,
        minutes=fmean(seconds) * count / beside / 60 if seconds else None,
    )
