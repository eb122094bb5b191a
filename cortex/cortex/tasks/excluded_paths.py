"""Files that are never part of a task: what an arm brings along, and Cortex's own."""

from cortex.artifacts.harness import is_harness

FOLDERS = (".claude", ".cortex")
"""Taken out of the base tree whole: also an agent's settings, hooks and permissions."""

_LOCAL = "CLAUDE.local.md"


def is_excluded(path: str) -> bool:
    """Whether a file of this relative path is harness, an agent's setting or Cortex's own."""
    return path.split("/")[0] in FOLDERS or path == _LOCAL or is_harness(path)
