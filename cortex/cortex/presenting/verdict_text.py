"""What every surface says about a verdict: the same words for the same numbers."""

from collections.abc import Iterator, Sequence

from cortex.commands.evidence import Evidence
from cortex.model.experiments import Policy, TaskRole
from cortex.model.verdicts import HarmState, TaskEvidence, Verdict
from cortex.presenting import outlook_text
from cortex.presenting.numbers import e_value

COLUMNS = ("task", "role", ">pairs", ">without", ">with", ">drops", ">alone", ">loads", "harm")
"""Of `task_row`; `>` marks numbers."""


def numbers(verdict: Verdict, needed: float) -> Iterator[str]:
    """Yield E⁺ against its threshold, the lift, what was run, and held-out tasks apart."""
    low, high = verdict.interval
    alpha = (verdict.lock.policy if verdict.lock else Policy()).alpha
    said = "enough" if verdict.e_value >= needed else "not enough"
    yield f"E⁺ {e_value(verdict.e_value)}, {said}: {e_value(needed)} shows that it helps."
    yield (
        f"Lift {verdict.lift:+.2f}; its {1 - alpha:.0%} interval, {low:+.2f} to {high:+.2f}, is "
        "valid at any stopping time."
    )
    alone = f" and {verdict.single_arm} trials of one arm" if verdict.single_arm else ""
    yield (
        f"{verdict.pairs} pairs{alone}; the text reached the agent in {verdict.loaded}. "
        f"{verdict.trials} trials in all, {verdict.cost_usd:.2f} USD."
    )
    yield from _held_out(verdict.tasks)


def against(found: Evidence) -> Iterator[str]:
    """Yield the evidence for harm and for uselessness against what each has to reach."""
    judged, limits = found.judgement, found.thresholds
    if judged is not None and limits is not None and judged.tasks:
        yield (
            f"Evidence against it: of harm {e_value(judged.harm_e_value)} ({limits.harms:.0f} "
            f"shows it), of a lift below {limits.delta:.0%} {e_value(judged.futility_e_value)} "
            f"({limits.futility:.0f} shows it)."
        )


def task_rows(tasks: Sequence[TaskEvidence]) -> list[tuple[str, ...]]:
    """Return one row of COLUMNS for each task that ran, those that the writer saw first."""
    ran = [one for one in tasks if one.pairs or one.with_alone[1] or one.without_alone[1]]
    ran.sort(key=lambda one: (one.role is not TaskRole.THEME, one.held_out))
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
            _guarded(one),
        )
        for one in ran
    ]


def _guarded(one: TaskEvidence) -> str:
    """Return what is known of harm; nothing where the text is there to help, not to spare."""
    return "" if one.role is TaskRole.THEME and one.state is not HarmState.CONDEMNED else one.state


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
    seen = [one for one in tasks if one.role is TaskRole.THEME and not one.held_out and one.pairs]
    for name, group in (("seen by the writer", seen), ("held out", unseen)):
        if unseen and group:
            pairs = sum(one.pairs for one in group)
            without, with_ = sum(one.without for one in group), sum(one.with_ for one in group)
            yield f"Tasks {name}: {without}/{pairs} without, {with_}/{pairs} with."


def outlook_lines(found: Evidence) -> Iterator[str]:
    """Yield what would change the verdict and what one more wave costs."""
    yield "What would change it:"
    for sentence in outlook_text.changes(found):
        yield f"  {sentence}"
    yield outlook_text.next_cost(found)
