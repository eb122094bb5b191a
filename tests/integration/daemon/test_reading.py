"""What the daemon reads again, and what it leaves alone."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests import growing

from cortex.commands.context import DATABASE, Context
from cortex.commands.ingest import Ingested, ingest
from cortex.commands.quarantine import Failure
from cortex.config import Config
from cortex.daemon import reading as module
from cortex.daemon.reading import Reading
from cortex.errors import MachineError, UsageError
from cortex_store import Store


class ReadingWorld:
    """A reading, what it read and what it said."""

    def __init__(self, context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
        self.context, self.should_continue = context, True
        self.messages: list[str] = []
        self.read: list[list[str]] = []
        self.reading = Reading(context, self.messages.append, lambda: self.should_continue)
        self.unreadable: Path | None = None
        self.fault: Exception = UsageError("it cannot be read: Permission denied")
        monkeypatch.setattr(module, "ingest", self._ingest)

    def _ingest(
        self, context: Context, paths: list[Path], on_failure: Callable[[Failure], None]
    ) -> Ingested:
        if self.unreadable in paths:
            raise self.fault
        self.read.append([path.name for path in paths])
        return ingest(context, paths, on_failure=on_failure)

    def sweep(self) -> list[str]:
        """Return the names of the files that a sweep read."""
        self.read.clear()
        self.reading.sweep()
        return [name for portion in self.read for name in portion]

    def corrections(self) -> int:
        return len(self.context.store.corrections.all())


@pytest.fixture
def transcripts(tmp_path: Path) -> Path:
    folder = tmp_path / "transcripts"
    folder.mkdir()
    return folder


@pytest.fixture
def world(
    transcripts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[ReadingWorld]:
    config = Config(transcripts=(str(transcripts),))
    with Store.open(tmp_path / DATABASE) as store:
        yield ReadingWorld(Context(store, config, tmp_path), monkeypatch)


def test_a_sweep_reads_what_changed_and_nothing_else(
    world: ReadingWorld, transcripts: Path
) -> None:
    first, other = (growing.session(transcripts, number) for number in range(2))
    first.grow(growing.REJECTION)
    other.grow(1000)
    assert sorted(world.sweep()) == sorted([first.path.name, other.path.name])
    assert world.sweep() == []
    first.grow(1000)
    assert world.sweep() == [first.path.name]
    assert world.corrections() == 2 * growing.CORRECTIONS


def test_what_an_event_told_is_not_read_again(world: ReadingWorld, transcripts: Path) -> None:
    session = growing.session(transcripts, 1)
    session.grow(1000)
    world.reading.read([session.path, transcripts / "gone.jsonl"])
    assert world.sweep() == []
    assert world.corrections() == growing.CORRECTIONS


def test_one_that_cannot_be_read_does_not_stop_the_others(
    world: ReadingWorld, transcripts: Path
) -> None:
    sessions = [growing.session(transcripts, number) for number in range(3)]
    for session in sessions:
        session.grow(1000)
    world.unreadable = bad = sessions[1].path
    world.sweep()
    assert world.corrections() == 2 * growing.CORRECTIONS
    world.sweep()
    assert len([line for line in world.messages if "Permission denied" in line]) == 1
    world.unreadable = None
    os.utime(bad)
    assert world.sweep() == [bad.name]
    assert world.corrections() == 3 * growing.CORRECTIONS


def test_a_store_that_is_busy_is_tried_again(world: ReadingWorld, transcripts: Path) -> None:
    session = growing.session(transcripts, 1)
    session.grow(1000)
    world.unreadable, world.fault = session.path, MachineError("database is locked")
    world.sweep()
    world.unreadable = None
    assert world.sweep() == [session.path.name]
    assert world.corrections() == growing.CORRECTIONS


def test_it_stops_between_portions(
    world: ReadingWorld, transcripts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PORTION_BYTES", 1)
    for number in range(3):
        growing.session(transcripts, number).grow(1000)
    answers = iter([True, True, False, False])
    monkeypatch.setattr(world.reading, "_should_continue", lambda: next(answers))
    assert len(world.sweep()) == 2
    monkeypatch.setattr(world.reading, "_should_continue", lambda: True)
    assert len(world.sweep()) == 1
    assert world.corrections() == 3 * growing.CORRECTIONS
