"""The gate at work: pairs, wave after wave, until the evidence is enough or the budget is gone."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace

from cortex.commands.budget import Purse
from cortex.commands.harness import record
from cortex.commands.lifetime import level_of
from cortex.commands.setting import Setting, prepare
from cortex.commands.workbench import Workbench, now
from cortex.digests import digest_text, short_id
from cortex.judgement import Direction, Judgement, Policy, judge
from cortex.judgement.lifetime import Level
from cortex.model.artifacts import Candidate, ChangeKind
from cortex.model.trials import BOTH, Run, Trial
from cortex.model.verdicts import Ruling, Verdict
from cortex_replay.agents import Agent, make_agent
from cortex_replay.wave import PairOrder, run_wave
from cortex_replay.workspace import Workspaces

MISSING_IN_A_ROW = 4
"""So many missing trials on end mean that the agent or its provider is down."""


@dataclass(frozen=True, slots=True)
class Watch:
    """What a surface wants to hear while an experiment runs, in the calling thread."""

    on_trial: Callable[[Trial], None] = field(default=lambda _trial: None)
    on_judgement: Callable[[Judgement], None] = field(default=lambda _judgement: None)


@dataclass(frozen=True, slots=True)
class Ended:
    """How an experiment stopped."""

    judgement: Judgement
    level: Level | None
    """What a keep had to show; None where nothing is added."""
    note: str = ""
    """Why it stopped early."""


def gate(
    bench: Workbench, candidate: Candidate, purse: Purse, watch: Watch | None = None
) -> Verdict:
    """Run pairs for `candidate` until a verdict, and keep it with its lock.

    An experiment with the same lock is resumed. Raises UsageError when there is no task or no
    budget for an agent that costs money, MachineError when the agent is missing.
    """
    watch = watch or Watch()
    agent = make_agent(bench.config.agent)
    agent.check()
    setting = prepare(bench, candidate, agent)
    purse.check(agent)
    bench.store.experiments.open(setting.experiment_id, candidate.id, setting.lock)
    with bench.workspaces() as workspaces:
        run = _run(bench, setting, agent, workspaces, purse, watch)
    verdict = _verdict(bench, setting, run)
    with bench.store.transaction():
        bench.store.verdicts.add(str(bench.root), verdict)
        bench.store.candidates.set_status(candidate.id, STATUS[verdict.ruling])
        bench.store.candidates.unsettle(candidate.id)
    if candidate.change is ChangeKind.REMOVE:
        record(bench, candidate, verdict)
    return verdict


STATUS = {
    Ruling.KEEP: "kept",
    Ruling.BURY: "buried",
    Ruling.PRUNE: "pruned",
    Ruling.RETAIN: "retained",
    Ruling.UNUSED: "unused",
    Ruling.UNDECIDED: "undecided",
}


def _run(
    bench: Workbench,
    setting: Setting,
    agent: Agent,
    workspaces: Workspaces,
    purse: Purse,
    watch: Watch,
) -> Ended:
    experiments, missing = bench.store.experiments, 0

    def on_trial(trial: Trial) -> None:
        nonlocal missing
        experiments.add_trial(trial)
        purse.book(trial)
        missing = missing + 1 if trial.outcome.missing else 0
        watch.on_trial(trial)

    width = bench.config.trials.concurrency
    while True:
        pairs = experiments.pairs(setting.experiment_id)
        policy, level = _policy_now(bench, setting)
        judgement = judge(setting.direction, setting.specs, pairs, policy, width)
        watch.on_judgement(judgement)
        if judgement.ruling is not None:
            return Ended(judgement, level)
        if missing >= MISSING_IN_A_ROW:
            return Ended(
                judgement, level, f"the agent could not be run: {_last_detail(bench, setting)}"
            )
        if not purse.may_start():
            return Ended(judgement, level, f"the budget is spent ({purse.describe()})")
        orders = _orders(bench, setting, judgement.wave, purse)
        run_wave(orders, workspaces, agent, width, on_trial, may_start=purse.may_start)


def _policy_now(bench: Workbench, setting: Setting) -> tuple[Policy, Level | None]:
    """Return the policy with what a keep needs by now, because of the other candidates."""
    if setting.direction is not Direction.ADD:
        return setting.policy, None
    level = level_of(bench, setting.experiment_id)
    return replace(setting.policy, keep_alpha=level.alpha), level


def _orders(
    bench: Workbench, setting: Setting, wave: Sequence[Run], purse: Purse
) -> list[PairOrder]:
    tasks = {task.id: task for task in setting.tasks}
    counts: dict[str, int] = {}
    for trial in bench.store.experiments.trials(setting.experiment_id):
        counts[trial.task_id] = max(counts.get(trial.task_id, 0), trial.pair + 1)
    orders = []
    for run in wave:
        number = counts.get(run.task_id, 0)
        counts[run.task_id] = number + 1
        orders.append(
            PairOrder(
                experiment_id=setting.experiment_id,
                task=tasks[run.task_id],
                pair=number,
                without=setting.without,
                with_=setting.with_,
                artifact=setting.candidate.artifact,
                seed=_seed(bench, setting, run.task_id, number),
                timeout_s=bench.config.agent.timeout_s,
                budget_usd=purse.per_trial_usd,
                model=bench.config.agent.model,
                arms=run.arms,
            )
        )
    return orders


def _seed(bench: Workbench, setting: Setting, task_id: str, number: int) -> int:
    """Return the same seed for the same text, task and pair, wherever the repository lies."""
    artifact = setting.candidate.artifact
    parts = (bench.config.trials.seed, setting.direction, artifact.key, artifact.digest)
    return int(digest_text(" ".join(map(str, (*parts, task_id, number))))[:12], 16)


def _last_detail(bench: Workbench, setting: Setting) -> str:
    trials = bench.store.experiments.trials(setting.experiment_id)
    return next((trial.detail for trial in reversed(trials) if trial.outcome.missing), "")


def _verdict(bench: Workbench, setting: Setting, ended: Ended) -> Verdict:
    trials = bench.store.experiments.trials(setting.experiment_id)
    pairs = bench.store.experiments.pairs(setting.experiment_id)
    at = now()
    lock = dict(setting.lock)
    if ended.level is not None:
        lock["lifetime"] = asdict(ended.level)
    verdict = verdict_of(setting.direction, ended.judgement, ended.note)
    return replace(
        verdict,
        id=short_id("verdict", setting.experiment_id, str(len(trials)), at),
        candidate_id=setting.candidate.id,
        experiment_id=setting.experiment_id,
        pairs=sum(pair.arms == BOTH for pair in pairs),
        singles=sum(pair.arms != BOTH for pair in pairs),
        lock=lock,
        cost_usd=sum(trial.cost_usd or 0.0 for trial in trials),
        trials=len(trials),
        created_at=at,
    )


def verdict_of(direction: Direction, judgement: Judgement, note: str = "") -> Verdict:
    """Return what a judgement amounts to, without ids: also used to check stored verdicts."""
    del direction
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
        interval=judgement.interval,
    )
