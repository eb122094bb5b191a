"""What was measured, and on what."""

import os
import platform
import subprocess
from pathlib import Path
from typing import Any


def commit() -> str:
    """Return the commit of the checkout; empty outside of one."""
    done = subprocess.run(
        ["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=False,
        cwd=Path(__file__).parent,
    )  # fmt: skip
    return done.stdout.strip()


def machine() -> dict[str, Any]:
    """Return cores, memory and Python's version."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return {
        "cores": os.cpu_count(),
        "memory_gb": round(memory),
        "python": platform.python_version(),
    }
