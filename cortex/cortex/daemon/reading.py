"""Transcripts as they grow: read, mined, made into tasks. A bad one never stops the others."""

from collections.abc import Callable, Sequence
from pathlib import Path

from cortex.commands.building import build_pending
from cortex.commands.ingest import ingest
from cortex.commands.workbench import Workbench
from cortex.errors import CortexError
from cortex.transcripts import locate


def roots(bench: Workbench) -> tuple[Path, ...]:
    """Return the folders to watch: the configured ones, else the agents' own."""
    configured = [Path(folder).expanduser() for folder in bench.config.transcripts]
    return tuple(one for one in configured or locate.default_roots() if one.is_dir())


def read(bench: Workbench, paths: Sequence[Path], log: Callable[[str], None]) -> None:
    """Bring files into the store, one after the other."""
    for path in paths:
        if not path.exists():
            continue
        try:
            found = ingest(bench, [path])
        except CortexError as error:
            log(f"{path}: {error}")
            continue
        if found.corrections:
            log(f"{path.name}: {len(found.corrections)} corrections, {len(found.tasks)} tasks")


def sweep(bench: Workbench, folders: Sequence[Path], log: Callable[[str], None]) -> None:
    """Read what events did not tell of, and finish what a dead daemon left half done."""
    try:
        if folders:
            ingest(bench, list(folders))
        built = build_pending(bench)
    except CortexError as error:
        log(f"sweep: {error}")
        return
    if built:
        log(f"{len(built)} tasks of earlier corrections")
