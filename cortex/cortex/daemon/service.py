"""The loop of the daemon."""

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cortex.commands.workbench import DATABASE, Workbench, now
from cortex.config import home, load_config
from cortex.daemon import presence
from cortex.daemon.experiments import Experiments
from cortex.daemon.presence import Presence
from cortex.daemon.reading import read, roots, sweep
from cortex.daemon.watching import Changes, watch
from cortex.errors import CortexError
from cortex_store import Store

SETTLE_S = 0.08
"""A transcript grows by several writes; the first one waits so long for the others."""
LOOK_S = 0.5
"""Between looks at the queue."""
BEAT_S = 5.0
SWEEP_S = 30.0
STOP_S = 4.0


def serve() -> None:
    """Run until SIGTERM or SIGINT. Raises MachineError when another daemon runs."""
    folder = home()
    with presence.alone(folder), _stoppable() as stopping:
        owner = f"{os.getpid()} {now()}"
        presence.announce(folder, Presence(os.getpid(), now()))
        with Store.open(folder / DATABASE) as store:
            bench = Workbench(store, load_config(), folder)
            store.jobs.adopt(owner)
            _loop(bench, owner, stopping)
    log("stopped")


def _loop(bench: Workbench, owner: str, stopping: list[int]) -> None:
    folders, changes = roots(bench), Changes()
    observer, polls = watch(folders, changes, poll=bench.config.daemon.poll)
    experiments = Experiments(owner, log)
    watched = tuple(map(str, folders))
    presence.announce(bench.home, Presence(os.getpid(), now(), True, watched, polls))
    log(f"watches {', '.join(watched) or 'nothing yet'}{' by polling' if polls else ''}")
    swept = beaten = 0.0
    seen = -1
    try:
        while not stopping:
            clock = time.monotonic()
            if clock - swept > SWEEP_S:
                sweep(bench, folders, log)
                swept = time.monotonic()
            if clock - beaten > BEAT_S:
                presence.beat(bench.home)
                beaten = clock
            version = bench.store.data_version()
            if version != seen and not experiments.busy:
                _start_job(bench, experiments)
                seen = version
            changes.arrived.wait(LOOK_S)
            read(bench, changes.take(SETTLE_S), log)
    finally:
        observer.stop()
        experiments.stop(STOP_S)


def _start_job(bench: Workbench, experiments: Experiments) -> None:
    try:
        experiments.next(bench.store)
    except CortexError as error:
        log(f"queue: {error}")


@contextmanager
def _stoppable() -> Iterator[list[int]]:
    """Collect signals that ask to stop, and put the handlers back afterwards."""
    asked: list[int] = []

    def note(number: int, _: object) -> None:
        asked.append(number)

    numbers = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
    before = {number: signal.signal(number, note) for number in numbers}
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def log(message: str) -> None:
    """Write one line with its time."""
    sys.stderr.write(f"{now()} {message}\n")
    sys.stderr.flush()


def log_file(folder: Path) -> Path:
    """Return where a detached daemon logs."""
    return folder / presence.LOG
