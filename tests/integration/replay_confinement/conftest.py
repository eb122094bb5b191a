import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from cortex_replay.agents.base import AgentJob
from cortex_replay.agents.inherited import inherited
from cortex_replay.agents.running import run_agent
from cortex_replay.confinement import Confinement, Limits
from cortex_replay.processes import ProcessResult
from cortex_replay.sandbox import bubblewrap

Play = Callable[..., ProcessResult]
SMALL = Limits(processes=150, memory=400 << 20, file=8 << 20, disk=64 << 20)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The person's home folder, with what is worth stealing."""
    folder = tmp_path / "person"
    for name in (".ssh", ".aws", ".claude"):
        (folder / name).mkdir(parents=True)
    (folder / ".ssh" / "id_ed25519").write_text("PLANTED key")
    (folder / ".aws" / "credentials").write_text("PLANTED cloud")
    (folder / ".claude" / ".credentials.json").write_text('{"token": "PLANTED login"}')
    monkeypatch.setenv("HOME", str(folder))
    return folder


@pytest.fixture
def job(tmp_path: Path, home: Path) -> AgentJob:
    """A job in the folders of a run, beside those of another slot; confined by bubblewrap."""
    run = tmp_path / "cortex-trials" / "run-1"
    for name in ("slot-0/shop", "state-0", "home-0", "slot-1/shop", "state-1", "templates/task-1"):
        (run / name).mkdir(parents=True)
    (run / "slot-1" / "shop" / "fix.py").write_text("PLANTED fix of the other slot")
    (run / "templates" / "task-1" / "base.py").write_text("PLANTED template")
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "cortex.db").write_text("PLANTED store")
    confinement = Confinement(hidden=(str(tmp_path / "store"),), limits=SMALL)
    return AgentJob(
        workspace=run / "slot-0" / "shop",
        state=run / "state-0",
        home=run / "home-0",
        prompt="",
        session_id="s",
        model=None,
        timeout_s=20.0,
        budget_usd=None,
        seed=0,
        confinement=confinement,
    )


@pytest.fixture
def play(job: AgentJob, tmp_path: Path) -> Play:
    """Run a shell script as the agent's program; `W` is the folder outside."""

    assert bubblewrap(), "install bubblewrap"

    def run(script: str, **changes: object) -> ProcessResult:
        env = inherited(os.environ) | {"HOME": str(job.home), "W": str(tmp_path)}
        return run_agent(("bash", "-c", script), replace(job, **changes), env)  # type: ignore[arg-type]

    return run
