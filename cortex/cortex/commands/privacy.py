"""What Cortex keeps, of whom, how clean it is of secrets, and what leaves this machine."""

import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from stat import S_IMODE

from cortex.commands.context import DATABASE, Context, find_repository
from cortex.config import Config
from cortex.errors import UsageError
from cortex.transcripts import locate
from cortex.transcripts.redaction import REMOVED, redact_text
from cortex_replay.trial_dirs import default_root
from cortex_store import inventory
from cortex_store.inventory import Count
from cortex_store.purge_lookup import purged_tasks
from cortex_store.purge_marks import PENDING, PURGED

SCAN_S = 8.0
"""Stored texts are looked through for so long; then the result is of a sample."""
_SHORT = 120
"""Characters: shorter texts (paths, branches, ids) repeat and are looked at once."""


@dataclass(frozen=True, slots=True)
class Place:
    """A file or folder that Cortex writes or reads."""

    what: str
    path: str
    mode: str
    """Permissions in octal digits: `600`."""
    size: int
    """Bytes, of a folder with all that is in it."""
    others: bool
    """Whether other users of this machine may read it."""


@dataclass(frozen=True, slots=True)
class Scan:
    """Stored texts in which the present detectors of secrets would still change something."""

    rows: int
    """Rows that were looked through."""
    of: int
    fields: int
    """Texts in them that would change."""

    @property
    def complete(self) -> bool:
        """Whether all rows were looked through."""
        return self.rows >= self.of


@dataclass(frozen=True, slots=True)
class PrivacyReport:
    """Everything that `cortex privacy report` shows."""

    places: tuple[Place, ...]
    counts: tuple[Count, ...]
    """By repository (or the folder of sessions outside of one) and kind."""
    secrets_removed: int
    """Placeholders in the stored texts."""
    scan: Scan
    agent: str
    writer: str
    leaves: tuple[str, ...]
    """What the present configuration sends to whom, a sentence each."""
    transcripts: tuple[str, ...]
    """Folders of the agents that Cortex reads."""
    purged_sessions: int
    purged_tasks: int
    purge_pending: bool
    """A purge deleted rows and was not finished."""


def report(context: Context, scan_s: float = SCAN_S) -> PrivacyReport:
    """Return what is kept; looks through the texts for at most `scan_s` seconds."""
    store, config = context.store, context.config
    return PrivacyReport(
        places=tuple(_places(context.home)),
        counts=_by_repository(inventory.counts(store)),
        secrets_removed=inventory.occurrences(store, REMOVED),
        scan=_scan(context, scan_s),
        agent=config.agent.name,
        writer=config.writer.name,
        leaves=_leaves(config),
        transcripts=tuple(map(str, _transcripts(config))),
        purged_sessions=len(store.key_values.below(PURGED)),
        purged_tasks=purged_tasks(store),
        purge_pending=store.key_values.get(PENDING) is not None,
    )


def _places(home: Path) -> Iterable[Place]:
    for what, path in (
        ("Cortex's folder", home),
        ("database", home / DATABASE),
        ("write-ahead log", home / f"{DATABASE}-wal"),
        ("base trees", home / "objects"),
        ("logs of bugs", home / "crashes"),
        ("daemon's log", home / "daemon.log"),
        ("configuration", home / "config.toml"),
        ("running trials", _trials()),
    ):
        with suppress(OSError):
            if path is not None:
                mode = S_IMODE(path.stat().st_mode)
                yield Place(what, str(path), f"{mode:03o}", _size(path), bool(mode & 0o044))


def _trials() -> Path | None:
    try:
        return default_root()
    except UsageError:
        return None


def _size(path: Path) -> int:
    if not path.is_dir():
        return path.stat().st_size
    size = 0
    for inner in path.rglob("*"):
        with suppress(OSError):
            size += inner.lstat().st_size
    return size


def _by_repository(counts: Iterable[Count]) -> tuple[Count, ...]:
    """Return the counts of folders added up by their repository, the largest first."""
    sums: dict[tuple[str, str], Count] = {}
    for count in counts:
        folder = _repository(count.folder)
        known = sums.get((folder, count.kind))
        sums[folder, count.kind] = count if known is None else _sum(known, count, folder)
        if known is None and folder != count.folder:
            sums[folder, count.kind] = _sum(count, Count(folder, count.kind, 0, 0), folder)
    sizes: dict[str, int] = {}
    for (folder, _), count in sums.items():
        sizes[folder] = sizes.get(folder, 0) + count.size
    return tuple(sorted(sums.values(), key=lambda count: (-sizes[count.folder], count.folder)))


def _sum(first: Count, second: Count, folder: str) -> Count:
    return Count(
        folder,
        first.kind,
        first.rows + second.rows,
        first.size + second.size,
        min(filter(None, (first.oldest, second.oldest)), default=""),
        max(first.newest, second.newest),
    )


@lru_cache(maxsize=4096)
def _repository(folder: str) -> str:
    """Return the repository of a folder; a folder that is gone, or is in none, as it is."""
    if not folder:
        return "(no folder)"
    return str(find_repository(Path(folder)) or folder)


def _scan(context: Context, seconds: float) -> Scan:
    end = time.monotonic() + seconds
    of = inventory.rows_with_text(context.store)
    rows = fields = 0
    for texts in inventory.texts(context.store):
        if time.monotonic() > end:
            break
        rows += 1
        fields += sum(map(_changes, texts))
    _short_changes.cache_clear()
    return Scan(rows, of, fields)


def _changes(text: str) -> bool:
    return _short_changes(text) if len(text) < _SHORT else redact_text(text) != text


@lru_cache(maxsize=20_000)
def _short_changes(text: str) -> bool:
    return redact_text(text) != text


def _transcripts(config: Config) -> tuple[Path, ...]:
    configured = [Path(folder).expanduser() for folder in config.transcripts]
    return tuple(configured) or locate.default_roots()


def _leaves(config: Config) -> tuple[str, ...]:
    agent, writer = config.agent.name, config.writer.name
    lines = []
    if agent == "messages" and config.agent.free:
        lines.append(
            f"Trials send prompts of tasks and files of the repository to {config.agent.base_url}, "
            "a model server on this machine: they leave it only if that server sends them on."
        )
    elif config.agent.free:
        lines.append(f"Trials send nothing: the agent `{agent}` calls no provider.")
    else:
        cap = config.budget.per_experiment_usd
        allowed = (
            f"experiments may spend {cap:.2f} USD each without being asked for"
            if cap is not None
            else "only when you give --budget"
        )
        lines.append(
            "Trials send prompts of tasks and files of the repository to the provider of "
            f"`{agent}`: {allowed}."
        )
    if writer == "template":
        lines.append("Proposals send nothing: the writer `template` works offline.")
    else:
        lines.append(
            "`cortex propose` and `cortex evolve` send corrections, excerpts of tasks and of the "
            f"harness to the provider of the writer `{writer}`."
        )
    return tuple(lines)
