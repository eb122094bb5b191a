"""What is judged, and with which error rates and limits."""

from dataclasses import dataclass
from enum import StrEnum

from cortex.errors import UsageError

ROLES = ("theme", "protected", "other")


class Direction(StrEnum):
    """What the candidate does to the harness.

    Adding and removing: `with` means with the artifact. Rescoping and merging exchange text for
    other text: `without` is the harness before, `with` after, and loading is that of either text.
    """

    ADD = "add"
    REMOVE = "remove"
    RESCOPE = "rescope"
    MERGE = "merge"

    @property
    def exchanges(self) -> bool:
        """Whether text is replaced, so that nothing has to get better, only nothing worse."""
        return self in (Direction.RESCOPE, Direction.MERGE)


@dataclass(frozen=True, slots=True)
class TaskSpec:
    """One task of an experiment, as the gate sees it."""

    id: str
    role: str
    """`theme`: the text is about it. `protected`: it passed without. `other`: anything else."""
    held_out: bool = False
    """The writer of the text never saw it."""
    can_load: bool = True
    """False when the text cannot reach the model on this task: it is never run."""

    def __post_init__(self) -> None:
        if self.role not in ROLES:
            raise UsageError(f"task {self.id}: role {self.role!r} is none of {', '.join(ROLES)}")


_RATES = (
    *("alpha", "beta", "guard_alpha", "task_alpha", "prune_task_alpha", "alarm"),
    *("tau", "delta", "task_tau", "prune_task_tau"),
)


@dataclass(frozen=True, slots=True)
class Policy:
    """Error rates, effect sizes and spending limits of one experiment."""

    alpha: float = 0.05
    """Chance to keep (or retain) text that helps on no task; to prune text that helps by `delta`;
    to bury text as harmful that harms no task."""
    keep_alpha: float | None = None
    """What a keep needs instead of `alpha`, because of earlier candidates (`lifetime.level`)."""
    tau: float = 1 / 3
    """A mean drop over the guarded tasks that is noticeable."""
    delta: float = 0.25
    """The smallest mean lift worth having."""
    beta: float = 0.2
    """Chance to give up a text that lifts the theme by exactly `delta` (larger lifts: less)."""
    guard_alpha: float = 0.12
    """Rate at which a mean drop of `tau` over the guarded tasks must be refuted for a keep."""
    task_tau: float = 0.7
    """A drop this large on one guarded task must be refuted at `task_alpha` for a keep."""
    task_alpha: float = 0.05
    prune_task_tau: float = 0.75
    """Help this large on one task must be refuted at `prune_task_alpha` for a prune."""
    prune_task_alpha: float = 0.25
    alarm: float = 0.05
    """A guarded task whose own harm is shown at this rate ends an addition."""
    max_pairs_per_task: int = 24
    max_pairs_per_old_task: int = 16
    """Of a removal: one task that stays unclear decides that nothing is removed."""
    hopeless_after: int = 12
    """Pairs of each target task after which an addition that shows no promise is given up."""
    max_pairs: int = 160

    def __post_init__(self) -> None:
        for name in (*_RATES, "keep_alpha"):
            value = getattr(self, name)
            if value is not None and not 0 < value < 1:
                raise UsageError(f"policy: {name} must lie between 0 and 1, not {value}")
        if min(self.max_pairs, self.max_pairs_per_task, self.hopeless_after) < 1:
            raise UsageError("policy: limits of pairs must be at least 1")
