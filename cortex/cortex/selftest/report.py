"""What the self-test found: each verdict against the known answer, and how often it was false."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import ceil

from cortex.judgement.binomial import clopper_pearson, upper_bound
from cortex.model.verdicts import Diagnosis, Ruling
from cortex.selftest.cases import PLANTED, SAME, Kind

MUST = {
    Kind.SAME_ADDED: "no keep, no harm",
    Kind.SAME_REMOVED: "no retain, no harm",
    Kind.HELPS: "keep",
    Kind.BREAKS: "bury",
    Kind.IDLE: "no keep",
    Kind.UNLOADED_ADDED: "bury: never loaded",
    Kind.UNLOADED_REMOVED: "unused, and stays",
}
"""What is known of the verdict on each kind."""


class Answer(StrEnum):
    """How a verdict compares with what is known."""

    RIGHT = "right"
    WRONG = "wrong"
    UNDECIDED = "undecided"


def grade(kind: Kind, ruling: Ruling, diagnosis: Diagnosis, *, in_place: bool = True) -> Answer:
    """Return whether the verdict is the known one.

    `diagnosis` is that of the judgement; `in_place` says that the harness on the disk is what the
    verdict makes of it. "Never loaded" is false of text that every trial with it loads.
    """
    if not in_place:
        return Answer.WRONG
    if ruling is Ruling.UNDECIDED:
        return Answer.UNDECIDED
    return Answer.RIGHT if (ruling, diagnosis) in _RIGHT[kind] else Answer.WRONG


_USELESS, _HARM = (Ruling.BURY, "triggered but ignored"), (Ruling.BURY, "harm")
_RIGHT = {
    Kind.SAME_ADDED: (_USELESS,),
    Kind.SAME_REMOVED: ((Ruling.PRUNE, "dead weight"),),
    Kind.HELPS: ((Ruling.KEEP, ""),),
    Kind.BREAKS: (_HARM, _USELESS),
    Kind.IDLE: (_USELESS, _HARM),
    Kind.UNLOADED_ADDED: ((Ruling.BURY, "never loaded"),),
    Kind.UNLOADED_REMOVED: ((Ruling.UNUSED, ""),),
}


@dataclass(frozen=True, slots=True)
class CaseResult:
    """One experiment with a known answer."""

    kind: Kind
    number: int
    ruling: Ruling
    answer: Answer
    reason: str
    pairs: int
    without: int
    """Passes without."""
    with_: int
    """Passes with."""
    loaded: int
    trials: int
    cost_usd: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Row:
    """All experiments of a kind."""

    kind: Kind
    must: str
    runs: int
    right: int
    wrong: int
    undecided: int
    false_rate: float
    interval: tuple[float, float]
    """For the rate of false verdicts, exact, 95%."""
    mean_trials: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Report:
    """The whole self-test."""

    agent: str
    agent_version: str
    model: str | None
    seed: int
    alpha: float
    planned: int
    runs: tuple[CaseResult, ...]
    spent_usd: float = 0.0
    """By an agent that costs money; booked against the day's cap."""
    note: str = ""
    """Why another agent ran than the configured one."""
    stopped: str = ""
    """Why not all of the planned experiments ran."""

    @property
    def rows(self) -> tuple[Row, ...]:
        """One row for each kind that ran, in the order of `Kind`."""
        runs_by_kind = [(kind, [run for run in self.runs if run.kind is kind]) for kind in Kind]
        return tuple(_row(kind, runs) for kind, runs in runs_by_kind if runs)

    @property
    def same(self) -> tuple[CaseResult, ...]:
        """Experiments with the same text in both arms."""
        return tuple(run for run in self.runs if run.kind in SAME)

    @property
    def opposite(self) -> tuple[CaseResult, ...]:
        """Planted texts whose verdict is not the one that it must be."""
        return tuple(run for run in self.runs if run.kind in PLANTED and run.answer is Answer.WRONG)

    @property
    def excessive(self) -> bool:
        """Whether false verdicts are shown to be more frequent than alpha, by kind or together."""
        groups = [self.same, *([run for run in self.same if run.kind is kind] for kind in SAME)]
        return any(interval(group)[0] > self.alpha for group in groups)

    @property
    def broken(self) -> bool:
        """Whether verdicts of this gate, agent and machine are not to be trusted."""
        return self.excessive or bool(self.opposite)


def interval(runs: Sequence[CaseResult]) -> tuple[float, float]:
    """Return the exact 95% interval of the rate of false verdicts."""
    return clopper_pearson(_wrong(runs), len(runs))


def sentences(report: Report) -> tuple[str, ...]:
    """Say what it means, one plain sentence each."""
    lines = [*_about_same(report), *_about_planted(report)]
    if report.stopped:
        left = report.planned - len(report.runs)
        lines.append(
            f"{left} of {report.planned} planned experiments did not run: {report.stopped}."
        )
    if report.broken:
        lines.append("Do not trust verdicts here before you know why.")
    return tuple(lines)


def _about_same(report: Report) -> list[str]:
    runs, wrong = report.same, _wrong(report.same)
    if not runs:
        return []
    what = "A/A experiment" if len(runs) == 1 else "A/A experiments"
    head = f"{wrong} of {len(runs)} {what} ended in a false verdict"
    low, high = interval(runs)
    if not wrong:
        below = ceil(100 * upper_bound(0, len(runs)))
        tail = f"the rate is below {below}% with 95% confidence"
    else:
        tail = f"the rate is between {low:.1%} and {high:.1%} with 95% confidence"
    if report.excessive:
        tail += f", which is more than the {report.alpha:.0%} that the gate promises"
    pairs = sum(run.pairs for run in runs)
    without, with_ = sum(run.without for run in runs), sum(run.with_ for run in runs)
    return [
        f"{head}: {tail}.",
        *_wrongly(runs),
        f"In their {pairs} pairs the arms passed {with_} times with and {without} times without.",
    ]


def _about_planted(report: Report) -> list[str]:
    runs = [run for run in report.runs if run.kind in PLANTED]
    if not runs:
        return []
    right = sum(run.answer is Answer.RIGHT for run in runs)
    texts = "planted text" if len(runs) == 1 else "planted texts"
    open_ = len(runs) - right - _wrong(runs)
    rest = f", {open_} stayed undecided" if open_ else ""
    return [f"{right} of {len(runs)} {texts} got the right verdict{rest}.", *_wrongly(runs)]


def _wrongly(runs: Sequence[CaseResult]) -> list[str]:
    return [
        f"False: {run.kind} {run.number + 1} ({MUST[run.kind]}) ended in {run.ruling}. {run.reason}"
        for run in runs
        if run.answer is Answer.WRONG
    ]


def _row(kind: Kind, runs: Sequence[CaseResult]) -> Row:
    count = {answer: sum(run.answer is answer for run in runs) for answer in Answer}
    return Row(
        kind=kind,
        must=MUST[kind],
        runs=len(runs),
        right=count[Answer.RIGHT],
        wrong=count[Answer.WRONG],
        undecided=count[Answer.UNDECIDED],
        false_rate=count[Answer.WRONG] / len(runs),
        interval=interval(runs),
        mean_trials=sum(run.trials for run in runs) / len(runs),
        seconds=sum(run.seconds for run in runs),
    )


def _wrong(runs: Sequence[CaseResult]) -> int:
    return sum(run.answer is Answer.WRONG for run in runs)
