"""Verdicts: the product of Cortex."""

from dataclasses import dataclass
from enum import StrEnum

from cortex.model.experiments import ExperimentLock, Policy, TaskRole


class Ruling(StrEnum):
    """The words of a verdict."""

    KEEP = "keep"
    BURY = "bury"
    PRUNE = "prune"
    RETAIN = "retain"
    UNUSED = "unused"
    UNDECIDED = "undecided"


class Diagnosis(StrEnum):
    """Why the gate ruled as it did, for programs; the reason says it for a person."""

    NONE = ""
    NEVER_LOADED = "never loaded"
    HARM = "harm"
    NO_EFFECT = "triggered but ignored"
    """An addition that loads and does not help."""
    DEAD_WEIGHT = "dead weight"
    """Existing text that loads, does not help, and that no task needs."""


class HarmState(StrEnum):
    """What is known of harm that a text does on a task."""

    OPEN = "open"
    CLEARED = "cleared"
    CONDEMNED = "condemned"


@dataclass(frozen=True, slots=True)
class TaskEvidence:
    """The pairs of a task, counted."""

    task_id: str
    role: TaskRole
    pairs: int
    without: int
    """Passes without."""
    with_: int
    """Passes with."""
    loads: int
    held_out: bool = False
    state: HarmState = HarmState.OPEN
    without_alone: tuple[int, int] = (0, 0)
    """Of trials without that were run alone, beside the pairs: passed, and run."""
    with_alone: tuple[int, int] = (0, 0)
    """The same of trials with."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the gate said about a candidate, with all that it rests on."""

    id: str
    candidate_id: str
    experiment_id: str
    ruling: Ruling
    reason: str
    """Two sentences for a person."""
    pairs: int
    lift: float
    """Mean pass rate with minus without, over the pairs that count."""
    e_value: float
    """E+, the evidence that the text helps; `1/alpha` is enough."""
    harm_e_value: float
    futility_e_value: float
    loaded: int
    """Trials in which the text reached the model."""
    tasks: tuple[TaskEvidence, ...]
    lock: ExperimentLock | None = None
    """What it was measured under; None when this version cannot read it."""
    cost_usd: float = 0.0
    trials: int = 0
    created_at: str = ""
    diagnosis: Diagnosis = Diagnosis.NONE
    single_arm: int = 0
    """Single-arm trials, beside the pairs."""
    interval: tuple[float, float] = (-1.0, 1.0)
    """For the lift, valid at any stopping time."""

    @property
    def needed(self) -> float:
        """E+ that a keep or retain needed; of a lock that cannot be read the default."""
        return (self.lock.judging_policy if self.lock else Policy()).needed
