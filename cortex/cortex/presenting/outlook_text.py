"""What would change a verdict, and what more would cost: sentences over the gate's own numbers."""

from collections.abc import Iterator, Sequence

from cortex.commands.evidence import Evidence, NextBatch
from cortex.judgement.outlook import OPEN_RULINGS, Outlook, Projection, Scenario, UnclearedTask
from cortex.judgement.reversal import LOOKAHEAD, Reversal
from cortex.model.trials import BOTH, Arm
from cortex.model.verdicts import Ruling

LISTED = 3
"""Tasks that are named before the rest is counted."""

VERBS = {
    Ruling.KEEP: "keep it",
    Ruling.BURY: "bury it",
    Ruling.PRUNE: "prune it",
    Ruling.RETAIN: "retain it",
    Ruling.UNUSED: "call it unused",
}
DONE = {
    Ruling.KEEP: "kept",
    Ruling.BURY: "buried",
    Ruling.PRUNE: "pruned",
    Ruling.RETAIN: "retained",
    Ruling.UNUSED: "called unused",
}


def changes(found: Evidence) -> tuple[str, ...]:
    """Return what would change the verdict, one sentence each, computed by the gate."""
    if found.judgement is None or found.outlook is None:
        return (
            "That is not known here: its candidate or its trials are not in this database "
            "any more.",
        )
    return tuple(_changes(found, found.outlook, found.judgement.ruling))


def next_cost(found: Evidence) -> str:
    """Return what one more wave costs, or what resuming would do instead."""
    if found.later is not None:
        return f"Nothing is resumed from here: {found.later} is newer."
    if found.judgement is None:
        return "What resuming would run is not known here."
    if found.batch is None:
        why = (
            "its limits are reached"
            if found.judgement.ruling in OPEN_RULINGS
            else "the ruling is final"
        )
        return f"Resuming it would run nothing: {why}."
    return _batch(found.batch)


def _changes(found: Evidence, outlook: Outlook, ruling: Ruling | None) -> Iterator[str]:
    verdict = found.verdict.ruling if found.verdict else None
    if verdict is not None and _final(verdict) is not _final(ruling):
        said = DONE[ruling] if ruling and ruling not in OPEN_RULINGS else "open"
        since = f"{_count(found.further, 'run')} later" if found.further else "by today's gate"
        yield f"It would be {said} {since}, which is what the rest is about."
    if ruling is not None and ruling not in OPEN_RULINGS:
        yield from _of_a_ruling(found, outlook, ruling)
    else:
        limited = ruling is Ruling.UNDECIDED
        yield from _of_an_open_one(outlook, limited)


def _final(ruling: Ruling | None) -> Ruling | None:
    return None if ruling in OPEN_RULINGS else ruling


def _of_a_ruling(found: Evidence, outlook: Outlook, ruling: Ruling) -> Iterator[str]:
    loaded = found.judgement is not None and found.judgement.loaded
    if outlook.reversal is not None:
        yield _undone(outlook.reversal)
    elif loaded:
        yield f"No {LOOKAHEAD} contrary pairs would undo it."
    else:
        yield "Only a task that can load it would change this; no task here does."
    if loaded:
        yield _stricter(outlook, ruling)


def _undone(undoing: Reversal) -> str:
    then = DONE[undoing.ruling] if undoing.ruling else "open"
    if undoing.passes_with and undoing.passes_without:
        return f"One run on {undoing.task_ids[0]} in which it loads would undo it: {then} then."
    arm = "with" if undoing.passes_with else "without"
    where = f"on {undoing.task_ids[0]}"
    if len(undoing.task_ids) > 1:
        where = f"spread over {len(undoing.task_ids)} tasks"
    number = "One more pair" if undoing.pairs == 1 else f"{undoing.pairs} more pairs"
    return (
        f"{number} {where} in which only the trial {arm} the text passes would undo it: "
        f"{then} then."
    )


def _stricter(outlook: Outlook, ruling: Ruling) -> str:
    at = f"At α = {outlook.stricter_alpha:.2g}"
    if ruling is Ruling.KEEP:
        at += f" (a keep needs E⁺ {outlook.stricter_keep:,.0f} then)"
    if outlook.stricter_ruling is ruling:
        return f"{at} it would be {DONE[ruling]} too."
    if outlook.stricter_ruling is None:
        return f"{at} it would not be {DONE[ruling]} yet."
    return f"{at} it would be {DONE[outlook.stricter_ruling]}."


def _of_an_open_one(outlook: Outlook, limited: bool) -> Iterator[str]:
    if not any(future.ruling for future in outlook.projections):
        yield (
            f"No {LOOKAHEAD} further runs would decide it if all spoke for it, all against it or "
            "all ended as the last ones."
        )
    else:
        if limited:
            yield "Its limits of pairs are reached; with higher ones:"
        for future in outlook.projections:
            if future.ruling is not None:
                yield _future(future, future.ruling)
            elif future.scenario is Scenario.HELPS:
                more = _kind(future)
                yield f"Even {more} would not decide it."
    yield from _in_the_way(outlook.uncleared)


def _future(future: Projection, ruling: Ruling) -> str:
    if not future.runs:
        return f"Nothing more would have to run to {VERBS[ruling]}."
    return f"{_kind(future)} would {VERBS[ruling]}."


def _kind(future: Projection) -> str:
    """Return which further runs a course is made of."""
    if future.scenario is Scenario.SAME:
        return f"{_more(future.runs, 'run')} that {_end(future.runs)} as the last one of its task"
    if future.scenario is Scenario.NEVER_LOADS:
        return f"{_more(future.runs, 'run')} in which it does not load"
    helps = future.scenario is Scenario.HELPS
    arm, side = ("with", "in its favour") if helps else ("without", "against it")
    rest = future.runs - future.discordant
    if not future.discordant:
        return f"{_more(rest, 'run')} {side}"
    pairs = f"{_more(future.discordant, 'pair')} in which only the trial {arm} the text passes"
    return f"{pairs} and {_count(rest, 'run')} {side}" if rest else pairs


def _in_the_way(unclear: Sequence[UnclearedTask]) -> Iterator[str]:
    for one in unclear[:LISTED]:
        needs = f"more than {LOOKAHEAD} clean runs"
        if one.passes_to_clear is not None:
            needs = _clean(one.passes_to_clear, one.arms)
        yield f"{one.task_id} is not cleared: {needs}."
    if len(unclear) > LISTED:
        yield f"{len(unclear) - LISTED} more tasks are not cleared."


def _clean(number: int, arms: tuple[Arm, ...]) -> str:
    if arms == BOTH:
        return f"{number} more clean {'pair' if number == 1 else 'pairs'}"
    return f"{number} more {'pass' if number == 1 else 'passes'} {arms[0]} the text"


def _batch(batch: NextBatch) -> str:
    names = ", ".join(batch.tasks[:LISTED])
    if len(batch.tasks) > LISTED:
        names += f" and {len(batch.tasks) - LISTED} more"
    cost = "free" if batch.free else "an unknown amount"
    if not batch.free and batch.cost_usd is not None:
        cost = f"about {batch.cost_usd:.2f} USD"
    parts = [f"{_count(batch.trials, 'trial')} ({names})", cost]
    if batch.minutes is not None:
        parts.append(_time(batch.minutes))
    return f"One more wave costs: {', '.join(parts)}."


def _time(minutes: float) -> str:
    if minutes < 1:
        return f"about {max(1, round(minutes * 60))} s"
    return f"about {minutes:.0f} min"


def _more(number: int, what: str) -> str:
    return f"{number} more {what}{'' if number == 1 else 's'}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _end(number: int) -> str:
    return "ends" if number == 1 else "each end"
