"""The measured commit and the machine."""

import os
import platform
import subprocess
from pathlib import Path
from typing import Any


def commit() -> str:
    """Return the commit of the checkout; empty outside of a repository."""
    process = subprocess.run(
        ["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=False,
        cwd=Path(__file__).parent,
    )  # fmt: skip
    return process.stdout.strip() if process.returncode == 0 else ""


def machine() -> dict[str, Any]:
    """Return cores, memory and the Python version."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return {
        "cores": os.cpu_count(),
        "memory_gb": round(memory),
        "python": platform.python_version(),
    }
