"""What would change a verdict: the gate itself, run on hypothetical further trials."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from cortex.judgement.policy import Direction
from cortex.judgement.reversal import LOOKAHEAD, Reversal, find_reversal
from cortex.judgement.state import GateState, gate_state
from cortex.judgement.verdict import Judgement, judge
from cortex.model.experiments import Policy, TaskRole, TaskSpec
from cortex.model.trials import BOTH, Arm, Pair, Run
from cortex.model.verdicts import HarmState, Ruling

STRICTER = 5
"""Factor by which error rates are divided for the robustness check."""

OPEN_RULINGS = (None, Ruling.UNDECIDED)
"""Rulings that further trials may change without contradicting a decision."""


class Scenario(StrEnum):
    """An assumption about the outcome of all further runs."""

    HELPS = "helps"
    """Passes with the text, fails without; tasks outside of the target pass in both arms."""
    SAME = "same"
    """Both arms repeat the last outcome on the same task."""
    HURTS = "hurts"
    """Fails with the text, passes without."""
    NEVER_LOADS = "never loads"
    """Passes in both arms without loading the text; only while it has not loaded."""


@dataclass(frozen=True, slots=True)
class Projection:
    """The ruling that the gate would reach in a scenario."""

    scenario: Scenario
    runs: int
    """Pairs or single-arm trials until the ruling."""
    discordant: int
    """Those of them that are discordant pairs: passed in exactly one arm."""
    ruling: Ruling | None
    """None: still open after LOOKAHEAD runs, or no more runs are possible."""


@dataclass(frozen=True, slots=True)
class UnclearedTask:
    """A guarded task whose drop is not rejected yet, which blocks a ruling."""

    task_id: str
    arms: tuple[Arm, ...]
    """The arms that the gate runs next."""
    passes_to_clear: int | None
    """Further runs of these arms, all passed, that clear it; None: more than LOOKAHEAD."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """How firm a verdict is: what further trials would change."""

    projections: tuple[Projection, ...]
    """Of an open or undecided experiment."""
    uncleared: tuple[UnclearedTask, ...]
    """Of an open experiment with enough evidence on its target: the tasks that block a ruling."""
    reversal: Reversal | None
    """Of a decided experiment; None: more than LOOKAHEAD contrary pairs, or open."""
    stricter_alpha: float
    stricter_keep: float
    """E+ threshold of a keep at `stricter_alpha`."""
    stricter_ruling: Ruling | None
    """The ruling at `stricter_alpha`; None: open."""


def outlook(
    direction: Direction, tasks: Sequence[TaskSpec], pairs: Sequence[Pair], policy: Policy
) -> Outlook:
    """Return what would change the ruling. Raises what `judge` raises."""
    current = judge(direction, tasks, pairs, policy)
    strict = _stricter(policy)
    strict_ruling = judge(direction, tasks, pairs, strict).ruling
    is_open = current.ruling in OPEN_RULINGS
    extended = _extend_limits(policy, len(pairs))
    state = gate_state(tasks, pairs, policy, direction)
    return Outlook(
        projections=tuple(_projections(direction, tasks, pairs, extended, state))
        if is_open
        else (),
        uncleared=_uncleared(direction, tasks, pairs, extended, state) if is_open else (),
        reversal=None if is_open else find_reversal(direction, tasks, pairs, policy, current),
        stricter_alpha=strict.alpha,
        stricter_keep=1 / (strict.keep_alpha or strict.alpha),
        stricter_ruling=None if strict_ruling in OPEN_RULINGS else strict_ruling,
    )


def _stricter(policy: Policy) -> Policy:
    keep = policy.keep_alpha / STRICTER if policy.keep_alpha else None
    return replace(policy, alpha=policy.alpha / STRICTER, keep_alpha=keep)


def _extend_limits(policy: Policy, runs: int) -> Policy:
    """Return a policy whose limits leave room for LOOKAHEAD more runs.

    A task may already be beyond its limit (`hopeless_after`, after a promising start), so limits
    are raised from the number of runs so far.
    """
    names = ("max_pairs", "max_pairs_per_task", "max_pairs_per_old_task", "hopeless_after")
    limits = {name: max(getattr(policy, name), runs) + LOOKAHEAD for name in names}
    return replace(policy, **limits)


def _projections(
    direction: Direction,
    tasks: Sequence[TaskSpec],
    pairs: Sequence[Pair],
    policy: Policy,
    state: GateState,
) -> Iterator[Projection]:
    for scenario in Scenario:
        if scenario is not Scenario.NEVER_LOADS or not state.loaded_tasks:
            yield _project(scenario, direction, tasks, pairs, policy)


def _project(
    scenario: Scenario,
    direction: Direction,
    tasks: Sequence[TaskSpec],
    pairs: Sequence[Pair],
    policy: Policy,
) -> Projection:
    extended = list(pairs)
    themed = not direction.exchanges and any(task.role is TaskRole.THEME for task in tasks)
    target = {task.id for task in tasks if task.role is TaskRole.THEME or not themed}
    discordant = 0
    for runs in range(LOOKAHEAD + 1):
        judgement = judge(direction, tasks, extended, policy)
        if judgement.ruling not in OPEN_RULINGS:
            return Projection(scenario, runs, discordant, judgement.ruling)
        if not judgement.batch or runs == LOOKAHEAD:
            break
        pair = _assumed_pair(scenario, judgement.batch[0], extended, target)
        extended.append(pair)
        discordant += pair.arms == BOTH and pair.without is not pair.with_
    return Projection(scenario, len(extended) - len(pairs), discordant, None)


def _assumed_pair(scenario: Scenario, run: Run, pairs: Sequence[Pair], target: set[str]) -> Pair:
    without, with_ = True, True
    if scenario is Scenario.HELPS and run.task_id in target:
        without = False
    elif scenario is Scenario.HURTS:
        with_ = False
    elif scenario is Scenario.SAME:
        without = with_ = _last_outcome(run.task_id, pairs)
    return Pair(
        run.task_id,
        without if Arm.WITHOUT in run.arms else None,
        with_ if Arm.WITH in run.arms else None,
        Arm.WITH in run.arms and scenario is not Scenario.NEVER_LOADS,
    )


def _last_outcome(task_id: str, pairs: Sequence[Pair]) -> bool:
    for pair in reversed(pairs):
        if pair.task_id == task_id:
            return bool(pair.without if pair.without is not None else pair.with_)
    return True


def _uncleared(
    direction: Direction,
    tasks: Sequence[TaskSpec],
    pairs: Sequence[Pair],
    policy: Policy,
    state: GateState,
) -> tuple[UnclearedTask, ...]:
    """Return the guarded tasks that are not cleared, once the target has enough evidence."""
    if not _target_decided(direction, state):
        return ()
    open_ids = [
        counts.spec.id
        for counts in state.guarded(direction)
        if not state.is_cleared(counts, direction)
    ]
    batch = judge(direction, tasks, pairs, policy, len(tasks)).batch
    arms = {run.task_id: run.arms for run in batch}
    default_arms = batch[0].arms if batch else BOTH
    runs = [Run(task_id, arms.get(task_id, default_arms)) for task_id in open_ids]
    passes: dict[str, int] = {}
    extended = list(pairs)
    for count in range(1, LOOKAHEAD + 1):
        extended += [_passing_pair(run) for run in runs if run.task_id not in passes]
        judgement: Judgement = judge(direction, tasks, extended, policy)
        cleared = {task.task_id for task in judgement.tasks if task.state is HarmState.CLEARED}
        passes |= {task_id: count for task_id in open_ids if task_id in cleared - passes.keys()}
        if len(passes) == len(open_ids):
            break
    return tuple(UnclearedTask(run.task_id, run.arms, passes.get(run.task_id)) for run in runs)


def _passing_pair(run: Run) -> Pair:
    with_ = Arm.WITH in run.arms
    return Pair(run.task_id, True if Arm.WITHOUT in run.arms else None, with_ or None, with_)


def _target_decided(direction: Direction, state: GateState) -> bool:
    """Whether only uncleared guarded tasks can still block a keep or a prune."""
    if direction is Direction.ADD:
        return state.log_lift >= state.log_keep_threshold and state.lift > 0
    if direction is Direction.REMOVE:
        return state.log_futility >= state.log_threshold and state.lift < state.policy.delta
    return state.log_no_loss >= state.log_threshold
