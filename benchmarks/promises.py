"""What a benchmark promises, and how it prints what it measured."""

import json
import sys
from collections.abc import Iterable
from typing import Any


def promise(name: str, what: str, measured: float, limit: float) -> dict[str, Any]:
    """Return a figure with its upper limit and whether it holds."""
    holds = measured <= limit
    return {"id": name, "what": what, "measured": measured, "limit": limit, "holds": holds}


def show(measured: dict[str, Any], lines: Iterable[str], *, as_json: bool) -> int:
    """Print the JSON or the lines; return the exit code, 1 when a promise does not hold."""
    text = json.dumps(measured, indent=1) if as_json else "\n".join(lines)
    sys.stdout.write(f"{text}\n")
    return 0 if all(figure["holds"] for figure in measured["must"]) else 1
