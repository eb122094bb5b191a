"""Everything that decides the answer of an experiment, fixed before its first trial."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from cortex import __version__
from cortex.artifacts import disk, edits, loading
from cortex.artifacts.readers import falls_back_to_agents_file
from cortex.commands.context import Context
from cortex.commands.proposals import admitted
from cortex.digests import digest_value, short_id
from cortex.errors import UsageError
from cortex.judgement import Direction
from cortex.model.artifacts import Candidate, CandidateStatus, ChangeKind
from cortex.model.experiments import ExperimentLock, Policy, TaskRole, TaskSpec, lock_record
from cortex.model.tasks import Task, TaskStatus
from cortex_replay.agents import Agent


@dataclass(frozen=True, slots=True)
class ExperimentPlan:
    """Everything that decides the answer of an experiment."""

    candidate: Candidate
    tasks: tuple[Task, ...]
    specs: tuple[TaskSpec, ...]
    without: Mapping[str, str]
    """Harness files of the arm without: relative path -> text."""
    with_: Mapping[str, str]
    policy: Policy
    lock: ExperimentLock

    @property
    def direction(self) -> Direction:
        """What the candidate does."""
        adds = self.candidate.change is ChangeKind.ADD
        return Direction.ADD if adds else Direction.REMOVE

    @property
    def reads_agents_file(self) -> bool:
        """Whether Claude Code reads `AGENTS.md` in both arms, as in the repository today."""
        adds = self.direction is Direction.ADD
        return falls_back_to_agents_file(self.without if adds else self.with_)

    @property
    def experiment_id(self) -> str:
        """The same for the same lock: evidence is pooled only over equal conditions."""
        return short_id("exp", self.candidate.id, digest_value(lock_record(self.lock)))


def prepare(
    context: Context, candidate: Candidate, agent: Agent, confined: str = ""
) -> ExperimentPlan:
    """Fix tasks, both harnesses and policy of an experiment, with the lock over all of it.

    `confined` is as in the lock.
    """
    tasks = admitted(context)
    if not tasks:
        raise UsageError("no admitted task yet: `cortex tasks` says what is missing")
    files = disk.read_files(context.root)
    artifact = candidate.artifact
    if candidate.change is ChangeKind.ADD:
        without, with_ = files, edits.with_artifact(files, artifact)
    else:
        without, with_ = edits.without_artifact(files, artifact), files
        if without == files:
            raise UsageError(f"{artifact.name}: is not in the harness any more")
    gate_config = context.config.gate
    policy = Policy(
        alpha=gate_config.alpha,
        tau=gate_config.tau,
        delta=gate_config.delta,
        max_pairs=max(1, context.config.trials.max_trials // 2),
    )
    specs = tuple(_spec(candidate, task) for task in tasks)
    lock = ExperimentLock(
        specs=specs,
        policy=policy,
        tasks={task.id: _task_digest(task) for task in tasks},
        without=digest_value(dict(without)),
        with_=digest_value(dict(with_)),
        agent=agent.name,
        agent_version=agent.version(),
        model=context.config.agent.model,
        cortex=__version__,
        confined=confined,
    )
    return ExperimentPlan(candidate, tasks, specs, without, with_, policy, lock)


def check_unpurged(context: Context, plan: ExperimentPlan) -> None:
    """Raise UsageError when the candidate or a task was purged since the plan was made.

    Inside of a transaction: a purge finds an experiment that was opened before it.
    """
    store = context.store
    candidate = store.candidates.get(plan.candidate.id)
    gone = candidate is None or candidate.status is CandidateStatus.PURGED
    if gone or any(store.tasks.status(task.id) is not TaskStatus.ADMITTED for task in plan.tasks):
        raise UsageError(f"{plan.candidate.id}: one of its tasks was purged; run it again")


def _spec(candidate: Candidate, task: Task) -> TaskSpec:
    about = task.id in candidate.task_ids
    return TaskSpec(
        id=task.id,
        role=TaskRole.THEME if about else TaskRole.OTHER,
        held_out=about and bool(candidate.seen_task_ids) and task.id not in candidate.seen_task_ids,
        can_load=loading.could_load(candidate.artifact, task.paths),
    )


def _task_digest(task: Task) -> str:
    record = asdict(task)
    for volatile in ("status", "reason", "created_at", "held_out", "theme_id"):
        record.pop(volatile)
    return digest_value(record)
