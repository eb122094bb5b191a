"""The verdict on the pairs so far."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from cortex.judgement.counts import Counts
from cortex.judgement.evidence import capped_exp
from cortex.judgement.interval import lift_interval
from cortex.judgement.policy import Direction
from cortex.judgement.scheduling import choose_batch
from cortex.judgement.state import GateState, gate_state, is_safe, never_loads
from cortex.model.experiments import Policy, TaskSpec
from cortex.model.trials import Pair, Run
from cortex.model.verdicts import Diagnosis, HarmState, Ruling, TaskEvidence


@dataclass(frozen=True, slots=True)
class Judgement:
    """The state of an experiment after some pairs."""

    ruling: Ruling | None
    """None: continue."""
    reason: str
    """Two sentences for a person."""
    lift: float
    """Mean over the target tasks of the pass rate with minus without."""
    interval: tuple[float, float]
    """Of the lift, valid at any stopping time."""
    e_value: float
    harm_e_value: float
    futility_e_value: float
    loaded: int
    """Trials in which the text loaded, or may have."""
    tasks: tuple[TaskEvidence, ...]
    diagnosis: Diagnosis = Diagnosis.NONE
    batch: tuple[Run, ...] = ()
    """The next runs while the ruling is open, as from `next_batch`."""


def judge(
    direction: Direction,
    tasks: Sequence[TaskSpec],
    pairs: Sequence[Pair],
    policy: Policy,
    width: int = 1,
) -> Judgement:
    """Return the verdict on the pairs, a pure function of what was run.

    `width` is the number of parallel runs in the next batch.
    Raises ValueError for an empty task list, a task listed twice, and a pair of an unknown task.
    """
    state = gate_state(tasks, pairs, policy, direction)
    ruling, reason, diagnosis = _RULES[direction](state)
    batch = choose_batch(state, direction, width) if ruling is None else ()
    if ruling is None and not batch:
        ruling, reason = Ruling.UNDECIDED, "The pair limit was reached without enough evidence."
    return Judgement(
        ruling=ruling,
        reason=f"{reason} {_pass_counts(state)}".rstrip(),
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


def _judge_addition(state: GateState) -> Decision:
    if never_loads(state):
        return Ruling.BURY, "It never loaded.", Diagnosis.NEVER_LOADED
    if not state.loaded_tasks:
        return None, "It has not loaded yet.", Diagnosis.NONE
    if state.log_harm >= state.log_threshold:
        return Ruling.BURY, "It makes the agent's work worse.", Diagnosis.HARM
    condemned = next((t for t in state.guarded(Direction.ADD) if state.is_condemned(t)), None)
    if condemned is not None:
        return (
            Ruling.BURY,
            f"It breaks {condemned.spec.id}, which passes without it.",
            Diagnosis.HARM,
        )
    lifted = state.log_lift >= state.log_keep_threshold and state.lift > 0
    if not lifted and state.log_futility >= log(1 / state.policy.beta):
        reason = f"It does not help by {state.policy.delta:.0%} or more."
        return Ruling.BURY, reason, Diagnosis.NO_EFFECT
    if lifted and is_safe(state, Direction.ADD) and _held_out_agree(state):
        return Ruling.KEEP, "It helps, and no task got noticeably worse.", Diagnosis.NONE
    return None, "More pairs are needed.", Diagnosis.NONE


def _judge_removal(state: GateState) -> Decision:
    if never_loads(state):
        return (
            Ruling.UNUSED,
            "It never loaded, so there is no evidence for or against it.",
            Diagnosis.NONE,
        )
    if not state.loaded_tasks:
        return None, "It has not loaded yet.", Diagnosis.NONE
    if state.log_lift >= state.log_threshold and state.lift > 0:
        reason = "It helps: without it the agent's work is worse."
        return Ruling.RETAIN, reason, Diagnosis.NONE
    if state.log_harm >= state.log_threshold:
        return Ruling.PRUNE, "It makes the agent's work worse.", Diagnosis.HARM
    refuted = state.log_futility >= state.log_threshold
    if refuted and state.lift < state.policy.delta and is_safe(state, Direction.REMOVE):
        reason = f"It does not help by {state.policy.delta:.0%} or more, and no task needs it."
        return Ruling.PRUNE, reason, Diagnosis.DEAD_WEIGHT
    return None, "More pairs are needed.", Diagnosis.NONE


def _judge_exchange(state: GateState) -> Decision:
    if never_loads(state):
        return Ruling.BURY, "Neither text ever loaded.", Diagnosis.NEVER_LOADED
    if not state.loaded_tasks:
        return None, "It has not loaded yet.", Diagnosis.NONE
    if state.log_harm >= state.log_threshold:
        return Ruling.BURY, "It makes the agent's work worse.", Diagnosis.HARM
    guarded = state.guarded(Direction.MERGE)
    condemned = next((t for t in guarded if state.is_condemned(t, len(guarded))), None)
    if condemned is not None:
        return (
            Ruling.BURY,
            f"It breaks {condemned.spec.id}, which passes before it.",
            Diagnosis.HARM,
        )
    if state.log_no_loss >= state.log_threshold and is_safe(state, Direction.MERGE):
        reason = (
            f"It does not cost {state.policy.delta:.0%} or more, and no task got noticeably worse."
        )
        return Ruling.KEEP, reason, Diagnosis.NONE
    return None, "More pairs are needed.", Diagnosis.NONE


_RULES = {
    Direction.ADD: _judge_addition,
    Direction.REMOVE: _judge_removal,
    Direction.RESCOPE: _judge_exchange,
    Direction.MERGE: _judge_exchange,
}


def _held_out_agree(state: GateState) -> bool:
    """Whether the net change on the tasks that the writer never saw is not negative."""
    held_out = [counts for counts in state.target if counts.spec.held_out]
    return sum(counts.passes_with - counts.passes_without for counts in held_out) >= 0


def _pass_counts(state: GateState) -> str:
    counted = [counts for counts in state.target if counts.pairs]
    if not counted:
        return ""
    pairs = sum(counts.pairs for counts in counted)
    without, with_ = (sum(t.passes_without for t in counted), sum(t.passes_with for t in counted))
    tasks = "task" if len(counted) == 1 else "tasks"
    return (
        f"On {len(counted)} {tasks} it passed {with_} of {pairs} times with the text and "
        f"{without} of {pairs} without."
    )


def _evidence(state: GateState, counts: Counts, direction: Direction) -> TaskEvidence:
    cleared = HarmState.CLEARED if state.is_cleared(counts, direction) else HarmState.OPEN
    return TaskEvidence(
        task_id=counts.spec.id,
        role=counts.spec.role,
        pairs=counts.pairs + counts.untriggered,
        without=counts.passes_without,
        with_=counts.passes_with,
        loads=counts.loads,
        held_out=counts.spec.held_out,
        state=HarmState.CONDEMNED if state.is_condemned(counts) else cleared,
        without_alone=(counts.without_passed, counts.without_passed + counts.without_failed),
        with_alone=(counts.with_passed, counts.with_passed + counts.with_failed),
    )
