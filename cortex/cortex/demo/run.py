"""The demo: records sessions, then runs the real loop on them step by step."""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from cortex.artifacts import disk
from cortex.commands.budget import track_budget
from cortex.commands.context import DATABASE, Context
from cortex.commands.cycles import Cycle, evolve, finish, gate_removal, plan_prune
from cortex.commands.experiments import Observer
from cortex.commands.ingest import Ingested, ingest
from cortex.commands.proposals import suggest
from cortex.config import AgentConfig, Config, TrialsConfig
from cortex.demo import playbook, story, world
from cortex.demo.heldout import measure
from cortex.demo.recording import Recorder
from cortex.demo.report import HeldOut, Report, Row
from cortex.demo.world import DemoPaths
from cortex_store import Store

MAX_CYCLES = 5
PLANTED = {
    world.HELPFUL: "helpful",
    world.DEAD_WEIGHT: "dead-weight",
    world.NEVER_USED: "never-used",
}


class DemoProgress(Protocol):
    """Receives the progress of the demo."""

    def step(self, title: str, total: int | None = None) -> None:
        """Start a step; `total` is its number of parts, if known."""

    def advance(self) -> None:
        """Complete a part of the step."""

    def message(self, text: str) -> None:
        """Print a line."""

    def observer(self) -> Observer:
        """Return callbacks for the trials of the step."""


@dataclass(frozen=True, slots=True)
class Demo:
    """A run of the demo in a folder."""

    world: DemoPaths
    seed: int
    progress: DemoProgress

    def run(self) -> Report:
        """Run everything and return the report."""
        clock = time.monotonic()
        self._record()
        config = self._config()
        with Store.open(self.world.home / DATABASE) as store:
            context = Context(store, config, self.world.home, self.world.repository)
            ingested = self._ingest(context)
            before = disk.read_files(self.world.repository)
            candidates = (*self._evolve(context), *self._suggest(context))
            existing = self._prune(context, set(before))
            after = disk.read_files(self.world.repository)
            heldout, heldout_trials = self._measure(context, before, after)
            trials = len(_all_trials(context)) + heldout_trials
        return Report(
            seed=self.seed,
            seconds=time.monotonic() - clock,
            trials=trials,
            sessions=ingested.sessions,
            corrections=len(ingested.corrections),
            tasks=sum(task.status == "admitted" for task in ingested.tasks),
            candidates=candidates,
            existing=existing,
            heldout=heldout,
        )

    def _record(self) -> None:
        recorder = Recorder(self.world, self.seed)
        world.build(self.world, recorder.now())
        self.world.sessions.mkdir(parents=True, exist_ok=True)
        self.world.playbook.write_text(json.dumps(playbook.playbook(), indent=1), "utf-8")
        early, late = story.recorded_sessions(self.seed)
        self.progress.step("Record sessions of a developer with an agent", len(early) + len(late))
        recorder.record(early, self.progress.advance)
        recorder.write_rule()
        recorder.record(late, self.progress.advance)

    def _config(self) -> Config:
        """Write the configuration, which other commands read too, and return it."""
        trials = f"[trials]\nconcurrency = 2\nseed = {self.seed}\n"
        agent = f'[agent]\nname = "scripted"\nplaybook = {json.dumps(str(self.world.playbook))}\n'
        (self.world.home / "config.toml").write_text(f"{agent}\n{trials}", "utf-8")
        return Config(
            agent=AgentConfig(name="scripted", playbook=str(self.world.playbook)),
            trials=TrialsConfig(concurrency=2, seed=self.seed),
        )

    def _ingest(self, context: Context) -> Ingested:
        self.progress.step("Ingest the transcripts")
        ingested = ingest(context, [self.world.sessions / "projects"])
        admitted = sum(task.status == "admitted" for task in ingested.tasks)
        self.progress.message(
            f"{ingested.sessions} sessions, {len(ingested.corrections)} corrections, "
            f"{admitted} tasks admitted"
        )
        return ingested

    def _evolve(self, context: Context) -> list[Row]:
        rows: list[Row] = []
        for number in range(1, MAX_CYCLES + 1):
            self.progress.step(f"Cycle {number}: propose a rule, test it, keep or bury it")
            cycle = evolve(context, track_budget(context, None), self.progress.observer())
            if cycle is None:
                self.progress.message("no recurring correction left")
                break
            if cycle.verdict is None:
                reason = "; ".join(cycle.proposal.problems)
                name = cycle.candidate.artifact.name
                self.progress.message(f"{name}: refused by static checks: {reason}")
                continue
            row = _row(cycle, _planted_kind(cycle))
            rows.append(row)
            self.progress.message(f"{row.name}: {row.verdict} after {row.pairs} pairs")
        return rows

    def _suggest(self, context: Context) -> list[Row]:
        rows = []
        for name, (planted, text) in world.SUGGESTIONS.items():
            file = self.world.folder / "suggestions" / f"{name}.md"
            world.write(file, text)
            self.progress.step(f"Test a suggested rule: {name}")
            proposal = suggest(context, file)
            cycle = finish(context, proposal, track_budget(context, None), self.progress.observer())
            rows.append(_row(cycle, planted))
            self.progress.message(f"{name}: {rows[-1].verdict} after {rows[-1].pairs} pairs")
        return rows

    def _prune(self, context: Context, existing_paths: set[str]) -> tuple[Row, ...]:
        rows = []
        for planned in plan_prune(context):
            if planned.artifact.path not in existing_paths:
                continue
            name = planned.artifact.name
            self.progress.step(f"Test an existing rule: {name}")
            cycle = gate_removal(
                context, planned, track_budget(context, None), self.progress.observer()
            )
            row = _row(cycle, PLANTED[planned.artifact.path])
            rows.append(row)
            self.progress.message(f"{name}: {row.verdict} after {row.pairs} pairs")
        return tuple(rows)

    def _measure(
        self, context: Context, before: Mapping[str, str], after: Mapping[str, str]
    ) -> tuple[HeldOut, int]:
        work = story.held_out(self.seed)
        self.progress.step("Held-out work, with the harness before and after", 2 * len(work))
        return measure(context, self.world, work, (before, after), self.progress.advance)


def run_demo(folder: Path, seed: int, progress: DemoProgress) -> Report:
    """Run the demo in an empty folder."""
    return Demo(DemoPaths(folder), seed, progress).run()


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


def _planted_kind(cycle: Cycle) -> str:
    """Return how a theme's rule counts: a rule about errors exists already."""
    return "useless" if "ShopError" in cycle.candidate.artifact.text else "useful"


def _all_trials(context: Context) -> list[str]:
    return [
        trial.id
        for candidate in context.store.candidates.all()
        for experiment in context.store.experiments.for_candidate(candidate.id)
        for trial in context.store.experiments.trials(experiment.id)
    ]
