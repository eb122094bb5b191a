"""Configuration: defaults, the user's `config.toml`, the repository's `.cortex/config.toml`.

Plain records; pydantic, which takes time to import, reads only what has to be converted or
explained.
A repository may be somebody else's: its file may set `[hook]` and nothing else, so that it cannot
choose what is read, run, judged or spent.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from cortex.errors import UsageError
from cortex.plain_values import Bounds, NotPlainError, read_record

SHARED = frozenset({"hook"})
"""Sections that the repository's file may set."""
MAX_SHARED_BYTES = 1_000_000

Positive = Annotated[float, Bounds(gt=0)]
NotNegative = Annotated[float, Bounds(ge=0)]
Share = Annotated[float, Bounds(gt=0, lt=1)]
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True)
class _Section:
    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}


@dataclass(frozen=True)
class TokenPrices(_Section):
    """US dollars per million tokens, for agents that report tokens and no cost."""

    input: NotNegative
    output: NotNegative
    cached_input: NotNegative | None = None
    """Input that the provider had cached; None prices it as `input`."""


@dataclass(frozen=True)
class AgentConfig(_Section):
    """Which agent runs the trials."""

    name: str = "claude-code"
    command: str | None = None
    """Path of the agent's program; None looks it up on PATH."""
    model: str | None = None
    """Passed to the agent; None leaves its default."""
    timeout_s: Positive = 600.0
    """Wall time of a trial."""
    playbook: str | None = None
    """The `scripted` agent's behaviour (a JSON file)."""
    base_url: str | None = None
    """Model server of the `messages` agent; None is the provider's own."""
    edit_format: Literal["tools", "whole"] = "tools"
    """How the `messages` agent edits: in a loop of tools, or by one answer with whole files."""
    usd_per_million: TokenPrices | None = None

    @property
    def free(self) -> bool:
        """Whether its trials cost nothing: no provider is called, or a model on this machine."""
        return self.name == "scripted" or (self.name == "messages" and is_local(self.base_url))


@dataclass(frozen=True)
class GateConfig(_Section):
    """The policy of the gate; see docs/gate.md."""

    alpha: Annotated[float, Bounds(gt=0, lt=0.5)] = 0.05
    tau: Share = 1 / 3
    delta: Share = 0.25
    false_keeps: Share = 0.2
    """Expected share of false keeps over the lifetime of a repository, at most."""


@dataclass(frozen=True)
class BudgetConfig(_Section):
    """Caps in US dollars; no cap means that nothing is spent without `--budget`."""

    per_trial_usd: Positive | None = None
    per_experiment_usd: Positive | None = None
    per_day_usd: Positive | None = None


@dataclass(frozen=True)
class TrialsConfig(_Section):
    """How trials run."""

    concurrency: Annotated[int, Bounds(ge=1, le=64)] = 2
    max_trials: Annotated[int, Bounds(ge=2)] = 300
    """Of one experiment."""
    seed: int = 0
    """Draws the order of arms, and all that a seeded agent does."""
    sandbox: Literal["auto", "bubblewrap", "docker", "podman", "none"] = "auto"
    """What confines agents that run commands; `auto` is bubblewrap where it works."""
    image: str | None = None
    """Container image that has the agent, for docker and podman."""


@dataclass(frozen=True)
class WriterConfig(_Section):
    """Who writes candidates: `template` (offline), `anthropic` or `claude-code`."""

    name: str = "template"
    model: str | None = None


@dataclass(frozen=True)
class DaemonConfig(_Section):
    """How the daemon watches transcripts."""

    poll: bool = False
    """For file systems without events, as of networks."""


@dataclass(frozen=True)
class HookConfig(_Section):
    """What the git hook does; read by it without this module."""

    unused: Literal["report", "archive", "ignore"] = "report"
    trust: Literal["own", "repository"] = "own"
    """Whose verdicts it acts on: the person's own and accepted, or every line of the ledger."""


@dataclass(frozen=True)
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


def is_local(url: str | None) -> bool:
    """Whether a URL is of a server on this machine."""
    from urllib.parse import urlsplit

    try:
        return url is not None and urlsplit(url).hostname in LOOPBACK
    except ValueError:
        return False


def home() -> Path:
    """Return Cortex's own folder: `CORTEX_HOME`, else the platform's data folder.

    Always absolute: `~` is expanded, and a relative path is below the current folder.
    Raises UsageError for a `~user` that does not exist.
    """
    override = os.environ.get("CORTEX_HOME", "").strip()
    if override:
        return expand(override)
    import platformdirs

    return Path(platformdirs.user_data_dir("cortex-harness"))


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
        merged = _merge(merged, _shared(repository / ".cortex" / "config.toml"))
    try:
        return read_record(Config, merged)
    except NotPlainError:
        return _validated(merged)


def _shared(file: Path) -> dict[str, Any]:
    """Read the repository's own settings; UsageError for one that is the person's to choose."""
    settings = _read(file, MAX_SHARED_BYTES)
    for key in sorted(settings.keys() - SHARED):
        name = f"[{key}]" if isinstance(settings[key], dict) else key
        raise UsageError(
            f"{file}: {name} may only be set in your own {home() / 'config.toml'}; a repository "
            "may only set [hook], because the rest decides what is read, run and spent"
        )
    hook = settings.get("hook")
    if isinstance(hook, dict) and "trust" in hook:
        raise UsageError(
            f"{file}: [hook] trust may only be set in your own {home() / 'config.toml'}"
        )
    return settings


def _validated(values: dict[str, Any]) -> Config:
    """Convert what can be converted; UsageError names the first setting that is wrong."""
    from pydantic import TypeAdapter, ValidationError

    try:
        return TypeAdapter(Config).validate_python(values)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        unknown = first["type"] == "unexpected_keyword_argument"
        problem = "no such setting" if unknown else first["msg"]
        raise UsageError(f"configuration: {where}: {problem}") from None


def _read(path: Path, limit: int | None = None) -> dict[str, Any]:
    """Read a file; `limit` (bytes) is for one of other people, which may be anything."""
    try:
        odd = limit is not None and path.exists() and not path.is_file()
        if odd or (limit is not None and path.is_file() and path.stat().st_size > limit):
            raise UsageError(f"{path}: is not a configuration file of at most {limit} bytes")
        text = path.read_text("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from None
    import tomllib

    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UsageError(f"{path}: cannot be read as TOML: {error}") from None


def _merge(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    merged = dict(below)
    for key, value in above.items():
        old = merged.get(key)
        if isinstance(old, dict) and isinstance(value, dict):
            value = _merge(old, value)
        merged[key] = value
    return merged
