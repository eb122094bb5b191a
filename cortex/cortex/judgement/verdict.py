"""What the pairs so far amount to."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from cortex.judgement.counts import Counts
from cortex.judgement.evidence import capped_exp
from cortex.judgement.interval import lift_interval
from cortex.judgement.policy import Direction
from cortex.judgement.scheduling import choose
from cortex.judgement.state import State, is_safe, never_loads, state_of
from cortex.model.experiments import Policy, TaskSpec
from cortex.model.trials import Pair, Run
from cortex.model.verdicts import Diagnosis, HarmState, Ruling, TaskEvidence


@dataclass(frozen=True, slots=True)
class Judgement:
    """The state of an experiment after some pairs."""

    ruling: Ruling | None
    """None: go on."""
    reason: str
    """Two sentences for a person."""
    lift: float
    """Mean over the target tasks of the pass rate with minus without."""
    interval: tuple[float, float]
    """For the lift, valid at any stopping time."""
    e_value: float
    harm_e_value: float
    futility_e_value: float
    loaded: int
    """Trials in which the text reached the model, or may have."""
    tasks: tuple[TaskEvidence, ...]
    diagnosis: Diagnosis = Diagnosis.NONE
    batch: tuple[Run, ...] = ()
    """What to run next while the ruling is open, as `next_batch` says."""


def judge(
    direction: Direction,
    tasks: Sequence[TaskSpec],
    pairs: Sequence[Pair],
    policy: Policy,
    width: int = 1,
) -> Judgement:
    """Say what the pairs amount to; a pure function of what was run.

    `width` is the number of runs beside each other in the next wave.
    Raises UsageError for an empty or double task list and for a pair of an unknown task.
    """
    state = state_of(tasks, pairs, policy, direction)
    ruling, why, diagnosis = _RULES[direction](state)
    batch = choose(state, direction, width) if ruling is None else ()
    if ruling is None and not batch:
        ruling, why = Ruling.UNDECIDED, "The limit of pairs is reached without enough evidence."
    return Judgement(
        ruling=ruling,
        reason=f"{why} {_numbers(state)}".rstrip(),
        lift=state.lift,
        interval=lift_interval(state.target, policy.alpha),
        e_value=capped_exp(state.log_lift),
        harm_e_value=capped_exp(state.log_harm),
        futility_e_value=capped_exp(state.log_futility),
        loaded=sum(counts.loads + counts.unknown_loads for counts in state.task_counts),
        tasks=tuple(_evidence(state, counts, direction) for counts in state.task_counts),
        diagnosis=diagnosis,
        batch=batch,
    )


Decision = tuple[Ruling | None, str, Diagnosis]


def _added(state: State) -> Decision:
    if never_loads(state):
        return Ruling.BURY, "It never reached the agent.", Diagnosis.NEVER_LOADED
    if not state.reached:
        return None, "It has not reached the agent yet.", Diagnosis.NONE
    if state.log_harm >= state.enough:
        return Ruling.BURY, "It makes the agent's work worse.", Diagnosis.HARM
    condemned = next((t for t in state.guarded(Direction.ADD) if state.is_condemned(t)), None)
    if condemned is not None:
        return (
            Ruling.BURY,
            f"It breaks {condemned.spec.id}, which passes without it.",
            Diagnosis.HARM,
        )
    lifted = state.log_lift >= state.enough_to_keep and state.lift > 0
    if not lifted and state.log_futility >= log(1 / state.policy.beta):
        said = f"It does not help by {state.policy.delta:.0%} or more."
        return Ruling.BURY, said, Diagnosis.NO_EFFECT
    if lifted and is_safe(state, Direction.ADD) and _held_out_agree(state):
        return Ruling.KEEP, "It helps, and no task got noticeably worse.", Diagnosis.NONE
    return None, "More pairs are needed.", Diagnosis.NONE


def _removed(state: State) -> Decision:
    if never_loads(state):
        return (
            Ruling.UNUSED,
            "It never reached the agent, which says nothing about it.",
            Diagnosis.NONE,
        )
    if not state.reached:
        return None, "It has not reached the agent yet.", Diagnosis.NONE
    if state.log_lift >= state.enough and state.lift > 0:
        said = "It helps: without it the agent's work is worse."
        return Ruling.RETAIN, said, Diagnosis.NONE
    if state.log_harm >= state.enough:
        return Ruling.PRUNE, "It makes the agent's work worse.", Diagnosis.HARM
    refuted = state.log_futility >= state.enough
    if refuted and state.lift < state.policy.delta and is_safe(state, Direction.REMOVE):
        said = f"It does not help by {state.policy.delta:.0%} or more, and no task needs it."
        return Ruling.PRUNE, said, Diagnosis.DEAD_WEIGHT
    return None, "More pairs are needed.", Diagnosis.NONE


def _exchanged(state: State) -> Decision:
    if never_loads(state):
        return Ruling.BURY, "Neither text ever reached the agent.", Diagnosis.NEVER_LOADED
    if not state.reached:
        return None, "It has not reached the agent yet.", Diagnosis.NONE
    if state.log_harm >= state.enough:
        return Ruling.BURY, "It makes the agent's work worse.", Diagnosis.HARM
    guarded = state.guarded(Direction.MERGE)
    condemned = next((t for t in guarded if state.is_condemned(t, len(guarded))), None)
    if condemned is not None:
        return (
            Ruling.BURY,
            f"It breaks {condemned.spec.id}, which passes before it.",
            Diagnosis.HARM,
        )
    if state.log_no_loss >= state.enough and is_safe(state, Direction.MERGE):
        said = (
            f"It does not cost {state.policy.delta:.0%} or more, and no task got noticeably worse."
        )
        return Ruling.KEEP, said, Diagnosis.NONE
    return None, "More pairs are needed.", Diagnosis.NONE


_RULES = {
    Direction.ADD: _added,
    Direction.REMOVE: _removed,
    Direction.RESCOPE: _exchanged,
    Direction.MERGE: _exchanged,
}


def _held_out_agree(state: State) -> bool:
    """Whether the tasks that the writer never saw do not point the other way."""
    unseen = [counts for counts in state.target if counts.spec.held_out]
    return sum(counts.with_ - counts.without for counts in unseen) >= 0


def _numbers(state: State) -> str:
    counted = [counts for counts in state.target if counts.pairs]
    if not counted:
        return ""
    pairs = sum(counts.pairs for counts in counted)
    without, with_ = (sum(t.without for t in counted), sum(t.with_ for t in counted))
    tasks = "task" if len(counted) == 1 else "tasks"
    return (
        f"On {len(counted)} {tasks} it passed {with_} of {pairs} times with the text and "
        f"{without} of {pairs} without."
    )


def _evidence(state: State, counts: Counts, direction: Direction) -> TaskEvidence:
    cleared = HarmState.CLEARED if state.is_cleared(counts, direction) else HarmState.OPEN
    return TaskEvidence(
        task_id=counts.spec.id,
        role=counts.spec.role,
        pairs=counts.pairs + counts.untriggered,
        without=counts.without,
        with_=counts.with_,
        loads=counts.loads,
        held_out=counts.spec.held_out,
        state=HarmState.CONDEMNED if state.is_condemned(counts) else cleared,
        without_alone=(counts.without_passed, counts.without_passed + counts.without_failed),
        with_alone=(counts.with_passed, counts.with_passed + counts.with_failed),
    )
