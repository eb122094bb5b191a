"""The pace of the loop."""

import time
from collections.abc import Iterable
from pathlib import Path

import pytest

from cortex.daemon import service
from cortex.daemon.reading import Reading
from cortex.daemon.watching import Changes


@pytest.mark.parametrize(("takes", "at_least", "at_most"), [(0.01, 0.0, 0.2), (0.3, 0.9, 1.2)])
def test_a_long_reading_is_followed_by_a_rest(
    takes: float, at_least: float, at_most: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(_: Reading, paths: Iterable[Path]) -> None:
        assert list(paths) == [Path("a.jsonl")]
        time.sleep(takes)

    monkeypatch.setattr(Reading, "read", read)
    changes = Changes()
    changes.add(Path("a.jsonl"))
    rested = service._read_changes(Reading.__new__(Reading), changes)
    assert at_least - 0.05 <= rested - time.monotonic() <= at_most
