"""What would change a verdict: the shipping gate, run on further trials that did not happen yet."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from cortex.judgement.policy import Direction
from cortex.judgement.reversal import FURTHER, Reversal, undoing
from cortex.judgement.state import State, state_of
from cortex.judgement.verdict import Judgement, judge
from cortex.model.experiments import Policy, TaskRole, TaskSpec
from cortex.model.trials import BOTH, Arm, Pair, Run
from cortex.model.verdicts import HarmState, Ruling

STRICTER = 5
"""A verdict is tried at error rates so many times smaller."""

OPEN = (None, Ruling.UNDECIDED)
"""Rulings that further trials may still decide."""


class Course(StrEnum):
    """How all further runs turn out."""

    HELPS = "helps"
    """Passes with the text, fails without; tasks that it was not made for pass in both arms."""
    SAME = "same"
    """Like the run before on the same task, in both arms alike."""
    HURTS = "hurts"
    """Fails with the text, passes without."""
    SILENT = "silent"
    """Passes in both arms, and the text never loads; only where it has not loaded yet."""


@dataclass(frozen=True, slots=True)
class Future:
    """Where one course leads."""

    course: Course
    runs: int
    """Pairs, or trials of one arm, until the ruling."""
    telling: int
    """Those of them that are pairs in which one arm passes and the other fails."""
    ruling: Ruling | None
    """None: still open after FURTHER runs, or nothing more can run."""


@dataclass(frozen=True, slots=True)
class Unclear:
    """A guarded task that stands between the evidence and a ruling."""

    task_id: str
    arms: tuple[Arm, ...]
    """What the gate runs on it next."""
    clean: int | None
    """Further such runs, all passed, that clear it; None: more than FURTHER."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What the verdict rests on, seen from what could come."""

    futures: tuple[Future, ...]
    """Of an open or undecided experiment."""
    unclear: tuple[Unclear, ...]
    """Of an open one whose target has shown enough: what is still in the way."""
    undoing: Reversal | None
    """Of a ruling: the fewest contrary pairs after which it would not be given; None: it takes
    more than FURTHER, or it is open anyway."""
    stricter_alpha: float
    stricter_keep: float
    """E+ that a keep needs at `stricter_alpha`."""
    stricter: Ruling | None
    """The ruling at `stricter_alpha`; None: open."""


def outlook(
    direction: Direction, tasks: Sequence[TaskSpec], pairs: Sequence[Pair], policy: Policy
) -> Outlook:
    """Return what would change the ruling. Raises what `judge` raises."""
    now = judge(direction, tasks, pairs, policy)
    strict = _stricter(policy)
    at_strict = judge(direction, tasks, pairs, strict).ruling
    open_now = now.ruling in OPEN
    wide = _wider(policy, len(pairs))
    state = state_of(tasks, pairs, policy, direction)
    return Outlook(
        futures=tuple(_futures(direction, tasks, pairs, wide, state)) if open_now else (),
        unclear=_unclear(direction, tasks, pairs, wide, state) if open_now else (),
        undoing=None if open_now else undoing(direction, tasks, pairs, policy, now),
        stricter_alpha=strict.alpha,
        stricter_keep=1 / (strict.keep_alpha or strict.alpha),
        stricter=None if at_strict in OPEN else at_strict,
    )


def _stricter(policy: Policy) -> Policy:
    keep = policy.keep_alpha / STRICTER if policy.keep_alpha else None
    return replace(policy, alpha=policy.alpha / STRICTER, keep_alpha=keep)


def _wider(policy: Policy, run: int) -> Policy:
    """Return a policy whose limits leave room for the runs that are looked ahead.

    A task may be beyond its limit already (`hopeless_after`, after a promising start), so the room
    begins at what was run.
    """
    names = ("max_pairs", "max_pairs_per_task", "max_pairs_per_old_task", "hopeless_after")
    room = {name: max(getattr(policy, name), run) + FURTHER for name in names}
    return replace(policy, **room)


def _futures(
    direction: Direction,
    tasks: Sequence[TaskSpec],
    pairs: Sequence[Pair],
    policy: Policy,
    state: State,
) -> Iterator[Future]:
    for course in Course:
        if course is not Course.SILENT or not state.reached:
            yield _future(course, direction, tasks, pairs, policy)


def _future(
    course: Course,
    direction: Direction,
    tasks: Sequence[TaskSpec],
    pairs: Sequence[Pair],
    policy: Policy,
) -> Future:
    seen = list(pairs)
    themed = not direction.exchanges and any(task.role is TaskRole.THEME for task in tasks)
    about = {task.id for task in tasks if task.role is TaskRole.THEME or not themed}
    telling = 0
    for runs in range(FURTHER + 1):
        found = judge(direction, tasks, seen, policy)
        if found.ruling not in OPEN:
            return Future(course, runs, telling, found.ruling)
        if not found.batch or runs == FURTHER:
            break
        seen.append(_imagined(course, found.batch[0], seen, about))
        telling += seen[-1].arms == BOTH and seen[-1].without is not seen[-1].with_
    return Future(course, len(seen) - len(pairs), telling, None)


def _imagined(course: Course, run: Run, seen: Sequence[Pair], about: set[str]) -> Pair:
    without, with_ = True, True
    if course is Course.HELPS and run.task_id in about:
        without = False
    elif course is Course.HURTS:
        with_ = False
    elif course is Course.SAME:
        without = with_ = _last_outcome(run.task_id, seen)
    return Pair(
        run.task_id,
        without if Arm.WITHOUT in run.arms else None,
        with_ if Arm.WITH in run.arms else None,
        Arm.WITH in run.arms and course is not Course.SILENT,
    )


def _last_outcome(task_id: str, seen: Sequence[Pair]) -> bool:
    for pair in reversed(seen):
        if pair.task_id == task_id:
            return bool(pair.without if pair.without is not None else pair.with_)
    return True


def _unclear(
    direction: Direction,
    tasks: Sequence[TaskSpec],
    pairs: Sequence[Pair],
    policy: Policy,
    state: State,
) -> tuple[Unclear, ...]:
    """Return the guarded tasks that are not cleared, once the target has shown enough."""
    if not _shown(direction, state):
        return ()
    open_ids = [
        counts.spec.id
        for counts in state.guarded(direction)
        if not state.is_cleared(counts, direction)
    ]
    batch = judge(direction, tasks, pairs, policy, len(tasks)).batch
    arms = {run.task_id: run.arms for run in batch}
    usual = batch[0].arms if batch else BOTH
    runs = [Run(task_id, arms.get(task_id, usual)) for task_id in open_ids]
    needed: dict[str, int] = {}
    seen = list(pairs)
    for count in range(1, FURTHER + 1):
        seen += [_imagined_clean(run) for run in runs if run.task_id not in needed]
        found: Judgement = judge(direction, tasks, seen, policy)
        cleared = {one.task_id for one in found.tasks if one.state is HarmState.CLEARED}
        needed |= {one: count for one in open_ids if one in cleared and one not in needed}
        if len(needed) == len(open_ids):
            break
    return tuple(Unclear(run.task_id, run.arms, needed.get(run.task_id)) for run in runs)


def _imagined_clean(run: Run) -> Pair:
    with_ = Arm.WITH in run.arms
    return Pair(run.task_id, True if Arm.WITHOUT in run.arms else None, with_ or None, with_)


def _shown(direction: Direction, state: State) -> bool:
    """Whether only guarded tasks can still be in the way of a keep or a prune."""
    if direction is Direction.ADD:
        return state.log_lift >= state.enough_to_keep and state.lift > 0
    if direction is Direction.REMOVE:
        return state.log_futility >= state.enough and state.lift < state.policy.delta
    return state.log_no_loss >= state.enough
