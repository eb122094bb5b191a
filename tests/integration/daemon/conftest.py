"""A home with a folder of transcripts, and daemons as processes."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from tests.integration.commands.conftest import recorded, shop, states

from cortex.commands.context import DATABASE
from cortex_store import Store

__all__ = ["DaemonHome", "house", "recorded", "shop", "states", "until"]


@dataclass
class DaemonHome:
    """Where daemons live."""

    home: Path
    transcripts: Path
    processes: "list[subprocess.Popen[bytes]]" = field(default_factory=list)

    @property
    def database(self) -> Path:
        return self.home / DATABASE

    def env(self) -> dict[str, str]:
        return {**os.environ, "CORTEX_HOME": str(self.home), "HOME": str(self.home)}

    def launch(self) -> "subprocess.Popen[bytes]":
        """Start a daemon in the foreground of its own process."""
        process = subprocess.Popen(
            [sys.executable, "-m", "cortex.daemon"],
            env=self.env(), stderr=(self.home / "daemon.log").open("ab"), cwd=self.home,
        )  # fmt: skip
        self.processes.append(process)
        return process

    def ready(self, process: "subprocess.Popen[bytes]") -> float:
        """Wait until it is ready; return the seconds."""
        clock = time.monotonic()

        def has_logged() -> bool:
            try:
                state = json.loads((self.home / "daemon.json").read_text())
            except (OSError, ValueError):
                return False
            return bool(state["pid"] == process.pid and state["ready"])

        until(has_logged, 15)
        return time.monotonic() - clock

    def cortex(
        self, *arguments: str, cwd: Path | None = None
    ) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-m", "cortex.cli.main", *arguments],
            env=self.env(), cwd=cwd or self.home, capture_output=True, text=True, check=False,
            timeout=60,
        )  # fmt: skip

    def corrections(self) -> list[str]:
        with Store.open(self.database, read_only=True) as store:
            return sorted(correction.id for correction in store.corrections.all())


def until(what: Callable[[], bool], seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if what():
            return
        time.sleep(0.01)
    raise AssertionError(f"not within {seconds} s")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[DaemonHome]:
    home, transcripts = tmp_path / "home", tmp_path / "transcripts"
    for folder in (home, transcripts):
        folder.mkdir()
    (home / "config.toml").write_text(
        f'transcripts = ["{transcripts}"]\n[agent]\nname = "scripted"\nplaybook = "none"\n'
    )
    made = DaemonHome(home, transcripts)
    yield made
    made.cortex("daemon", "stop")
    for process in made.processes:
        if process.poll() is None:
            process.kill()
        process.wait()
