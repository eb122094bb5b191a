"""A transcript that breaks the reader, or cannot be read, ends nothing else."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests import growing

from cortex import mining
from cortex.commands import building
from cortex.commands import ingest as module
from cortex.commands.context import DATABASE, Context
from cortex.commands.ingest import Ingested, ingest, read_file
from cortex.commands.quarantine import Failure
from cortex.config import Config
from cortex.tasks import building as tasks
from cortex_store import Store


class World:
    def __init__(self, folder: Path, store: Store) -> None:
        self.transcripts = folder / "transcripts"
        self.transcripts.mkdir()
        self.context = Context(store, Config(), folder)
        self.failures: list[Failure] = []

    def add(self, number: int) -> Path:
        session = growing.session(self.transcripts, number)
        session.grow(1000)
        return session.path

    def corrections(self) -> int:
        return len(self.context.store.corrections.all())

    def ingest(self) -> Ingested:
        return ingest(self.context, [self.transcripts], on_failure=self.failures.append)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with Store.open(tmp_path / DATABASE) as store:
        yield World(tmp_path, store)


def test_a_file_that_hits_a_bug_is_set_aside_until_it_changes(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    poisoned, _ = world.add(1), world.add(2)
    tried: list[Path] = []

    def read(context: Context, path: Path) -> tuple[str | None, int, int]:
        tried.append(path)
        if path == poisoned:
            raise RecursionError
        return read_file(context, path)

    monkeypatch.setattr(module, "read_file", read)
    result = world.ingest()
    assert result.quarantined == (str(poisoned),)
    assert [type(failure.error) for failure in world.failures] == [RecursionError]
    assert len(result.corrections) == world.corrections() == growing.CORRECTIONS
    tried.clear()
    assert world.ingest().quarantined == ()
    assert poisoned not in tried
    with poisoned.open("a", encoding="utf-8") as file:
        file.write("{}\n")
    assert world.ingest().quarantined == (str(poisoned),)


def test_a_session_that_hits_a_bug_in_mining_is_set_aside(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.add(1)
    world.add(2)
    poisoned: list[str] = []

    def mined(session: Any, *arguments: Any, **options: Any) -> Any:
        if not poisoned:
            poisoned.append(session.id)
        if session.id in poisoned:
            raise KeyError("x")
        return mining.mine(session, *arguments, **options)

    monkeypatch.setattr(module, "mine", mined)
    result = world.ingest()
    assert result.quarantined == tuple(poisoned)
    assert world.corrections() == growing.CORRECTIONS


def test_a_correction_whose_task_hits_a_bug_is_left_out(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.add(1)
    seen: list[str] = []

    def built(correction: Any, *arguments: Any) -> Any:
        seen.append(correction.id)
        if len(seen) == 1:
            raise ValueError("x")
        return tasks.build(correction, *arguments)

    monkeypatch.setattr(building, "build", built)
    result = world.ingest()
    assert result.quarantined == (seen[0],)
    assert len(result.tasks) == growing.CORRECTIONS - 1
    assert world.ingest().quarantined == ()


def test_a_file_that_cannot_be_read_is_named(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.add(1)
    gone = world.add(2)
    os.mkfifo(world.transcripts / "pipe.jsonl")

    def read(context: Context, path: Path) -> tuple[str | None, int, int]:
        if path == gone:
            raise FileNotFoundError(2, "No such file or directory")
        return read_file(context, path)

    monkeypatch.setattr(module, "read_file", read)
    result = world.ingest()
    assert result.unreadable == (f"{gone}: No such file or directory",)
    assert world.corrections() == growing.CORRECTIONS


def test_tasks_of_an_interrupted_run_are_built_by_the_next(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.add(1)

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(module, "build_pending", interrupted)
        with pytest.raises(KeyboardInterrupt):
            world.ingest()
    assert world.corrections() == growing.CORRECTIONS
    result = world.ingest()
    assert result.corrections == ()
    assert len(result.tasks) == growing.CORRECTIONS


@pytest.mark.parametrize(
    "line",
    [
        '{"type":"user","message":{"content":"\\ud800"},"x":' + "[" * 700 + "]" * 700 + "}",
        '{"type":"user","x":' + "[" * 100_000 + "]" * 100_000 + "}",
        '{"type":"user","uuid":["x"],"message":{"content":{"text":NaN}},"timestamp":1e999}',
        '{"type":"assistant","uuid":"u","message":{"content":[{"type":"tool_use","id":7}]}}',
        '{"type":"user","cwd":{},"sessionId":[],"timestamp":"0000-99-99T99:99:99Z"}',
        "9" * 10_000,
        "\x00",
    ],
)
def test_odd_lines_are_passed_over(world: World, line: str) -> None:
    path = world.add(1)
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join([*lines[:5], line + "\n", *lines[5:], line + "\n"]), "utf-8")
    assert world.ingest().quarantined == ()
    assert world.corrections() == growing.CORRECTIONS
