"""Configuration: defaults, the user's `config.toml`, the repository's `.cortex/config.toml`.

What costs money is only ever read from the user's own file: a repository that somebody else
wrote must not be able to spend.
"""

import os
import tomllib
from pathlib import Path
from typing import Any, Literal

import platformdirs
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from cortex.errors import UsageError


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class AgentConfig(_Section):
    """Which agent runs the trials."""

    name: str = "claude-code"
    command: str | None = None
    """Path of the agent's program; None looks it up on PATH."""
    model: str | None = None
    """Passed to the agent; None leaves its default."""
    timeout_s: float = Field(default=600.0, gt=0)
    """Wall time of one trial."""
    playbook: str | None = None
    """The `scripted` agent's behaviour (a JSON file)."""


class GateConfig(_Section):
    """The policy of the gate; see docs/gate.md."""

    alpha: float = Field(default=0.05, gt=0, lt=0.5)
    tau: float = Field(default=1 / 3, gt=0, lt=1)
    delta: float = Field(default=0.25, gt=0, lt=1)
    false_keeps: float = Field(default=0.2, gt=0, lt=1)
    """Expected share of false keeps over the lifetime of a repository, at most."""


class BudgetConfig(_Section):
    """Caps in US dollars; no cap means that nothing is spent without `--budget`."""

    per_trial_usd: float | None = Field(default=None, gt=0)
    per_experiment_usd: float | None = Field(default=None, gt=0)
    per_day_usd: float | None = Field(default=None, gt=0)


class TrialsConfig(_Section):
    """How trials run."""

    concurrency: int = Field(default=2, ge=1, le=64)
    max_trials: int = Field(default=300, ge=2)
    """Of one experiment."""
    seed: int = 0
    """Draws the order of arms, and all that a seeded agent does."""


class WriterConfig(_Section):
    """Who writes candidates: `template` (offline), `anthropic` or `claude-code`."""

    name: str = "template"
    model: str | None = None


class DaemonConfig(_Section):
    """How the daemon watches transcripts."""

    poll: bool = False
    """For file systems without events, as of networks."""


class HookConfig(_Section):
    """What the git hook does; read by it without this module."""

    unused: Literal["report", "archive", "ignore"] = "report"


class Config(_Section):
    """All settings, with defaults that spend nothing."""

    agent: AgentConfig = AgentConfig()
    gate: GateConfig = GateConfig()
    budget: BudgetConfig = BudgetConfig()
    trials: TrialsConfig = TrialsConfig()
    writer: WriterConfig = WriterConfig()
    hook: HookConfig = HookConfig()
    daemon: DaemonConfig = DaemonConfig()
    transcripts: tuple[str, ...] = ()
    """Folders with transcripts; empty means the agents' own folders."""


def home() -> Path:
    """Return Cortex's own folder: `CORTEX_HOME`, else the platform's data folder.

    Always absolute: `~` is expanded, and a relative path is below the current folder.
    Raises UsageError for a `~user` that does not exist.
    """
    override = os.environ.get("CORTEX_HOME", "").strip()
    return expand(override) if override else Path(platformdirs.user_data_dir("cortex-harness"))


def expand(path: str) -> Path:
    """Return `path` absolute, with `~` expanded and its links kept.

    Raises UsageError for a `~user` that does not exist.
    """
    try:
        return Path(os.path.abspath(Path(path).expanduser()))  # noqa: PTH100 - resolve() follows links
    except RuntimeError:
        raise UsageError(f"{path}: no such user; give an absolute path") from None


def load_config(repository: Path | None = None) -> Config:
    """Read the configuration that holds in `repository`.

    Raises UsageError with the file's name when one is not valid.
    """
    merged = _read(home() / "config.toml")
    if repository is not None:
        own = repository / ".cortex" / "config.toml"
        shared = _read(own)
        for section in ("budget", "agent"):
            if section in shared:
                raise UsageError(
                    f"{own}: [{section}] may only stand in your own {home() / 'config.toml'}, "
                    "because it decides what is run and spent"
                )
        merged = _merge(merged, shared)
    try:
        return Config.model_validate(merged)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise UsageError(f"configuration: {where}: {first['msg']}") from None


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path}: cannot be read as TOML: {error}") from None


def _merge(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    merged = dict(below)
    for key, value in above.items():
        old = merged.get(key)
        if isinstance(old, dict) and isinstance(value, dict):
            value = _merge(old, value)
        merged[key] = value
    return merged
