"""Queued experiments, one at a time, in a thread of their own."""

import threading
from collections.abc import Callable
from pathlib import Path

from cortex.commands.budget import track_budget
from cortex.commands.context import open_context
from cortex.commands.experiments import Observer, gate
from cortex.commands.queries import candidate as find_candidate
from cortex.errors import CortexError
from cortex.model.jobs import Job, JobStatus
from cortex.model.trials import Trial
from cortex.timestamps import now
from cortex_replay import processes
from cortex_store import Store

KILL_EVERY_S = 0.05


class _StopError(Exception):
    """The daemon is stopping: the experiment ends with its finished trials."""


class JobRunner:
    """Runs queued jobs; `log` is called with a line for each."""

    def __init__(self, owner: str, log: Callable[[str], None]) -> None:
        self._owner = owner
        self._log = log
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()

    @property
    def busy(self) -> bool:
        """Whether a job is running."""
        return self._thread is not None and self._thread.is_alive()

    def next(self, store: Store) -> None:
        """Start the oldest queued job unless a job is running."""
        if self.busy or self._stopping.is_set():
            return
        job = store.jobs.claim(self._owner, now())
        if job is not None:
            self._thread = threading.Thread(target=self._run, args=(job,), daemon=True)
            self._thread.start()

    def stop(self, seconds: float) -> None:
        """Stop the running job: its trials are killed, it is requeued, finished trials are kept."""
        self._stopping.set()
        thread, waited = self._thread, 0.0
        while thread is not None and thread.is_alive() and waited < seconds:
            processes.kill_all()
            thread.join(KILL_EVERY_S)
            waited += KILL_EVERY_S

    def _run(self, job: Job) -> None:
        status, note = JobStatus.FAILED, ""
        try:
            with open_context(Path(job.repository)) as context:
                try:
                    candidate = find_candidate(context, job.candidate_id)
                    budget = track_budget(context, job.budget_usd)
                    verdict = gate(context, candidate, budget, Observer(on_trial=self._after_trial))
                    status, note = JobStatus.DONE, f"{verdict.ruling}: {verdict.reason}"
                except _StopError:
                    status, note = JobStatus.QUEUED, "stopped with the daemon; resumes with it"
                except CortexError as error:
                    note = str(error)
                context.store.jobs.finish(job.id, status, note, now())
        except CortexError as error:
            note = str(error)
        self._log(f"job {job.id} ({job.candidate_id}): {status}: {note}")

    def _after_trial(self, _: Trial) -> None:
        if self._stopping.is_set():
            raise _StopError
