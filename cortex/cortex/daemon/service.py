"""The loop of the daemon."""

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from cortex.commands.workbench import DATABASE, Workbench, now
from cortex.config import home, load_config
from cortex.daemon import presence
from cortex.daemon.experiments import Experiments
from cortex.daemon.presence import Presence
from cortex.daemon.reading import Reading
from cortex.daemon.watching import Changes, Watcher
from cortex.errors import CortexError
from cortex_store import Store

SETTLE_S = 0.08
"""A transcript grows by several writes; the first one waits so long for the others."""
LOOK_S = 0.5
"""Between looks at the queue."""
REST = 3.0
"""Times as long as a reading took, the next one is put off: that of a large session takes long."""
BEAT_S = 5.0
SWEEP_S = 30.0
STOP_S = 4.0


def serve() -> None:
    """Run until SIGTERM or SIGINT. Raises MachineError when another daemon runs."""
    folder = home()
    with presence.alone(folder), _stoppable() as stopping:
        here = Presence(os.getpid(), now())
        presence.announce(folder, here)
        with Store.open(folder / DATABASE) as store:
            bench = Workbench(store, load_config(), folder)
            store.jobs.adopt(_owner(here))
            _loop(bench, here, stopping)
    log("stopped")


def _owner(here: Presence) -> str:
    return f"{here.pid} {here.since}"


def _loop(bench: Workbench, here: Presence, stopping: list[int]) -> None:
    pulse = _Pulse(bench.home)

    def goes_on() -> bool:
        pulse.beat()
        return not stopping

    changes, experiments = Changes(), Experiments(_owner(here), log)
    reading = Reading(bench, log, goes_on)
    watcher = Watcher(changes, poll=bench.config.daemon.poll)
    seen, swept, rested = -1, 0.0, 0.0
    try:
        watcher.follow(reading.folders())
        _announce(bench, here, watcher)
        while goes_on():
            if not swept or time.monotonic() - swept > SWEEP_S:
                if watcher.follow(reading.folders()):
                    _announce(bench, here, watcher)
                reading.sweep()
                swept = time.monotonic()
            version = bench.store.data_version()
            if version != seen and not experiments.busy:
                _start_job(bench, experiments)
                seen = version
            rest = rested - time.monotonic()
            if rest > 0:
                time.sleep(min(rest, LOOK_S))
            else:
                rested = _read_changes(reading, changes)
    finally:
        watcher.stop()
        experiments.stop(STOP_S)


def _read_changes(reading: Reading, changes: Changes) -> float:
    """Read what changed; return the time of the clock until which to leave it at that."""
    changes.arrived.wait(LOOK_S)
    paths = changes.take(SETTLE_S)
    clock = time.monotonic()
    reading.read(paths)
    end = time.monotonic()
    return end + REST * (end - clock)


class _Pulse:
    """The heartbeat, no more often than it is looked for."""

    def __init__(self, home: Path) -> None:
        self._home, self._beaten = home, 0.0

    def beat(self) -> None:
        clock = time.monotonic()
        if not self._beaten or clock - self._beaten > BEAT_S:
            presence.beat(self._home)
            self._beaten = clock


def _announce(bench: Workbench, here: Presence, watcher: Watcher) -> None:
    """Say that it is ready, and what it watches."""
    watched = watcher.watched
    presence.announce(bench.home, replace(here, ready=True, watches=watched, polls=watcher.polls))
    log(f"watches {', '.join(watched) or 'nothing yet'}{' by polling' if watcher.polls else ''}")


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
