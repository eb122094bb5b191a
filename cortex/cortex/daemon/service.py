"""The loop of the daemon."""

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from cortex.commands.context import DATABASE, Context
from cortex.config import home, load_config
from cortex.daemon import info
from cortex.daemon.info import DaemonInfo
from cortex.daemon.job_runner import JobRunner
from cortex.daemon.reading import Reading
from cortex.daemon.watching import Changes, Watcher
from cortex.errors import CortexError
from cortex.presenting.plain import plain
from cortex.timestamps import now
from cortex_store import Store

SETTLE_S = 0.08
"""A transcript grows by several writes; wait this long after the first."""
LOOK_S = 0.5
"""Between checks of the queue."""
REST = 3.0
"""After a reading, rest this many times as long as it took: a large session takes long."""
BEAT_S = 5.0
SWEEP_S = 30.0
STOP_S = 4.0


def serve() -> None:
    """Run until SIGTERM or SIGINT. Raises MachineError when another daemon is running."""
    folder = home()
    with info.alone(folder), _stoppable() as stopping:
        here = DaemonInfo(os.getpid(), now())
        info.announce(folder, here)
        with Store.open(folder / DATABASE) as store:
            context = Context(store, load_config(), folder)
            store.jobs.requeue_orphans(_owner(here))
            _loop(context, here, stopping)
    log("stopped")


def _owner(here: DaemonInfo) -> str:
    return f"{here.pid} {here.since}"


def _loop(context: Context, here: DaemonInfo, stopping: list[int]) -> None:
    pulse = _Pulse(context.home)

    def should_continue() -> bool:
        pulse.beat()
        return not stopping

    changes, runner = Changes(), JobRunner(_owner(here), log)
    reading = Reading(context, log, should_continue)
    watcher = Watcher(changes, poll=context.config.daemon.poll)
    seen, swept, rested = -1, 0.0, 0.0
    try:
        watcher.follow(reading.folders())
        _announce(context, here, watcher)
        while should_continue():
            if not swept or time.monotonic() - swept > SWEEP_S:
                if watcher.follow(reading.folders()):
                    _announce(context, here, watcher)
                reading.sweep()
                swept = time.monotonic()
            version = context.store.data_version()
            if version != seen and not runner.busy:
                _start_job(context, runner)
                seen = version
            rest = rested - time.monotonic()
            if rest > 0:
                time.sleep(min(rest, LOOK_S))
            else:
                rested = _read_changes(reading, changes)
    finally:
        watcher.stop()
        runner.stop(STOP_S)


def _read_changes(reading: Reading, changes: Changes) -> float:
    """Read changed files; return the monotonic time of the next reading."""
    changes.arrived.wait(LOOK_S)
    paths = changes.take(SETTLE_S)
    clock = time.monotonic()
    reading.read(paths)
    end = time.monotonic()
    return end + REST * (end - clock)


class _Pulse:
    """The heartbeat, at most every BEAT_S."""

    def __init__(self, home: Path) -> None:
        self._home, self._beaten = home, 0.0

    def beat(self) -> None:
        clock = time.monotonic()
        if not self._beaten or clock - self._beaten > BEAT_S:
            info.beat(self._home)
            self._beaten = clock


def _announce(context: Context, here: DaemonInfo, watcher: Watcher) -> None:
    """Publish that the daemon is ready, and the watched folders."""
    watched = watcher.watched
    info.announce(context.home, replace(here, ready=True, watches=watched, polls=watcher.polls))
    log(f"watches {', '.join(watched) or 'nothing yet'}{' by polling' if watcher.polls else ''}")


def _start_job(context: Context, runner: JobRunner) -> None:
    try:
        runner.next(context.store)
    except CortexError as error:
        log(f"queue: {error}")


@contextmanager
def _stoppable() -> Iterator[list[int]]:
    """Collect stop signals, and restore the handlers afterwards."""
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
    """Write a line with its time."""
    sys.stderr.write(f"{now()} {plain(message)}\n")
    sys.stderr.flush()


def log_file(folder: Path) -> Path:
    """Return where a detached daemon logs."""
    return folder / info.LOG
