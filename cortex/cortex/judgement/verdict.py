"""What the pairs so far amount to."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import log

from cortex.errors import UsageError
from cortex.judgement import evidence
from cortex.judgement.interval import lift_interval
from cortex.judgement.policy import Direction, Policy, TaskSpec
from cortex.judgement.tally import Cells, Tally, count
from cortex.model.trials import Pair
from cortex.model.verdicts import Ruling, TaskEvidence

PAIRS_BEFORE_UNUSED = 2
"""Of each task, before text that never loaded is called unused."""


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
    diagnosis: str = ""


@dataclass(frozen=True, slots=True)
class State:
    """The numbers that rulings and the choice of the next task rest on."""

    policy: Policy
    tallies: tuple[Tally, ...]
    """Of all tasks that can load the text."""
    target: tuple[Tally, ...]
    """Tasks on which it has to help: the theme's, else all; only where it loaded."""
    pairs: int
    log_lift: float
    log_harm: float
    log_futility: float
    """Against "it helps by delta or more on average over the target"."""

    @property
    def reached(self) -> tuple[Tally, ...]:
        """Tasks in which the text loaded at least once."""
        return tuple(tally for tally in self.tallies if tally.reached)

    @property
    def lift(self) -> float:
        """Mean of the tasks' differences of pass rates."""
        counted = [tally for tally in self.target if tally.pairs]
        if not counted:
            return 0.0
        return sum((t.with_ - t.without) / t.pairs for t in counted) / len(counted)

    @property
    def enough(self) -> float:
        """Threshold of the lift and of harm, as a logarithm."""
        return log(1 / self.policy.alpha)

    def guarded(self, direction: Direction) -> tuple[Tally, ...]:
        """Return tasks that must not get worse by the change.

        For an addition those that passed without, for a removal all that it reaches.
        """
        if direction is Direction.REMOVE:
            return self.reached
        return tuple(
            tally
            for tally in self.reached
            if tally.spec.role == "protected" or 2 * tally.without > tally.pairs
        )

    def is_cleared(self, tally: Tally, direction: Direction) -> bool:
        """Whether a change for the worse of `task_tau` is refuted on one task."""
        gap = self.policy.task_tau
        wanted = log(1 / self.policy.task_alpha)
        sign = -gap if direction is Direction.ADD else gap
        return evidence.log_no_change(tally.cells, sign) >= wanted


def state_of(tasks: Sequence[TaskSpec], pairs: Sequence[Pair], policy: Policy) -> State:
    """Count the pairs and weigh them."""
    if not tasks:
        raise UsageError("an experiment needs at least one task")
    tallies = tuple(count(tasks, pairs).values())
    themed = any(tally.spec.role == "theme" for tally in tallies)
    wanted = [t for t in tallies if t.reached and (t.spec.role == "theme" or not themed)]
    reached = [tally for tally in tallies if tally.reached]
    rounds = _rounds(pairs, {tally.spec.id for tally in wanted})
    return State(
        policy=policy,
        tallies=tallies,
        target=tuple(wanted),
        pairs=len(pairs),
        log_lift=evidence.log_lift(wanted),
        log_harm=evidence.log_harm(reached),
        log_futility=evidence.log_no_mean_change(rounds, policy.delta),
    )


def judge(
    direction: Direction, tasks: Sequence[TaskSpec], pairs: Sequence[Pair], policy: Policy
) -> Judgement:
    """Say what the pairs amount to; a pure function of what was run.

    Raises UsageError for an empty or double task list and for a pair of an unknown task.
    """
    from cortex.judgement.scheduling import next_wave

    state = state_of(tasks, pairs, policy)
    rule = _added if direction is Direction.ADD else _removed
    ruling, why, diagnosis = rule(state)
    if ruling is None and not next_wave(direction, tasks, pairs, policy, 1):
        ruling, why = Ruling.UNDECIDED, "The limit of pairs is reached without enough evidence."
    return Judgement(
        ruling=ruling,
        reason=f"{why} {_numbers(state)}",
        lift=state.lift,
        interval=lift_interval(state.target, policy.alpha),
        e_value=evidence.capped_exp(state.log_lift),
        harm_e_value=evidence.capped_exp(state.log_harm),
        futility_e_value=evidence.capped_exp(state.log_futility),
        loaded=sum(tally.loads + tally.unknown_loads for tally in state.tallies),
        tasks=tuple(_evidence(state, tally, direction) for tally in state.tallies),
        diagnosis=diagnosis,
    )


Found = tuple[Ruling | None, str, str]


def _added(state: State) -> Found:
    if never_loads(state):
        return Ruling.BURY, "It never reached the agent.", "never loaded"
    if state.log_harm >= state.enough:
        return Ruling.BURY, "It makes the agent's work worse.", "harm"
    lifted = state.log_lift >= state.enough and state.lift > 0
    if not lifted and state.log_futility >= log(1 / state.policy.beta):
        said = f"It does not help by {state.policy.delta:.0%} or more."
        return Ruling.BURY, said, "triggered but ignored"
    if lifted and is_safe(state, Direction.ADD) and _held_out_agree(state):
        return Ruling.KEEP, "It helps, and no task got noticeably worse.", ""
    return None, "More pairs are needed.", ""


def _removed(state: State) -> Found:
    if never_loads(state):
        return Ruling.UNUSED, "It never reached the agent, which says nothing about it.", ""
    if state.log_lift >= state.enough and state.lift > 0:
        return Ruling.RETAIN, "It helps: without it the agent's work is worse.", ""
    if state.log_harm >= state.enough:
        return Ruling.PRUNE, "It makes the agent's work worse.", "harm"
    refuted = state.log_futility >= state.enough
    if refuted and state.lift < state.policy.delta and is_safe(state, Direction.REMOVE):
        said = f"It does not help by {state.policy.delta:.0%} or more, and no task needs it."
        return Ruling.PRUNE, said, "dead weight"
    return None, "More pairs are needed.", ""


def is_safe(state: State, direction: Direction) -> bool:
    """Whether every guarded task is cleared and, for an addition, their mean drop refuted."""
    guarded = state.guarded(direction)
    if not all(state.is_cleared(tally, direction) for tally in guarded):
        return False
    if direction is Direction.REMOVE or not guarded:
        return True
    return (
        evidence.log_no_mean_change([t.cells for t in guarded], -state.policy.tau) >= state.enough
    )


def never_loads(state: State) -> bool:
    """Whether the text reached no trial although its tasks ran, or no task can load it."""
    return not state.reached and all(t.run >= PAIRS_BEFORE_UNUSED for t in state.tallies)


def _held_out_agree(state: State) -> bool:
    """Whether the tasks that the writer never saw do not point the other way."""
    unseen = [tally for tally in state.target if tally.spec.held_out]
    return sum(tally.with_ - tally.without for tally in unseen) >= 0


def _rounds(pairs: Sequence[Pair], wanted: set[str]) -> list[Cells]:
    """Count the first m pairs of each wanted task, the same m for all of them."""
    mine: dict[str, list[Pair]] = {name: [] for name in wanted}
    for pair in pairs:
        counts = pair.triggered_without is not False and pair.triggered_with is not False
        if pair.task_id in mine and counts:
            mine[pair.task_id].append(pair)
    least = min(map(len, mine.values()), default=0)
    blank = Tally(TaskSpec("", "other"))
    rounds = []
    for task_pairs in mine.values():
        tally = replace(blank)
        for pair in task_pairs[:least]:
            tally.add(pair)
        rounds.append(tally.cells)
    return rounds


def _numbers(state: State) -> str:
    counted = [tally for tally in state.target if tally.pairs]
    pairs = sum(tally.pairs for tally in counted)
    without, with_ = (sum(t.without for t in counted), sum(t.with_ for t in counted))
    tasks = "task" if len(counted) == 1 else "tasks"
    return (
        f"On {len(counted)} {tasks} it passed {with_} of {pairs} times with the text and "
        f"{without} of {pairs} without."
    )


def _evidence(state: State, tally: Tally, direction: Direction) -> TaskEvidence:
    alarm = evidence.log_harm([tally]) >= state.enough
    cleared = "cleared" if state.is_cleared(tally, direction) else "open"
    return TaskEvidence(
        task_id=tally.spec.id,
        role=tally.spec.role,
        pairs=tally.run,
        without=tally.without,
        with_=tally.with_,
        loads=tally.loads,
        held_out=tally.spec.held_out,
        state="condemned" if alarm else cleared,
    )
