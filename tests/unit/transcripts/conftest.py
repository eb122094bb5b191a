import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from cortex.transcripts.claude_code import Chunk, read

Line = dict[str, Any]


@pytest.fixture
def samples() -> Path:
    """Transcripts that real agents wrote."""
    return Path(__file__).parents[2] / "data" / "transcripts"


@pytest.fixture
def written(tmp_path: Path) -> Callable[[Iterable[Line | bytes]], Path]:
    """Write lines as a transcript; a line that is not bytes gets what every line carries."""
    common = {
        "sessionId": "s-1",
        "cwd": "/home/dev/shop",
        "version": "2.1.40",
        "isSidechain": False,
    }

    def write(lines: Iterable[Line | bytes]) -> Path:
        path = tmp_path / "s-1.jsonl"
        with path.open("wb") as file:
            for number, line in enumerate(lines):
                if isinstance(line, bytes):
                    file.write(line + b"\n")
                    continue
                stamp = {
                    "uuid": f"u{number}",
                    "timestamp": f"2026-01-01T00:00:{number % 60:02}.000Z",
                }
                file.write(json.dumps({**common, **stamp, **line}).encode() + b"\n")
        return path

    return write


@pytest.fixture
def events_of(written: Callable[..., Path]) -> Callable[..., Chunk]:
    """Write lines and read them back."""

    def events(*lines: Line | bytes) -> Chunk:
        return read(written(lines))

    return events
