"""What would change a verdict and what another batch costs, from the gate's own numbers."""

from collections.abc import Iterator, Sequence

from cortex.commands.evidence import Evidence, NextBatch
from cortex.judgement.outlook import OPEN_RULINGS, Outlook, Projection, Scenario, UnclearedTask
from cortex.judgement.reversal import LOOKAHEAD, Reversal
from cortex.model.trials import BOTH, Arm
from cortex.model.verdicts import Ruling
from cortex.presenting.formats import count, duration, e_value, more, usd

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


def changes(evidence: Evidence) -> tuple[str, ...]:
    """Return what would change the verdict, one sentence each, computed by the gate."""
    if evidence.stated and evidence.candidate is not None:
        return (f"Measuring it here: `cortex gate {evidence.candidate.id}`.",)
    if evidence.judgement is None or evidence.outlook is None:
        return ("Unknown: its candidate or its trials are no longer in this database.",)
    return tuple(_changes(evidence, evidence.outlook, evidence.judgement.ruling))


def next_cost(evidence: Evidence) -> str:
    """Return what another batch costs, or why no task here does."""
    if evidence.later is not None:
        return f"Cannot be resumed: superseded by {evidence.later}."
    if evidence.stated:
        return "A colleague states this verdict; no trial of yours is behind it."
    if evidence.judgement is None:
        return "Unknown what resuming would run."
    if evidence.batch is None:
        why = (
            "the limit of pairs is reached"
            if evidence.judgement.ruling in OPEN_RULINGS
            else "the ruling is final"
        )
        return f"Nothing left to run: {why}."
    return _batch(evidence.batch)


def _changes(evidence: Evidence, outlook: Outlook, ruling: Ruling | None) -> Iterator[str]:
    verdict = evidence.verdict.ruling if evidence.verdict else None
    if verdict is not None and _final(verdict) is not _final(ruling):
        today = DONE[ruling] if ruling and ruling not in OPEN_RULINGS else "open"
        later = f"after {count(evidence.further, 'later run')}"
        since = later if evidence.further else "by the current gate"
        yield f"It would be {today} {since}; the following lines refer to that."
    if ruling is not None and ruling not in OPEN_RULINGS:
        yield from _of_a_ruling(evidence, outlook, ruling)
    else:
        limited = ruling is Ruling.UNDECIDED
        yield from _of_an_open_experiment(outlook, limited)


def _final(ruling: Ruling | None) -> Ruling | None:
    return None if ruling in OPEN_RULINGS else ruling


def _of_a_ruling(evidence: Evidence, outlook: Outlook, ruling: Ruling) -> Iterator[str]:
    loaded = evidence.judgement is not None and evidence.judgement.loaded
    if outlook.reversal is not None:
        yield _reversal(outlook.reversal)
    elif loaded:
        yield f"No {LOOKAHEAD} contrary pairs would reverse it."
    else:
        yield "Only a task that can load it would change this; no task here does."
    if loaded:
        yield _stricter(outlook, ruling)


def _reversal(reversal: Reversal) -> str:
    effect = f"change it to {reversal.ruling}" if reversal.ruling else "reopen it"
    if reversal.passes_with and reversal.passes_without:
        return f"One run on {reversal.task_ids[0]} in which it loads would {effect}."
    arm = "with" if reversal.passes_with else "without"
    where = f"on {reversal.task_ids[0]}"
    if len(reversal.task_ids) > 1:
        where = f"spread over {len(reversal.task_ids)} tasks"
    number = "One more pair" if reversal.pairs == 1 else f"{reversal.pairs} more pairs"
    return f"{number} {where} in which only the trial {arm} the text passes would {effect}."


def _stricter(outlook: Outlook, ruling: Ruling) -> str:
    at = f"At α = {outlook.stricter_alpha:.2g}"
    if ruling is Ruling.KEEP:
        at += f" (a keep then needs E⁺ {e_value(outlook.stricter_keep)})"
    if outlook.stricter_ruling is ruling:
        return f"{at} it would be {DONE[ruling]} too."
    if outlook.stricter_ruling is None:
        return f"{at} it would not be {DONE[ruling]} yet."
    return f"{at} it would be {DONE[outlook.stricter_ruling]}."


def _of_an_open_experiment(outlook: Outlook, limited: bool) -> Iterator[str]:
    if not any(projection.ruling for projection in outlook.projections):
        yield (
            f"No {LOOKAHEAD} further runs would decide it, whether all were in its favour, all "
            "against it, or all as the last run of their task."
        )
    else:
        if limited:
            yield "The limit of pairs is reached; with a higher limit:"
        for projection in outlook.projections:
            if projection.ruling is not None:
                yield _decided(projection, projection.ruling)
            elif projection.scenario is Scenario.HELPS:
                yield f"Even {_runs(projection)} would not decide it."
    yield from _uncleared(outlook.uncleared)


def _decided(projection: Projection, ruling: Ruling) -> str:
    if not projection.runs:
        return f"No further run is needed to {VERBS[ruling]}."
    return f"{_runs(projection)} would {VERBS[ruling]}."


def _runs(projection: Projection) -> str:
    """Return the further runs of a scenario."""
    if projection.scenario is Scenario.SAME:
        runs = more(projection.runs, "run")
        return f"{runs} that {_end(projection.runs)} as the last run of its task"
    if projection.scenario is Scenario.NEVER_LOADS:
        return f"{more(projection.runs, 'run')} in which it does not load"
    helps = projection.scenario is Scenario.HELPS
    arm, side = ("with", "in its favour") if helps else ("without", "against it")
    rest = projection.runs - projection.discordant
    if not projection.discordant:
        return f"{more(rest, 'run')} {side}"
    pairs = f"{more(projection.discordant, 'pair')} in which only the trial {arm} the text passes"
    return f"{pairs} and {count(rest, 'run')} {side}" if rest else pairs


def _uncleared(tasks: Sequence[UnclearedTask]) -> Iterator[str]:
    for task in tasks[:LISTED]:
        needs = f"more than {LOOKAHEAD} clean runs"
        if task.passes_to_clear is not None:
            needs = _clean(task.passes_to_clear, task.arms)
        yield f"{task.task_id} is not cleared: {needs}."
    if len(tasks) > LISTED:
        yield f"{len(tasks) - LISTED} more tasks are not cleared."


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
        cost = f"about {usd(batch.cost_usd)}"
    parts = [f"{count(batch.trials, 'trial')} ({names})", cost]
    if batch.minutes is not None:
        parts.append(duration(batch.minutes))
    return f"The next batch costs: {', '.join(parts)}."


def _end(number: int) -> str:
    return "ends" if number == 1 else "each end"
