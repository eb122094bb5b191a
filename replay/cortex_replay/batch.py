"""A batch: pairs or single-arm trials in parallel; the arms of a pair one after the other."""

import queue
import random
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace

from cortex.digests import digest_text
from cortex.model.artifacts import Artifact
from cortex.model.tasks import Task
from cortex.model.trials import BOTH, Arm, Outcome, Trial
from cortex_replay import processes
from cortex_replay.agents.base import Agent
from cortex_replay.trial import TrialSpec, run_trial
from cortex_replay.workspace import Workspaces

RETRIES = 1
"""Retries of a trial with a missing outcome."""
RETRY_WAIT_S = 1.0
"""Wait before a retry."""


@dataclass(frozen=True, slots=True)
class PairSpec:
    """A pair of trials, or a single-arm trial."""

    experiment_id: str
    task: Task
    pair: int
    without: Mapping[str, str]
    with_: Mapping[str, str]
    artifact: Artifact
    seed: int
    timeout_s: float
    budget_usd: float | None = None
    model: str | None = None
    arms: tuple[Arm, ...] = BOTH
    reads_agents_file: bool = False

    def trials(self) -> tuple[TrialSpec, ...]:
        """Return the trials in an order drawn from the seed, each with its own seed."""
        arms = list(self.arms)
        random.Random(self.seed).shuffle(arms)
        return tuple(self._trial(arm) for arm in arms)

    def _trial(self, arm: Arm) -> TrialSpec:
        return TrialSpec(
            experiment_id=self.experiment_id,
            task=self.task,
            pair=self.pair,
            arm=arm,
            harness=self.with_ if arm is Arm.WITH else self.without,
            artifact=self.artifact,
            seed=int(digest_text(f"{self.seed} {arm}")[:12], 16),
            timeout_s=self.timeout_s,
            budget_usd=self.budget_usd,
            model=self.model,
            alone=len(self.arms) == 1,
            reads_agents_file=self.reads_agents_file,
        )


def run_batch(
    pairs: Sequence[PairSpec],
    workspaces: Workspaces,
    agent: Agent,
    concurrency: int,
    on_trial: Callable[[Trial], None],
    *,
    may_start: Callable[[], bool] = lambda: True,
) -> None:
    """Run pairs, at most `concurrency` in parallel, and pass each finished trial to `on_trial`.

    `on_trial` is called in the calling thread, `may_start` in worker threads before each trial. On
    KeyboardInterrupt all running agents are killed and the exception propagates; trials finished
    before have been passed on.
    """
    batch = _Batch(workspaces, agent, may_start)
    with ThreadPoolExecutor(max(1, min(concurrency, len(pairs)))) as pool:
        free = queue.SimpleQueue[int]()
        for slot in range(concurrency):
            free.put(slot)
        futures = [pool.submit(batch.run_pair, pair, free) for pair in pairs]
        try:
            batch.deliver(len(futures), on_trial)
        except BaseException:
            batch.stop(futures)
            raise
    for future in futures:
        future.result()


class _Batch:
    def __init__(self, workspaces: Workspaces, agent: Agent, may_start: Callable[[], bool]) -> None:
        self._workspaces = workspaces
        self._agent = agent
        self._may_start = may_start
        self._finished = queue.SimpleQueue[Trial | None]()
        self._stopping = threading.Event()

    def run_pair(self, pair: PairSpec, free: "queue.SimpleQueue[int]") -> None:
        """Run both arms in the same slot, so that they see the same paths."""
        slot = free.get()
        try:
            for spec in pair.trials():
                if self._stopping.is_set() or not self._may_start():
                    return
                if self._run_with_retries(spec, slot).outcome.missing:
                    return
        finally:
            free.put(slot)
            self._finished.put(None)

    def deliver(self, pair_count: int, on_trial: Callable[[Trial], None]) -> None:
        """Pass on finished trials until all pairs have ended."""
        while pair_count:
            trial = self._finished.get()
            if trial is None:
                pair_count -= 1
            else:
                on_trial(trial)

    def stop(self, futures: "Sequence[Future[None]]") -> None:
        """Start no more trials and kill running agents until all threads have ended."""
        self._stopping.set()
        for future in futures:
            future.cancel()
        while any(not future.done() for future in futures):
            processes.kill_all()
            time.sleep(0.02)

    def _run_with_retries(self, spec: TrialSpec, slot: int) -> Trial:
        for attempt in range(RETRIES + 1):
            trial = run_trial(replace(spec, attempt=attempt), self._workspaces, self._agent, slot)
            if self._stopping.is_set():
                return replace(trial, outcome=Outcome.INFRA)
            self._finished.put(trial)
            retryable = attempt < RETRIES and trial.outcome in (Outcome.INFRA, Outcome.CONTAMINATED)
            if not retryable or not self._may_start() or self._stopping.wait(RETRY_WAIT_S):
                break
        return trial
