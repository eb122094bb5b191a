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
    """Trials of one task in one sweep."""

    task: str
    runs: int
    """Of each arm."""
    without: int
    """Passes."""
    with_: int
    exposed: bool
    """The text was visible there in at least one trial."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """One round of trials that the lab ran at once."""

    counts: tuple[Counts, ...]
    loads: int | None
    """Trials with the text in which it loaded: a rule injected, a skill opened. None: unknown."""
    visible: int | None
    """Trials with the text in which at least its description was visible. None: unknown."""
    silent: tuple[tuple[str, bool], ...] = ()
    """Task and outcome of trials of which it is known that the text did not load."""

    @property
    def net(self) -> int:
        """Passes with minus passes without, over the tasks that the text reaches."""
        return sum(one.with_ - one.without for one in self.counts if one.exposed)

    @property
    def reached(self) -> int:
        """Trials with the text on the tasks that it reaches."""
        return sum(one.runs for one in self.counts if one.exposed)


@dataclass(frozen=True, slots=True)
class Candidate:
    """One text with everything published about its trials."""

    run: str
    name: str
    kind: str
    tier: str
    planted: str
    """What the lab planted it as; empty for what its agent proposed."""
    expected: str
    """The verdict that the lab planted it for; empty for what its agent proposed."""
    direction: Direction
    recorded: str
    """KEEP, KILL or RERUN; of a removal ACCEPT or REJECT."""
    scored: str
    """What the lab's scorer said of the last sweep that is published per task."""
    theme: frozenset[str]
    """Tasks of the screen: those that the text was written for."""
    sweeps: tuple[Sweep, ...]
    lab_trials: int
    """All valid trials that the recorded verdict rests on, published per task or not."""

    @property
    def id(self) -> str:
        """Run and name: names were used again in other runs."""
        return f"{self.run}/{self.name}"

    @property
    def trials(self) -> int:
        """Trials whose outcomes per task and arm are published."""
        return sum(2 * one.runs for sweep in self.sweeps for one in sweep.counts)

    @property
    def tasks(self) -> dict[str, bool]:
        """Task -> whether the text was visible there in some sweep, in order."""
        found: dict[str, bool] = {}
        for sweep in self.sweeps:
            for one in sweep.counts:
                found[one.task] = found.get(one.task, False) or one.exposed
        return found


def planted(path: Path = DATA / "gate-candidates.jsonl") -> list[Candidate]:
    """Return the planted candidates in the order of the file."""
    return [_planted(row) for row in _rows(path)]


def proposed(
    path: Path = DATA / "sweeps-per-task.jsonl", totals: Path = DATA / "sweeps-aggregate.jsonl"
) -> list[Candidate]:
    """Return what the evolution runs proposed, as far as outcomes per task are known."""
    groups: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for row in _rows(path):
        groups[row["run"], row["candidate"]].append(row)
    everything = _rows(totals)
    return [_proposed(rows, everything) for rows in groups.values()]


def same_text(path: Path = DATA / "aa-pairs-k3.jsonl") -> list[Candidate]:
    """Return one candidate for each sweep whose arms held the same text on some tasks.

    The gate is told that the text is about those tasks and loaded in all of their trials.
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
        theme=frozenset(one.task for one in counts),
        sweeps=(Sweep(counts, None, None),),
        lab_trials=sum(2 * one.runs for one in counts),
    )


def removals(path: Path = DATA / "prune-verdicts.jsonl") -> list[dict[str, Any]]:
    """Return the recorded removals as published: no outcomes per task."""
    return _rows(path)


def _word(verdict: str) -> str:
    """Return the verdict without what the file says about it."""
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
        theme=frozenset(one["task"] for one in row["screen"]["per_task"]),
        sweeps=tuple(
            Sweep(_counts(one, Direction.ADD), one["fired"], one["visible"]) for one in sweeps
        ),
        lab_trials=sum(one["rollouts"] - one["invalid"] for one in sweeps),
    )


PHASES = ("screen", "confirm", "recheck")


def _proposed(rows: list[dict[str, Any]], everything: Iterable[Mapping[str, Any]]) -> Candidate:
    first = rows[0]
    direction = Direction(first.get("mode", "add"))
    mine = [
        one
        for one in everything
        if (one["run"], one["candidate"]) == (first["run"], first["candidate"])
    ]
    screened = [one["tasks"] for one in mine if one["phase"] == "screen"]
    ordered = sorted(rows, key=lambda row: PHASES.index(row["phase"]))
    theme = screened[-1] if screened else [one["task"] for one in ordered[0]["per_task"]]
    return Candidate(
        run=first["run"],
        name=first["candidate"],
        kind=first["kind"],
        tier=first["tier"],
        planted="",
        expected="",
        direction=direction,
        recorded=_word(first["candidate_final"]),
        scored=_word(ordered[-1]["sweep_verdict"]),
        theme=frozenset(theme),
        sweeps=tuple(_sweep(row, direction) for row in ordered),
        lab_trials=sum(one["rollouts"] - one["invalid"] for one in mine),
    )


def _sweep(row: Mapping[str, Any], direction: Direction) -> Sweep:
    missed = row.get("cand_rollouts_where_candidate_did_not_load", ())
    silent = tuple((one["task"], bool(one["pass"])) for one in missed)
    return Sweep(_counts(row, direction), row["fired_cand_runs"], None, silent)


def _counts(sweep: Mapping[str, Any], direction: Direction) -> tuple[Counts, ...]:
    """Return the counts; in a removal the arm called `base` is the one with the text."""
    without, with_ = ("cand", "base") if direction is Direction.REMOVE else ("base", "cand")
    return tuple(
        Counts(one["task"], sweep["k"], one[without], one[with_], one["exposed"])
        for one in sweep["per_task"]
    )
