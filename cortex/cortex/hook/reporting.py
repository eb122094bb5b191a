"""What the hook prints where git shows it."""

import sys
from collections.abc import Sequence

from cortex.presenting.plain import plain

NAMED = 3
"""Texts that are named before the rest is counted."""


def say(message: str) -> None:
    """Print a line; names in it may be anybody's."""
    sys.stderr.write(f"cortex: {plain(message)}\n")


def listed(names: Sequence[str]) -> str:
    """Return the first names and how many there are besides."""
    rest = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {rest} more" if rest > 0 else "")
