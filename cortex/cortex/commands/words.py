"""What every surface says about a verdict: the same words for the same numbers."""

from collections.abc import Iterator, Sequence

from cortex.commands.evidence import Evidence, Wave
from cortex.judgement.outlook import Course, Future, Outlook
from cortex.judgement.undoing import FURTHER
from cortex.model.verdicts import Ruling, TaskEvidence, Verdict

COLUMNS = ("task", "role", ">pairs", ">without", ">with", ">drops", ">alone", ">loads", "harm")
"""Of `task_row`; `>` marks numbers."""

COURSES = {
    Course.HELPS: "if all further runs speak for the text",
    Course.SAME: "if none tells the arms apart",
    Course.HURTS: "if all speak against it",
    Course.SILENT: "if it never loads",
}


def e_value(value: float) -> str:
    """Return an e-value as a person reads it."""
    if value >= 1e6:
        return f"{value:.0e}"
    return f"{value:,.0f}" if value >= 100 else f"{value:.2g}"


def numbers(verdict: Verdict, needed: float) -> Iterator[str]:
    """Yield E⁺, lift, what was run, and how held-out tasks turned out."""
    low, high = verdict.interval
    yield (
        f"E⁺ {e_value(verdict.e_value)} ({needed:.0f} shows that it helps); lift "
        f"{verdict.lift:+.2f}, between {low:+.2f} and {high:+.2f} whenever one looks"
    )
    yield (
        f"{verdict.pairs} pairs and {verdict.singles} trials of one arm, the text reached the "
        f"agent in {verdict.loaded}; {verdict.trials} trials in all, {verdict.cost_usd:.2f} USD"
    )
    yield from _held_out(verdict.tasks)


def task_rows(tasks: Sequence[TaskEvidence]) -> list[tuple[str, ...]]:
    """Return one row of COLUMNS for each task that ran."""
    ran = [one for one in tasks if one.pairs or one.with_alone[1] or one.without_alone[1]]
    return [
        (
            one.task_id,
            one.role + (" (held out)" if one.held_out else ""),
            str(one.pairs),
            f"{one.without}/{one.pairs}" if one.pairs else "",
            f"{one.with_}/{one.pairs}" if one.pairs else "",
            str(max(0, one.without - one.with_) or ""),
            _alone(one),
            str(one.loads),
            one.state,
        )
        for one in ran
    ]


def _alone(one: TaskEvidence) -> str:
    parts = [
        f"{passed}/{run} {arm}"
        for arm, (passed, run) in (("with", one.with_alone), ("without", one.without_alone))
        if run
    ]
    return ", ".join(parts)


def _held_out(tasks: Sequence[TaskEvidence]) -> Iterator[str]:
    """Say apart how tasks turned out that the writer of the text never saw."""
    unseen = [one for one in tasks if one.held_out and one.pairs]
    seen = [one for one in tasks if one.role == "theme" and not one.held_out and one.pairs]
    for name, group in (("seen by the writer", seen), ("held out", unseen)):
        if unseen and group:
            pairs = sum(one.pairs for one in group)
            without, with_ = sum(one.without for one in group), sum(one.with_ for one in group)
            yield f"{name}: {without}/{pairs} without, {with_}/{pairs} with"


def outlook_lines(found: Evidence) -> Iterator[str]:
    """Yield what would change the verdict and what one more wave costs."""
    if found.judgement is None:
        yield "Its experiment is not in this database: what would change it is not known here."
        return
    if found.outlook is not None:
        ruling = found.judgement.ruling or Ruling.UNDECIDED
        yield f"What would change it: {_change(found.outlook, ruling)}"
    yield _cost(found.wave, found.judgement.ruling)


def _change(outlook: Outlook, ruling: Ruling) -> str:
    if outlook.futures:
        return "; ".join(map(_future, outlook.futures)) + "."
    undone = f"no {FURTHER} contrary pairs"
    if outlook.undoing is not None:
        pairs = "pair" if outlook.undoing.pairs == 1 else "pairs"
        undone = (
            f"{outlook.undoing.pairs} contrary {pairs} ({outlook.undoing.ruling or 'open'} then)"
        )
    same = "hold too" if outlook.stricter is ruling else f"be {outlook.stricter or 'open'}"
    return f"{undone}. At α = {outlook.stricter_alpha:.2g} it would {same}."


def _future(future: Future) -> str:
    if future.ruling is None:
        return f"{COURSES[future.course]}: still open after {future.runs} more"
    return f"{COURSES[future.course]}: {future.ruling} after {future.runs} more"


def _cost(wave: Wave | None, ruling: Ruling | None) -> str:
    if wave is None:
        return "One more wave: nothing is left to run" + (
            ", the answer is final." if ruling else "."
        )
    cost = "an unknown amount" if wave.cost_usd is None else f"about {wave.cost_usd:.2f} USD"
    time = "" if wave.minutes is None else f" and {max(wave.minutes, 0.1):.1f} minutes"
    return f"One more wave: {wave.trials} trials on {', '.join(wave.tasks)}, {cost}{time}."
