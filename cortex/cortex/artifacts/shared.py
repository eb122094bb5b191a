"""`.cortex/`: the folder of a repository that Cortex shares with the team through git."""

import os
from pathlib import Path

from cortex.artifacts import atomic
from cortex.errors import UsageError

FOLDER = ".cortex"
ATTRIBUTES = f"{FOLDER}/.gitattributes"
_ATTRIBUTES = b"verdicts.jsonl text eol=lf\ngraveyard/** -text\n"
"""Graveyard entries keep their bytes in every checkout, whatever its line endings are."""


def prepare(root: Path, path: Path) -> None:
    """Make sure that Cortex may write at `path` below `.cortex`, and that git keeps its bytes.

    A `.gitattributes` that is there stays as it is. Raises UsageError when a link leads out of
    the repository, or the folder cannot be written.
    """
    if not real(path).is_relative_to(real(root)):
        raise UsageError(f"{path}: leads out of the repository; replace the link by a folder")
    attributes = root / ATTRIBUTES
    if not os.path.lexists(attributes):
        atomic.write(attributes, _ATTRIBUTES)


def has_our_attributes(root: Path) -> bool:
    """Whether `.gitattributes` is there as `prepare` writes it."""
    try:
        return (root / ATTRIBUTES).read_bytes() == _ATTRIBUTES
    except OSError:
        return False


def real(path: Path) -> Path:
    """Return the path without links; a circle of links is left as it is instead of raising."""
    return Path(os.path.realpath(path))
