"""Trials, pairs and what they say."""

from dataclasses import dataclass, field
from enum import StrEnum

from cortex.model.tasks import CheckResult


class Arm(StrEnum):
    """`without` or `with` the artifact: the same two words for adding and for removing."""

    WITHOUT = "without"
    WITH = "with"


BOTH = (Arm.WITHOUT, Arm.WITH)
"""The arms of a pair."""


class Outcome(StrEnum):
    """How a trial ended. The last three are missing: never evidence."""

    PASS = "pass"
    FAIL = "fail"
    TIMEOUT = "timeout"
    INFRA = "infra"
    BUDGET = "budget"
    CONTAMINATED = "contaminated"

    @property
    def missing(self) -> bool:
        """Whether the trial is no evidence about the artifact."""
        return self in (Outcome.INFRA, Outcome.BUDGET, Outcome.CONTAMINATED)

    @property
    def passed(self) -> bool:
        """Whether all checks held; a timeout is a fail."""
        return self is Outcome.PASS


@dataclass(frozen=True, slots=True)
class Trial:
    """One run of the agent on a task in an arm, in its own workspace."""

    id: str
    experiment_id: str
    task_id: str
    pair: int
    """Number of the pair within its task, from 0; a retried trial keeps it."""
    arm: Arm
    outcome: Outcome
    offered: bool | None = None
    triggered: bool | None = None
    loaded: bool | None = None
    """Whether the artifact's text reached the model; None when the agent cannot tell."""
    seconds: float = 0.0
    cost_usd: float | None = None
    """The agent's own figure; None when it reported none."""
    input_tokens: int = 0
    output_tokens: int = 0
    checks: tuple[CheckResult, ...] = ()
    detail: str = ""
    started_at: str = ""
    changed: dict[str, str | None] = field(default_factory=dict)
    """Outputs: relative path -> content after the trial for each file that it changed."""
    commands: tuple[str, ...] = ()
    alone: bool = False
    """Single-arm by design, not half of a pair."""


@dataclass(frozen=True, slots=True)
class Pair:
    """One valid trial of each arm of a task, reduced to what the gate reads.

    A single-arm trial is a pair whose other outcome is None.
    """

    task_id: str
    without: bool | None
    with_: bool | None
    loaded: bool | None
    """Whether the text loaded in the *with* trial; False where that arm was not run."""
    triggered_without: bool | None = None
    triggered_with: bool | None = None

    @property
    def arms(self) -> tuple[Arm, ...]:
        """What was run."""
        if self.without is None:
            return (Arm.WITH,)
        return BOTH if self.with_ is not None else (Arm.WITHOUT,)


@dataclass(frozen=True, slots=True)
class Run:
    """What the gate wants to be run next on a task."""

    task_id: str
    arms: tuple[Arm, ...] = BOTH
    """Both: a pair, back to back. One: a trial alone."""
