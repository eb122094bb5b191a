"""The daemon as a process: it follows, it survives, it spends nothing by itself."""

import os
import random
import shutil
import signal
import statistics
import time
from pathlib import Path

import pytest
from tests import growing
from tests.integration.commands.conftest import Shell
from tests.integration.daemon.conftest import DaemonHome, until

from cortex.commands.context import Context, open_context
from cortex.commands.ingest import ingest
from cortex.commands.queue import queue_removal
from cortex.config import Config
from cortex.model.jobs import JobStatus
from cortex_store import Store


def test_starting_stopping_and_looking(house: DaemonHome) -> None:
    assert house.cortex("daemon", "status").returncode == 1
    assert "is not running" in house.cortex("daemon", "stop").stdout
    clock = time.monotonic()
    started = house.cortex("daemon", "start")
    assert started.returncode == 0, started.stderr
    assert str(house.transcripts) in started.stdout
    assert time.monotonic() - clock < 10
    again = house.cortex("daemon", "start")
    assert (again.returncode, "already running" in again.stderr) == (3, True)
    assert "already running" in house.cortex("daemon", "run").stderr
    status = house.cortex("daemon", "status")
    assert status.returncode == 0
    assert str(house.transcripts) in status.stdout
    assert oct((house.home / "daemon.log").stat().st_mode & 0o777) == "0o600"
    clock = time.monotonic()
    assert "Stopped" in house.cortex("daemon", "stop").stdout
    assert time.monotonic() - clock < 6
    assert house.cortex("daemon", "status").returncode == 1


@pytest.mark.slow
def test_a_line_becomes_a_correction_at_once(house: DaemonHome) -> None:
    house.ready(house.launch())
    times = []
    for number in range(12):
        session = growing.session(house.transcripts / "shop", number)
        session.grow(growing.REJECTION)
        time.sleep(0.25)
        with Store.open(house.database, read_only=True) as store:
            clock = time.monotonic()
            session.grow(growing.REJECTION + 1)
            until(lambda s=store, n=number: len(s.corrections.all()) == n + 1, 20)  # type: ignore[misc]
            times.append(time.monotonic() - clock)
    assert statistics.median(times) < 2.0


def test_what_was_written_while_none_ran_is_found(house: DaemonHome) -> None:
    for number in range(3):
        growing.session(house.transcripts, number).grow(1000)
    house.ready(house.launch())
    until(lambda: len(house.corrections()) == 3 * growing.CORRECTIONS, 20)


@pytest.mark.slow
def test_killed_thirty_times_nothing_is_lost_or_doubled(house: DaemonHome, tmp_path: Path) -> None:
    draw = random.Random(7)
    sessions = [growing.session(house.transcripts / str(n % 3), n) for n in range(12)]
    starts = []
    for _ in range(30):
        process = house.launch()
        starts.append(process)
        end = time.monotonic() + draw.uniform(0.05, 0.9)
        while time.monotonic() < end:
            session = draw.choice(sessions)
            session.grow(min(len(session.lines), session.written + draw.randint(1, 8)))
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.wait()
    for session in sessions:
        session.grow(len(session.lines))
    assert house.ready(house.launch()) < 6
    expected = _clean(house, tmp_path / "clean")
    until(lambda: house.corrections() == expected, 40)
    assert len(expected) == len(sessions) * growing.CORRECTIONS
    assert house.cortex("verify").returncode == 0


def _clean(house: DaemonHome, home: Path) -> list[str]:
    """Return what one reading of the final files finds."""
    with Store.open(home / "cortex.db") as store:
        ingest(Context(store, Config(), home), [house.transcripts], tasks=False)
        return sorted(correction.id for correction in store.corrections.all())


def test_it_stops_within_five_seconds_and_survives_bad_transcripts(house: DaemonHome) -> None:
    (house.transcripts / "bad.jsonl").write_bytes(b"\x00\xff{not json\n" * 50)
    process = house.launch()
    house.ready(process)
    growing.session(house.transcripts, 1).grow(1000)
    until(lambda: len(house.corrections()) == growing.CORRECTIONS, 20)
    clock = time.monotonic()
    process.send_signal(signal.SIGTERM)
    assert process.wait(10) == 0
    assert time.monotonic() - clock < 5


@pytest.mark.slow
def test_an_idle_daemon_costs_next_to_nothing(house: DaemonHome) -> None:
    process = house.launch()
    house.ready(process)
    time.sleep(1.5)
    before = cpu_seconds(process.pid)
    time.sleep(4)
    assert (cpu_seconds(process.pid) - before) / 4 < 0.02


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.slow
def test_queued_experiments_run_and_are_taken_up_again(shop: Shell, house: DaemonHome) -> None:
    for name in ("cortex.db", "config.toml", "objects"):
        place = shop.home / name
        if place.is_dir():
            shutil.copytree(place, house.home / name)
        elif place.exists():
            shutil.copy2(place, house.home / name)
    os.environ["CORTEX_HOME"] = str(house.home)
    try:
        with open_context(shop.cwd) as context:
            job = queue_removal(context, "naming")
    finally:
        del os.environ["CORTEX_HOME"]
    process = house.launch()
    house.ready(process)
    with Store.open(house.database, read_only=True) as store:
        until(lambda: len(store.experiments.trials(_experiment(store))) >= 2, 40)
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 0
        (waiting,) = store.jobs.all()
        assert waiting.status is JobStatus.QUEUED
        kept = len(store.experiments.trials(_experiment(store)))
        house.ready(house.launch())
        until(lambda: store.jobs.all()[0].status is JobStatus.DONE, 90)
        (done,) = store.jobs.all()
        assert (done.id, done.note.split(":")[0]) == (job.id, "prune")
        assert len(store.experiments.trials(_experiment(store))) > kept
    assert (shop.cwd / ".claude/rules/naming.md").exists()


def _experiment(store: Store) -> str:
    row = store.execute("SELECT id FROM experiments ORDER BY rowid DESC LIMIT 1").fetchone()
    return str(row[0]) if row else ""


@pytest.mark.slow
def test_without_a_budget_nothing_that_costs_runs(shop: Shell, house: DaemonHome) -> None:
    shutil.copy2(shop.home / "cortex.db", house.home / "cortex.db")
    os.environ["CORTEX_HOME"] = str(house.home)
    try:
        with open_context(shop.cwd) as context:
            queue_removal(context, "naming")
        (house.home / "config.toml").write_text(
            'transcripts = []\n[agent]\ncommand = "/bin/true"\n'
        )
        house.ready(house.launch())
        with Store.open(house.database, read_only=True) as store:
            until(lambda: store.jobs.all()[0].status is JobStatus.FAILED, 30)
            assert "cost money" in store.jobs.all()[0].note
            assert _experiment(store) == ""
    finally:
        del os.environ["CORTEX_HOME"]
