"""The text about a verdict on every surface: numbers, evidence against it, a table of tasks."""

from collections.abc import Iterator, Mapping, Sequence

from cortex.commands.evidence import Evidence
from cortex.model.experiments import TaskRole
from cortex.model.verdicts import HarmState, TaskEvidence, Verdict
from cortex.presenting import outlook_text
from cortex.presenting.formats import count, e_value, lift, rate, usd
from cortex.presenting.plain import one_line

COLUMNS = (
    "task",
    "role",
    ">pairs",
    ">without",
    ">with",
    ">drops",
    ">single-arm",
    ">loads",
    "harm",
    "prompt",
)
"""`>` marks numbers."""
UNINFORMATIVE = {"", str(TaskRole.OTHER)}
"""Cells that alone do not earn a column its place."""
PROMPT_WIDTH = 40

Table = tuple[tuple[str, ...], list[tuple[str, ...]]]
"""Names of the columns, and rows."""


def numbers(verdict: Verdict, needed: float) -> Iterator[str]:
    """Yield lift and E⁺ against the stored threshold, what was run, and held-out tasks apart."""
    reached = "reached" if verdict.e_value >= needed else "not reached"
    yield (
        f"Lift {lift(verdict.lift)}. E⁺ {e_value(verdict.e_value)}: "
        f"threshold {e_value(needed)} {reached}."
    )
    single_arm = verdict.single_arm
    further = f" and {count(single_arm, 'single-arm trial')}" if single_arm else ""
    yield (
        f"{count(verdict.pairs, 'pair')}{further}; the text loaded in "
        f"{count(verdict.loaded, 'trial')}. {count(verdict.trials, 'trial')} in total, "
        f"{usd(verdict.cost_usd)}."
    )
    yield from _held_out(verdict.tasks)


def against(evidence: Evidence) -> Iterator[str]:
    """Yield the evidence for harm and for futility, each with its threshold."""
    judgement, thresholds = evidence.judgement, evidence.thresholds
    if judgement is not None and thresholds is not None and judgement.tasks:
        yield (
            f"Evidence against it: harm {e_value(judgement.harm_e_value)} "
            f"(threshold {e_value(thresholds.harms)}), lift below {thresholds.delta:.0%} "
            f"{e_value(judgement.futility_e_value)} (threshold {e_value(thresholds.futility)})."
        )


def task_table(tasks: Sequence[TaskEvidence], prompts: Mapping[str, str]) -> Table:
    """Return a row for each task that ran, those that the writer saw first.

    `prompts` has the prompt of a task by its id. Columns without information are left out; no
    rows, no columns.
    """
    rows = _task_rows(tasks, prompts)
    columns = [
        (name, cells)
        for name, cells in zip(COLUMNS, zip(*rows, strict=True), strict=bool(rows))
        if set(cells) - UNINFORMATIVE
    ]
    names = tuple(name for name, _ in columns)
    return names, list(zip(*(cells for _, cells in columns), strict=True))


def _task_rows(tasks: Sequence[TaskEvidence], prompts: Mapping[str, str]) -> list[tuple[str, ...]]:
    rows = [task for task in tasks if task.pairs or task.with_alone[1] or task.without_alone[1]]
    rows.sort(key=lambda task: (task.role is not TaskRole.THEME, task.held_out))
    return [
        (
            task.task_id,
            task.role + (" (held out)" if task.held_out else ""),
            str(task.pairs),
            rate(task.without, task.pairs),
            rate(task.with_, task.pairs),
            str(max(0, task.without - task.with_) or ""),
            _single_arm(task),
            str(task.loads),
            _harm(task),
            one_line(prompts.get(task.task_id, ""), PROMPT_WIDTH),
        )
        for task in rows
    ]


def outlook_lines(evidence: Evidence) -> Iterator[str]:
    """Yield what would change the verdict and what another batch costs."""
    yield "What would change it:"
    for sentence in outlook_text.changes(evidence):
        yield f"  {sentence}"
    yield outlook_text.next_cost(evidence)


def _harm(task: TaskEvidence) -> str:
    """Return the state of harm; empty where the text should help, unless it is condemned."""
    is_open_theme = task.role is TaskRole.THEME and task.state is not HarmState.CONDEMNED
    return "" if is_open_theme else task.state


def _single_arm(task: TaskEvidence) -> str:
    arms = (("with", task.with_alone), ("without", task.without_alone))
    return ", ".join(f"{rate(passed, total)} {arm}" for arm, (passed, total) in arms if total)


def _held_out(tasks: Sequence[TaskEvidence]) -> Iterator[str]:
    """Yield the pass rates of tasks that the writer saw and of those that it did not."""
    theme = [task for task in tasks if task.role is TaskRole.THEME and task.pairs]
    held_out = [task for task in tasks if task.held_out and task.pairs]
    seen = [task for task in theme if not task.held_out]
    for name, group in (("seen by the writer", seen), ("held out", held_out)):
        if held_out and group:
            pairs = sum(task.pairs for task in group)
            without = sum(task.without for task in group)
            with_ = sum(task.with_ for task in group)
            yield f"Tasks {name}: {rate(without, pairs)} without, {rate(with_, pairs)} with."
