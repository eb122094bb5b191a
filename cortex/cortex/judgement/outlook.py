"""What would change a verdict: the shipping gate, run on further pairs that did not happen yet."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from cortex.judgement.policy import Direction, Policy, TaskSpec
from cortex.judgement.verdict import Judgement, judge
from cortex.model.trials import Arm, Pair, Run
from cortex.model.verdicts import Ruling

FURTHER = 12
"""Runs that are looked ahead."""

STRICTER = 5
"""A verdict is tried at an error rate so many times smaller."""


class Course(StrEnum):
    """How all further runs turn out."""

    HELPS = "helps"
    """Passes with the text, fails without; on guarded tasks passes in both arms."""
    SAME = "same"
    """Like the run before on the same task, in both arms alike."""
    HURTS = "hurts"
    """Fails with the text, passes without."""


@dataclass(frozen=True, slots=True)
class Future:
    """Where one course leads."""

    course: Course
    runs: int
    """Pairs, or trials of one arm, until the ruling."""
    ruling: Ruling | None
    """None: still open after FURTHER runs."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What the verdict rests on, seen from what could come."""

    futures: tuple[Future, ...]
    """Of an open or undecided experiment."""
    undone_by: int | None
    """Of a ruling: contrary pairs after which it would not be given; None: not within FURTHER."""
    undone_to: Ruling | None
    """What it would be then; None: open."""
    stricter_alpha: float
    stricter: Ruling | None
    """The ruling at `stricter_alpha`; None: open."""


def outlook(
    direction: Direction, tasks: Sequence[TaskSpec], pairs: Sequence[Pair], policy: Policy
) -> Outlook:
    """Return what would change the ruling. Raises what `judge` raises."""
    now = judge(direction, tasks, pairs, policy)
    alpha = policy.alpha / STRICTER
    level = policy.keep_alpha / STRICTER if policy.keep_alpha else None
    strict = judge(direction, tasks, pairs, replace(policy, alpha=alpha, keep_alpha=level))
    stricter = None if strict.ruling is Ruling.UNDECIDED else strict.ruling
    if now.ruling in (None, Ruling.UNDECIDED):
        wide = _wider(policy)
        futures = tuple(_future(course, direction, tasks, pairs, wide) for course in Course)
        return Outlook(futures, None, None, alpha, stricter)
    count, becomes = _undone(now, direction, tasks, pairs, policy)
    return Outlook((), count, becomes, alpha, stricter)


def _wider(policy: Policy) -> Policy:
    """Return a policy whose limits leave room for the runs that are looked ahead."""
    return replace(
        policy,
        max_pairs=policy.max_pairs + FURTHER,
        max_pairs_per_task=policy.max_pairs_per_task + FURTHER,
        max_pairs_per_old_task=policy.max_pairs_per_old_task + FURTHER,
        hopeless_after=policy.hopeless_after + FURTHER,
    )


def _future(
    course: Course,
    direction: Direction,
    tasks: Sequence[TaskSpec],
    pairs: Sequence[Pair],
    policy: Policy,
) -> Future:
    seen = list(pairs)
    about = {task.id for task in tasks if task.role == "theme"} or {task.id for task in tasks}
    for runs in range(FURTHER + 1):
        found = judge(direction, tasks, seen, policy)
        if found.ruling not in (None, Ruling.UNDECIDED):
            return Future(course, runs, found.ruling)
        if not found.wave:
            break
        seen.append(_imagined(course, found.wave[0], seen, about))
    return Future(course, FURTHER, None)


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
        Arm.WITH in run.arms,
    )


def _last_outcome(task_id: str, seen: Sequence[Pair]) -> bool:
    for pair in reversed(seen):
        if pair.task_id == task_id:
            return bool(pair.without if pair.without is not None else pair.with_)
    return True


def _undone(
    now: Judgement,
    direction: Direction,
    tasks: Sequence[TaskSpec],
    pairs: Sequence[Pair],
    policy: Policy,
) -> tuple[int | None, Ruling | None]:
    """Return how many contrary pairs on the tasks it is about end the ruling, and what follows."""
    about = [task.id for task in tasks if task.role == "theme" and task.can_load]
    about = about or [task.id for task in tasks if task.can_load]
    helped = now.ruling in (Ruling.KEEP, Ruling.RETAIN)
    if not about:
        return None, None
    seen = list(pairs)
    for count in range(1, FURTHER + 1):
        task_id = about[(count - 1) % len(about)]
        seen.append(Pair(task_id, helped, not helped, True))
        found = judge(direction, tasks, seen, policy)
        if found.ruling is not now.ruling:
            return count, None if found.ruling is Ruling.UNDECIDED else found.ruling
    return None, None
