"""What an experiment is run under: its tasks, its policy, and the lock over all of it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any

from cortex.errors import UsageError


class TaskRole(StrEnum):
    """What a task means to an experiment."""

    THEME = "theme"
    """The text was written for it."""
    PROTECTED = "protected"
    """It passed without the text."""
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class TaskSpec:
    """A task of an experiment, as the gate sees it."""

    id: str
    role: TaskRole
    held_out: bool = False
    """The writer of the text never saw it."""
    can_load: bool = True
    """False when the text cannot load on this task; the task is then not run."""


_RATES = (
    *("alpha", "beta", "guard_alpha", "task_alpha", "prune_task_alpha", "alarm"),
    *("tau", "delta", "task_tau", "prune_task_tau"),
)


@dataclass(frozen=True, slots=True)
class Policy:
    """Error rates, effect sizes and spending limits of an experiment."""

    alpha: float = 0.05
    """Type I error of a keep or retain (text that helps on no task), of a prune (text that helps by
    `delta`), and of a burial for harm (text that harms no task)."""
    keep_alpha: float | None = None
    """Level of a keep in place of `alpha`, adjusted for earlier candidates (`online_fdr.level`)."""
    tau: float = 1 / 3
    """Smallest mean drop over the guarded tasks that matters."""
    delta: float = 0.25
    """The smallest mean lift worth having."""
    beta: float = 0.2
    """Type I error of futility: stopping a text that lifts the theme by `delta` or more."""
    guard_alpha: float = 0.12
    """Level at which a mean drop of `tau` over the guarded tasks must be rejected for a keep."""
    task_tau: float = 0.7
    """A drop this large on a guarded task must be rejected at `task_alpha` for a keep."""
    task_alpha: float = 0.05
    prune_task_tau: float = 0.75
    """Help this large on a task must be rejected at `prune_task_alpha` for a prune."""
    prune_task_alpha: float = 0.25
    alarm: float = 0.05
    """Per-task level at which harm on a guarded task buries an addition."""
    max_pairs_per_task: int = 24
    max_pairs_per_old_task: int = 16
    """Limit for a removal; a task still uncleared at the limit makes it undecided."""
    hopeless_after: int = 12
    """Pairs of each target task after which an addition without evidence of a lift is stopped."""
    max_pairs: int = 160

    def __post_init__(self) -> None:
        for name in (*_RATES, "keep_alpha"):
            value = getattr(self, name)
            if value is not None and not 0 < value < 1:
                raise UsageError(f"policy: {name} must be between 0 and 1, not {value}")
        if min(self.max_pairs, self.max_pairs_per_task, self.hopeless_after) < 1:
            raise UsageError("policy: pair limits must be at least 1")

    @property
    def needed(self) -> float:
        """E+ that a keep or retain needs."""
        return 1 / (self.keep_alpha or self.alpha)


@dataclass(frozen=True, slots=True)
class Level:
    """Significance level of a test, adjusted for the tests before it."""

    number: int
    """Position among all tests of additions in the repository, from 1."""
    kept: int
    """Other candidates kept when the level was read."""
    bound: float
    """Bound q of the expected share of false keeps."""
    alpha: float
    """E+ has to reach 1 / alpha."""


@dataclass(frozen=True, slots=True)
class ExperimentLock:
    """Everything that decides the answer of an experiment, fixed before its first trial."""

    specs: tuple[TaskSpec, ...]
    policy: Policy
    """Without `keep_alpha`, which changes with every other keep: see `level`."""
    tasks: Mapping[str, str] = field(default_factory=dict)
    """Task id -> digest of the task."""
    without: str = ""
    """Digest of the harness files of this arm."""
    with_: str = ""
    agent: str = ""
    agent_version: str = ""
    model: str | None = None
    """None: the agent's default."""
    cortex: str = ""
    """Version of Cortex."""
    confined: str = ""
    """What confined an agent that runs commands, such as `bubblewrap`; "" when nothing did."""
    level: Level | None = None
    """Of online FDR, in the lock of an addition's verdict; not part of an experiment's identity."""

    @property
    def judging_policy(self) -> Policy:
        """The policy with the level that a keep had to reach."""
        return replace(self.policy, keep_alpha=self.level.alpha) if self.level else self.policy


def lock_record(lock: ExperimentLock) -> dict[str, Any]:
    """Return a lock as JSON knows it: what is stored, and whose digest names the experiment.

    Never change the form of a lock without a level: stored experiments are found by its digest.
    """
    policy = asdict(lock.policy)
    del policy["keep_alpha"]
    record = {
        "specs": [{**asdict(spec), "role": spec.role.value} for spec in lock.specs],
        "tasks": dict(lock.tasks),
        "without": lock.without,
        "with": lock.with_,
        "agent": lock.agent,
        "agent_version": lock.agent_version,
        "model": lock.model,
        "policy": policy,
        "cortex": lock.cortex,
    }
    confined = {"confined": lock.confined} if lock.confined else {}
    return record | confined | ({"lifetime": asdict(lock.level)} if lock.level else {})


def read_lock(record: object) -> ExperimentLock | None:
    """Return the lock of a stored record; None when this version cannot read it."""
    if not isinstance(record, Mapping):
        return None
    level = record.get("lifetime")
    try:
        return ExperimentLock(
            specs=tuple(
                TaskSpec(**{**spec, "role": TaskRole(spec["role"])}) for spec in record["specs"]
            ),
            policy=Policy(**record["policy"]),
            tasks=dict(record.get("tasks", {})),
            without=str(record.get("without", "")),
            with_=str(record.get("with", "")),
            agent=str(record.get("agent", "")),
            agent_version=str(record.get("agent_version", "")),
            model=record.get("model"),
            cortex=str(record.get("cortex", "")),
            confined=str(record.get("confined", "")),
            level=Level(**level) if level else None,
        )
    except (KeyError, TypeError, ValueError, UsageError):
        return None
