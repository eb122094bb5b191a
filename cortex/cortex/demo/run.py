"""The demo: sessions are recorded, then the real loop runs on them, step by step."""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from cortex.artifacts import disk
from cortex.commands.budget import track_budget
from cortex.commands.context import DATABASE, Context
from cortex.commands.cycles import Cycle, evolve, finish, plan_prune, prune_one
from cortex.commands.experiments import Observer
from cortex.commands.ingest import Ingested, ingest
from cortex.commands.proposals import suggest
from cortex.config import AgentConfig, Config, TrialsConfig
from cortex.demo import playbook, story, world
from cortex.demo.heldout import measure
from cortex.demo.recording import Recorder
from cortex.demo.report import HeldOut, Report, Row
from cortex.demo.world import World
from cortex_store import Store

MAX_CYCLES = 5
PLANTED = {
    world.HELPFUL: "helpful",
    world.DEAD_WEIGHT: "dead-weight",
    world.NEVER_USED: "never-used",
}


class Listener(Protocol):
    """Hears how the demo goes on."""

    def step(self, title: str, total: int | None = None) -> None:
        """A step begins; `total` when it counts."""

    def advance(self) -> None:
        """One more of the step is done."""

    def told(self, text: str) -> None:
        """Something worth a line."""

    def observer(self) -> Observer:
        """Return callbacks for the trials of the step."""


@dataclass(frozen=True, slots=True)
class Demo:
    """One run of the demo in a folder."""

    world: World
    seed: int
    listener: Listener

    def run(self) -> Report:
        """Run everything and return what was found."""
        clock = time.monotonic()
        self._record()
        config = self._config()
        with Store.open(self.world.home / DATABASE) as store:
            context = Context(store, config, self.world.home, self.world.repository)
            read = self._read(context)
            before = disk.read_files(self.world.repository)
            candidates = (*self._evolve(context), *self._suggest(context))
            existing = self._prune(context, set(before))
            after = disk.read_files(self.world.repository)
            heldout, extra = self._measure(context, before, after)
            trials = len(_all_trials(context)) + extra
        return Report(
            seed=self.seed,
            seconds=time.monotonic() - clock,
            trials=trials,
            sessions=read.sessions,
            corrections=len(read.corrections),
            tasks=sum(task.status == "admitted" for task in read.tasks),
            candidates=candidates,
            existing=existing,
            heldout=heldout,
        )

    def _record(self) -> None:
        recorder = Recorder(self.world, self.seed)
        world.build(self.world, recorder.now())
        self.world.sessions.mkdir(parents=True, exist_ok=True)
        self.world.playbook.write_text(json.dumps(playbook.playbook(), indent=1), "utf-8")
        early, late = story.scenes(self.seed)
        self.listener.step("A developer works with an agent", len(early) + len(late))
        recorder.record(early, self.listener.advance)
        recorder.write_rule()
        recorder.record(late, self.listener.advance)

    def _config(self) -> Config:
        """Return the configuration, and leave it for the other commands."""
        trials = f"[trials]\nconcurrency = 2\nseed = {self.seed}\n"
        agent = f'[agent]\nname = "scripted"\nplaybook = {json.dumps(str(self.world.playbook))}\n'
        (self.world.home / "config.toml").write_text(f"{agent}\n{trials}", "utf-8")
        return Config(
            agent=AgentConfig(name="scripted", playbook=str(self.world.playbook)),
            trials=TrialsConfig(concurrency=2, seed=self.seed),
        )

    def _read(self, context: Context) -> Ingested:
        self.listener.step("Cortex reads the transcripts")
        read = ingest(context, [self.world.sessions / "projects"])
        admitted = sum(task.status == "admitted" for task in read.tasks)
        self.listener.told(
            f"{read.sessions} sessions, {len(read.corrections)} corrections, "
            f"{admitted} admitted as tasks"
        )
        return read

    def _evolve(self, context: Context) -> list[Row]:
        rows: list[Row] = []
        for number in range(1, MAX_CYCLES + 1):
            self.listener.step(f"Cycle {number}: propose, measure, keep or bury")
            cycle = evolve(context, track_budget(context, None), self.listener.observer())
            if cycle is None:
                self.listener.told("nothing more recurs: nothing to learn")
                break
            if cycle.verdict is None:
                reason = "; ".join(cycle.proposal.problems)
                name = cycle.candidate.artifact.name
                self.listener.told(f"{name} refused before any trial: {reason}")
                continue
            row = _row(cycle, _kind(cycle))
            rows.append(row)
            self.listener.told(f"{row.name}: {row.verdict} after {row.pairs} pairs")
        return rows

    def _suggest(self, context: Context) -> list[Row]:
        rows = []
        for name, (planted, text) in world.SUGGESTIONS.items():
            file = self.world.folder / "suggestions" / f"{name}.md"
            world.write(file, text)
            self.listener.step(f"Somebody recommends a rule: {name}")
            proposal = suggest(context, file)
            cycle = finish(context, proposal, track_budget(context, None), self.listener.observer())
            rows.append(_row(cycle, planted))
            self.listener.told(f"{name}: {rows[-1].verdict} after {rows[-1].pairs} pairs")
        return rows

    def _prune(self, context: Context, old: set[str]) -> tuple[Row, ...]:
        rows = []
        for planned in plan_prune(context):
            if planned.artifact.path not in old:
                continue
            name = planned.artifact.name
            self.listener.step(f"Is this old rule worth its place: {name}")
            cycle = prune_one(
                context, planned, track_budget(context, None), self.listener.observer()
            )
            row = _row(cycle, PLANTED[planned.artifact.path])
            rows.append(row)
            self.listener.told(f"{name}: {row.verdict} after {row.pairs} pairs")
        return tuple(rows)

    def _measure(
        self, context: Context, before: Mapping[str, str], after: Mapping[str, str]
    ) -> tuple[HeldOut, int]:
        work = story.held_out(self.seed)
        self.listener.step("New work, with the harness before and after", 2 * len(work))
        return measure(context, self.world, work, (before, after), self.listener.advance)


def run_demo(folder: Path, seed: int, listener: Listener) -> Report:
    """Run the demo in an empty folder."""
    return Demo(World(folder), seed, listener).run()


def _row(cycle: Cycle, planted: str) -> Row:
    verdict = cycle.verdict
    name = cycle.candidate.artifact.name
    if verdict is None:
        reason = "; ".join(cycle.proposal.problems)
        return Row(name, planted, "refused", 0, 0.0, 1.0, 0, reason)
    return Row(
        name=name,
        planted=planted,
        verdict=str(verdict.ruling),
        pairs=verdict.pairs,
        lift=verdict.lift,
        e_value=verdict.e_value,
        loaded=verdict.loaded,
        reason=verdict.reason,
    )


def _kind(cycle: Cycle) -> str:
    """Return what the demo knows of a theme's rule: one about errors is there already."""
    return "useless" if "ShopError" in cycle.candidate.artifact.text else "useful"


def _all_trials(context: Context) -> list[str]:
    return [
        trial.id
        for candidate in context.store.candidates.all()
        for experiment in context.store.experiments.for_candidate(candidate.id)
        for trial in context.store.experiments.trials(experiment.id)
    ]
