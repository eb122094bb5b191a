"""Folders that come, go and are replaced, with native events and without."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.integration.daemon.conftest import until

from cortex.daemon import watching
from cortex.daemon.watching import Changes, Watcher


@pytest.fixture(params=[False, True], ids=["native", "polling"])
def watcher(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Watcher]:
    monkeypatch.setattr(watching, "POLL_S", 0.1)
    made = Watcher(Changes(), poll=request.param)
    yield made
    made.stop()


def arrives(watcher: Watcher, path: Path) -> None:
    """Write to a transcript until the watcher tells of it."""

    def told() -> bool:
        with path.open("a") as file:
            file.write("{}\n")
        return path in watcher.changes.take(0.05)

    until(told, 10)


def test_a_folder_is_followed_from_when_it_is_there(watcher: Watcher, tmp_path: Path) -> None:
    folder = tmp_path / "projects"
    assert not watcher.follow([folder])
    folder.mkdir()
    assert watcher.follow([folder])
    assert not watcher.follow([folder])
    assert watcher.watched == (str(folder),)
    arrives(watcher, folder / "a.jsonl")
    (folder / "shop").mkdir()
    arrives(watcher, folder / "shop" / "b.jsonl")


def test_a_folder_that_was_replaced_is_followed_again(watcher: Watcher, tmp_path: Path) -> None:
    folder, elsewhere = tmp_path / "projects", tmp_path / "old"
    folder.mkdir()
    watcher.follow([folder])
    folder.rename(elsewhere)
    assert watcher.follow([folder])
    folder.mkdir()
    assert watcher.follow([folder])
    arrives(watcher, folder / "a.jsonl")
    shutil.rmtree(folder)
    assert watcher.follow([])
    assert watcher.watched == ()


def test_a_folder_that_goes_while_it_is_looked_at_is_no_crash(
    watcher: Watcher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_: object, **__: object) -> None:
        raise FileNotFoundError(2, "No such file or directory")

    polls = watcher.polls
    with monkeypatch.context() as patch:
        patch.setattr(watcher.observer, "schedule", gone)
        assert not watcher.follow([tmp_path])
    assert watcher.polls is polls
    assert watcher.follow([tmp_path])
    arrives(watcher, tmp_path / "a.jsonl")


def test_without_native_events_it_polls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(28, "inotify watch limit reached")

    monkeypatch.setattr(watching, "POLL_S", 0.1)
    watcher = Watcher(Changes(), poll=False)
    try:
        monkeypatch.setattr(watcher.observer, "schedule", refuse)
        assert watcher.follow([tmp_path])
        assert watcher.polls
        arrives(watcher, tmp_path / "a.jsonl")
    finally:
        watcher.stop()
