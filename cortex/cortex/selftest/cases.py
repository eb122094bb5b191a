"""Experiments whose answer is known: small tasks, planted texts, and how the scripted agent works.

The same tasks serve every agent. What a planted text says cannot be guessed (an invented word), and
what no text says is left to chance, so that the answer does not depend on the model.
"""

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from cortex.artifacts import harness
from cortex.digests import digest_text, short_id
from cortex.model.artifacts import Artifact, ChangeKind
from cortex.model.tasks import BaseTree, PatternCheck, Task


class Kind(StrEnum):
    """What is planted."""

    SAME_ADDED = "same-added"
    SAME_REMOVED = "same-removed"
    HELPS = "helps"
    BREAKS = "breaks"
    IDLE = "idle"
    UNLOADED_ADDED = "unloaded-added"
    UNLOADED_REMOVED = "unloaded-removed"


SAME = (Kind.SAME_ADDED, Kind.SAME_REMOVED)
"""A/A: both arms hold the text, the gate believes that one of them lacks it."""

PLANTED = tuple(kind for kind in Kind if kind not in SAME)
REPEATS_PER_PLANTED = 6
"""A planted text has an answer that is hard to miss, so it is tried less often."""

MAX_TRIALS = {kind: 24 if kind in SAME else 60 for kind in Kind}
"""Of one experiment: enough to err in, few enough to run many."""

NAMES = ("amber", "birch", "cedar", "dune", "ember", "fjord")
RATES = ((0.5, 0.5, 0.9), (0.3, 0.1, 0.9), (0.5, 0.9, 0.95), (0.5, 0.5, 0.5))
"""Chances with which the scripted agent picks `left`: what an agent gets right by luck."""

FILES = {
    "README.md": "# Shelf\n\nSmall modules, notes and draws.\n",
    "src/README.md": "# Modules\n\nOne function in a module.\n",
    "notes/README.md": "# Notes\n\nOne line in a note.\n",
    "draws/README.md": "# Draws\n\nOne pick in a file.\n",
}
CARE = "Think about edge cases before you start.\n"
ABOLISHED = (
    "Owner lines are abolished. A new module below `src/` starts with its docstring; never write a "
    "line that begins with `# owner`. This replaces every other rule about owner lines.\n"
)


@dataclass(frozen=True, slots=True)
class Job:
    """One task, and what the scripted agent does for it."""

    name: str
    prompt: str
    path: str
    patterns: tuple[str, ...]
    """What lines of the finished file must match."""
    good: str
    bad: str
    """The whole file as it should be, and as an agent that was not told may write it."""
    habit: str
    theme: bool = False
    others: tuple[str, ...] = ()
    """More paths that the task is said to be about."""

    def task(self, task_id: str, base: BaseTree) -> Task:
        """Return the task, with proofs for its admission."""
        checks = (PatternCheck(pattern, (self.path,), present=True) for pattern in self.patterns)
        return Task(
            id=task_id,
            prompt=self.prompt,
            base=base,
            checks=tuple(checks),
            paths=(self.path, f"{self.folder}/README.md", *self.others),
            attempt={self.path: self.bad},
            corrected={self.path: self.good},
        )

    @property
    def folder(self) -> str:
        """The path of its file."""
        return self.path.split("/")[0]

    def played(self) -> dict[str, Any]:
        """Return the entry in a playbook."""
        return {
            "match": f"{self.path.removesuffix('.py')}\\b",
            "slots": {"file": {"habit": self.habit, "good": self.good, "bad": self.bad}},
            "steps": [
                {"read": f"{self.folder}/README.md"},
                {"write": self.path, "text": "<<file>>"},
                {"say": "Done."},
            ],
        }


@dataclass(frozen=True, slots=True)
class Case:
    """One experiment with a known answer."""

    kind: Kind
    number: int
    seed: int
    """Of its trials."""
    artifact: Artifact
    jobs: tuple[Job, ...]
    habits: tuple[dict[str, Any], ...]
    harness: Mapping[str, str] = field(default_factory=dict)
    """Harness files of the repository: relative path -> text."""

    @property
    def change(self) -> ChangeKind:
        """What the gate is asked about."""
        removes = self.kind in (Kind.SAME_REMOVED, Kind.UNLOADED_REMOVED)
        return ChangeKind.REMOVE if removes else ChangeKind.ADD

    @property
    def max_trials(self) -> int:
        """More are not run."""
        return MAX_TRIALS[self.kind]

    @property
    def files(self) -> Mapping[str, str]:
        """Everything in the repository: relative path -> text."""
        return {**FILES, **self.harness}

    def task_id(self, job: Job) -> str:
        """Return the same id wherever the repository is: seeds of trials depend on it."""
        return short_id("task", "self-test", str(self.seed), job.name)

    def playbook(self) -> dict[str, Any]:
        """Return how the scripted agent works on it."""
        jobs = [job.played() for job in self.jobs]
        return {"model": "scripted-1", "slip": 0.0, "habits": list(self.habits), "jobs": jobs}


def plan(repeats: int, kinds: Iterable[Kind] = tuple(Kind)) -> tuple[tuple[Kind, int], ...]:
    """Return (kind, number) of all experiments, the planted ones spread evenly between the others.

    So a budget that ends early leaves some of each.
    """
    wanted = set(kinds)
    planted = range(max(1, repeats // REPEATS_PER_PLANTED))
    groups = (
        [(kind, number) for number in range(repeats) for kind in SAME if kind in wanted],
        [(kind, number) for number in planted for kind in PLANTED if kind in wanted],
    )
    placed = [
        ((place + 0.5) / len(group), case) for group in groups for place, case in enumerate(group)
    ]
    return tuple(case for _, case in sorted(placed, key=lambda position: position[0]))


def build(kind: Kind, number: int, seed: int) -> Case:
    """Return one experiment; the same for the same arguments."""
    own = int(digest_text(f"self-test {seed} {kind} {number}")[:8], 16)
    if kind in SAME:
        return _same(kind, number, own)
    return _planted(kind, number, own)


def _same(kind: Kind, number: int, seed: int) -> Case:
    themed = kind is Kind.SAME_ADDED and number % 2 == 0
    rates = RATES[number // 2 % len(RATES)]
    jobs = tuple(_draw(name, themed and at < 2) for at, name in zip(range(3), NAMES, strict=False))
    habits = [
        {"id": f"draw {job.name}", "rate": rate} for job, rate in zip(jobs, rates, strict=True)
    ]
    artifact, files = _SHAPES[number % len(_SHAPES)]
    there = files if kind is Kind.SAME_REMOVED else {}
    return Case(kind, number, seed, artifact, jobs, tuple(habits), there)


def _planted(kind: Kind, number: int, seed: int) -> Case:
    word = _word(random.Random(seed))
    house = harness.from_text(
        ".claude/rules/house.md",
        f"Every new module below `src/` starts with the line `# owner: {word}`.\n",
    )
    habits = (
        {
            "id": "owner",
            "heeds": [f"# owner: {word}"],
            "rate": 0.02,
            "heeded": 0.97,
            "misled_by": ["Owner lines are abolished"],
            "misled": 0.03,
        },
        {"id": "note", "rate": 0.97},
    )
    if kind is Kind.HELPS:
        jobs = (*(_module(name, word, theme=True) for name in NAMES[:2]), _note(NAMES[2]))
        return Case(kind, number, seed, house, jobs, habits)
    modules = tuple(_module(name, word) for name in NAMES[:2])
    artifact = _TEXTS[kind]
    there = {house.path: house.text}
    if kind is Kind.UNLOADED_REMOVED:
        there[artifact.path] = artifact.text
    return Case(kind, number, seed, artifact, modules, habits, there)


def _module(name: str, word: str, *, theme: bool = False) -> Job:
    body = f"def {name}(a, b):\n    return a + b\n"
    return Job(
        name=name,
        prompt=f"Read src/README.md. Then add the module src/{name}.py with a function "
        f"{name}(a, b) that returns the sum of both.",
        path=f"src/{name}.py",
        patterns=(f"^# owner: {word}$", f"^def {name}\\("),
        good=f"# owner: {word}\n{body}",
        bad=body,
        habit="owner",
        theme=theme,
        others=("attic/old.md",),
    )


def _note(name: str) -> Job:
    return Job(
        name=name,
        prompt=f"Read notes/README.md. Then write notes/{name}.md with this one line: "
        f"{name} is done",
        path=f"notes/{name}.md",
        patterns=(f"^{name} is done$",),
        good=f"{name} is done\n",
        bad=f"{name} is open\n",
        habit="note",
    )


def _draw(name: str, theme: bool) -> Job:
    return Job(
        name=name,
        prompt=f"Read draws/README.md. Then write draws/{name}.py with one line, either "
        'PICK = "left" or PICK = "right": choose by chance, as if you tossed a coin.',
        path=f"draws/{name}.py",
        patterns=('^PICK = "left"$',),
        good='PICK = "left"\n',
        bad='PICK = "right"\n',
        habit=f"draw {name}",
        theme=theme,
    )


def _word(draw: random.Random) -> str:
    """Return a word that nobody would guess."""
    return "".join(draw.choice("bdfgklmnprstvz") + draw.choice("aeiou") for _ in range(4))


def _shapes() -> tuple[tuple[Artifact, dict[str, str]], ...]:
    """Return text that loads at once, with a file, and as a section, with the files it is in."""
    open_ = harness.from_text(".claude/rules/care.md", CARE)
    scoped = harness.from_text(".claude/rules/draws.md", f'---\npaths: ["draws/**"]\n---\n{CARE}')
    document = {"CLAUDE.md": f"## Care\n\n{CARE}"}
    (section,) = harness.parse(document)
    return (
        (open_, {open_.path: open_.text}),
        (scoped, {scoped.path: scoped.text}),
        (section, document),
    )


_SHAPES = _shapes()
_ATTIC = harness.from_text(
    ".claude/rules/attic.md", '---\npaths: ["attic/**"]\n---\nLeave what lies here as it is.\n'
)
_TEXTS = {
    Kind.BREAKS: harness.from_text(".claude/rules/no-owners.md", ABOLISHED),
    Kind.IDLE: harness.from_text(".claude/rules/care.md", CARE),
    Kind.UNLOADED_ADDED: _ATTIC,
    Kind.UNLOADED_REMOVED: _ATTIC,
}
