"""The published candidates: passes per task and arm of each sweep, and the recorded verdict.

(github.com/samugit83/cortex, MIT, (c) 2026 Samuele Giampieri; `benchmarks/data/reference/NOTICE`)
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cortex.judgement import Direction

DATA = Path(__file__).parents[1] / "data" / "reference"


@dataclass(frozen=True, slots=True)
class Counts:
    """Trials of a task in a sweep."""

    task: str
    runs: int
    """Of each arm."""
    without: int
    """Passes."""
    with_: int
    exposed: bool
    """The text was visible in at least one trial of the task."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """A round of trials that the lab ran at once."""

    counts: tuple[Counts, ...]
    loads: int | None
    """Trials with the text in which it loaded: a rule injected, a skill opened. None: unknown."""
    visible: int | None
    """Trials with the text in which at least its description was visible. None: unknown."""
    not_loaded: tuple[tuple[str, bool], ...] = ()
    """Task and outcome of the trials in which the text is known not to have loaded."""

    @property
    def net(self) -> int:
        """Passes with minus passes without, over the tasks that the text reaches."""
        return sum(task.with_ - task.without for task in self.counts if task.exposed)

    @property
    def reached(self) -> int:
        """Trials with the text on the tasks that it reaches."""
        return sum(task.runs for task in self.counts if task.exposed)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A candidate with everything published about its trials."""

    run: str
    name: str
    kind: str
    tier: str
    planted: str
    """What the lab planted it as; empty for candidates that its agent proposed."""
    expected: str
    """The verdict that the lab expected; empty for candidates that its agent proposed."""
    direction: Direction
    recorded: str
    """KEEP, KILL or RERUN; of a removal ACCEPT or REJECT."""
    scored: str
    """Verdict of the lab's scorer on the last sweep that is published per task."""
    theme: frozenset[str]
    """Tasks of the screen, which the text was written for."""
    sweeps: tuple[Sweep, ...]
    lab_trials: int
    """All valid trials behind the recorded verdict, published per task or not."""

    @property
    def id(self) -> str:
        """Run and name: several runs use the same names."""
        return f"{self.run}/{self.name}"

    @property
    def trials(self) -> int:
        """Trials whose outcomes per task and arm are published."""
        return sum(2 * task.runs for sweep in self.sweeps for task in sweep.counts)

    @property
    def tasks(self) -> dict[str, bool]:
        """Task -> whether the text was visible on it in some sweep, in order."""
        exposed: dict[str, bool] = {}
        for sweep in self.sweeps:
            for counts in sweep.counts:
                exposed[counts.task] = exposed.get(counts.task, False) or counts.exposed
        return exposed


def planted(path: Path = DATA / "gate-candidates.jsonl") -> list[Candidate]:
    """Return the planted candidates in the order of the file."""
    return [_planted(row) for row in _rows(path)]


def proposed(
    path: Path = DATA / "sweeps-per-task.jsonl", totals: Path = DATA / "sweeps-aggregate.jsonl"
) -> list[Candidate]:
    """Return the candidates of the evolution runs whose outcomes per task are published."""
    groups: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for row in _rows(path):
        groups[row["run"], row["candidate"]].append(row)
    aggregates = _rows(totals)
    return [_proposed(rows, aggregates) for rows in groups.values()]


def same_text(path: Path = DATA / "aa-pairs-k3.jsonl") -> list[Candidate]:
    """Return a candidate for each sweep whose arms held the same text on some tasks.

    The gate gets these tasks as its theme, with the text loaded in all of their trials.
    """
    groups: dict[str, list[Counts]] = defaultdict(list)
    for row in _rows(path):
        groups[row["sweep_of"]].append(Counts(row["task"], row["k"], row["a"], row["b"], True))
    return [_same_text(name, tuple(counts)) for name, counts in groups.items()]


def _same_text(name: str, counts: tuple[Counts, ...]) -> Candidate:
    return Candidate(
        run="A/A",
        name=name,
        kind="rule",
        tier="",
        planted="the same text in both arms",
        expected="",
        direction=Direction.ADD,
        recorded="",
        scored="",
        theme=frozenset(task.task for task in counts),
        sweeps=(Sweep(counts, None, None),),
        lab_trials=sum(2 * task.runs for task in counts),
    )


def removals(path: Path = DATA / "prune-verdicts.jsonl") -> list[dict[str, Any]]:
    """Return the recorded removals as published: no outcomes per task."""
    return _rows(path)


def _verdict_word(verdict: str) -> str:
    """Return the verdict without the remarks behind it."""
    return verdict.replace(",", " ").split()[0]


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def _planted(row: Mapping[str, Any]) -> Candidate:
    sweeps = [row[phase] for phase in ("screen", "confirm") if row[phase] is not None]
    return Candidate(
        run=row["testbed_run"],
        name=row["candidate"],
        kind=row["kind"],
        tier=row["tier"],
        planted=row["type"],
        expected=row["expected"],
        direction=Direction.ADD,
        recorded=row["recorded"],
        scored=sweeps[-1]["scorer_verdict"],
        theme=frozenset(task["task"] for task in row["screen"]["per_task"]),
        sweeps=tuple(
            Sweep(_counts(sweep, Direction.ADD), sweep["fired"], sweep["visible"])
            for sweep in sweeps
        ),
        lab_trials=sum(sweep["rollouts"] - sweep["invalid"] for sweep in sweeps),
    )


PHASES = ("screen", "confirm", "recheck")


def _proposed(rows: list[dict[str, Any]], aggregates: Iterable[Mapping[str, Any]]) -> Candidate:
    first = rows[0]
    direction = Direction(first.get("mode", "add"))
    totals = [
        row
        for row in aggregates
        if (row["run"], row["candidate"]) == (first["run"], first["candidate"])
    ]
    screened = [row["tasks"] for row in totals if row["phase"] == "screen"]
    ordered = sorted(rows, key=lambda row: PHASES.index(row["phase"]))
    theme = screened[-1] if screened else [task["task"] for task in ordered[0]["per_task"]]
    return Candidate(
        run=first["run"],
        name=first["candidate"],
        kind=first["kind"],
        tier=first["tier"],
        planted="",
        expected="",
        direction=direction,
        recorded=_verdict_word(first["candidate_final"]),
        scored=_verdict_word(ordered[-1]["sweep_verdict"]),
        theme=frozenset(theme),
        sweeps=tuple(_sweep(row, direction) for row in ordered),
        lab_trials=sum(row["rollouts"] - row["invalid"] for row in totals),
    )


def _sweep(row: Mapping[str, Any], direction: Direction) -> Sweep:
    missed = row.get("cand_rollouts_where_candidate_did_not_load", ())
    not_loaded = tuple((trial["task"], bool(trial["pass"])) for trial in missed)
    return Sweep(_counts(row, direction), row["fired_cand_runs"], None, not_loaded)


def _counts(sweep: Mapping[str, Any], direction: Direction) -> tuple[Counts, ...]:
    """Return the counts; in a removal, the arm `base` is the arm with the text."""
    without, with_ = ("cand", "base") if direction is Direction.REMOVE else ("base", "cand")
    return tuple(
        Counts(task["task"], sweep["k"], task[without], task[with_], task["exposed"])
        for task in sweep["per_task"]
    )
