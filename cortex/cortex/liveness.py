"""Whether a process still runs."""

import os
from pathlib import Path


def lives(pid: int) -> bool:
    """Whether the process runs; one that has ended and was not yet waited for does not."""
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    try:
        state = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    except OSError:
        return True  # A system without /proc.
    return state[:1] not in (["Z"], ["X"])
