"""One wave: pairs, or trials alone, beside each other; the arms of a pair one after the other."""

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
from cortex_replay.trial import TrialOrder, run_trial
from cortex_replay.workspace import Workspaces

RETRIES = 1
"""Of a trial that came back missing."""
RETRY_WAIT_S = 1.0
"""Before an `infra` trial is tried again."""


@dataclass(frozen=True, slots=True)
class PairOrder:
    """One pair of trials, or one trial alone."""

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

    def trials(self) -> tuple[TrialOrder, ...]:
        """Return the trials in an order drawn from the seed, with seeds of their own."""
        arms = list(self.arms)
        random.Random(self.seed).shuffle(arms)
        return tuple(self._trial(arm) for arm in arms)

    def _trial(self, arm: Arm) -> TrialOrder:
        return TrialOrder(
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
        )


def run_batch(
    orders: Sequence[PairOrder],
    workspaces: Workspaces,
    agent: Agent,
    concurrency: int,
    on_trial: Callable[[Trial], None],
    *,
    may_start: Callable[[], bool] = lambda: True,
) -> None:
    """Run pairs, at most `concurrency` beside each other, and hand over each trial as it ends.

    `on_trial` and `may_start` are called in the calling thread or under its control. On
    KeyboardInterrupt everything that runs is killed and the exception goes on; what was finished
    has been handed over.
    """
    batch = _Batch(workspaces, agent, may_start)
    with ThreadPoolExecutor(max(1, min(concurrency, len(orders)))) as pool:
        free = queue.SimpleQueue[int]()
        for slot in range(concurrency):
            free.put(slot)
        futures = [pool.submit(batch.run_pair, order, free) for order in orders]
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

    def run_pair(self, order: PairOrder, free: "queue.SimpleQueue[int]") -> None:
        """Run both arms in one slot, so that they see the same paths."""
        slot = free.get()
        try:
            for trial in order.trials():
                if self._stopping.is_set() or not self._may_start():
                    return
                if self._run_until_valid(trial, slot).outcome.missing:
                    return
        finally:
            free.put(slot)
            self._finished.put(None)

    def deliver(self, pairs: int, on_trial: Callable[[Trial], None]) -> None:
        """Hand over trials until all pairs have ended."""
        while pairs:
            trial = self._finished.get()
            if trial is None:
                pairs -= 1
            else:
                on_trial(trial)

    def stop(self, futures: "Sequence[Future[None]]") -> None:
        """Let nothing start any more and kill what runs until all threads have ended."""
        self._stopping.set()
        for future in futures:
            future.cancel()
        while any(not future.done() for future in futures):
            processes.kill_all()
            time.sleep(0.02)

    def _run_until_valid(self, order: TrialOrder, slot: int) -> Trial:
        for attempt in range(RETRIES + 1):
            trial = run_trial(replace(order, attempt=attempt), self._workspaces, self._agent, slot)
            if self._stopping.is_set():
                return replace(trial, outcome=Outcome.INFRA)
            self._finished.put(trial)
            retry = attempt < RETRIES and trial.outcome in (Outcome.INFRA, Outcome.CONTAMINATED)
            if not retry or not self._may_start() or self._stopping.wait(RETRY_WAIT_S):
                break
        return trial
