"""What a list prints when this repository has none of its rows: where there are some."""

import shlex
from collections.abc import Mapping

from cortex.cli import output

LISTED = 3
"""Folders that are named; `--all` lists the rest."""
_LISTS_ALL = ("corrections", "tasks", "verdicts")


def message(
    name: str, elsewhere: Mapping[str, int], hint: str, *, counted: str | None = None
) -> str:
    """Return the text for a list `name` without rows; `elsewhere` counts rows by folder."""
    if not elsewhere:
        return f"No {name} yet. {hint}"
    places = [
        f"{count} {counted or ''}".strip()
        + f" in {_plain(folder)} (`cortex -C {_quoted(folder)} {name}`)"
        for folder, count in list(elsewhere.items())[:LISTED]
    ]
    more = len(elsewhere) - LISTED
    others = f"; more in {more} other folders" if more > 0 else ""
    listed = f". `cortex {name} --all` lists them" if name in _LISTS_ALL else ""
    return f"No {name} in this repository; {'; '.join(places)}{others}{listed}."


def _plain(folder: str) -> str:
    return output.one_line(folder, 200)


def _quoted(folder: str) -> str:
    return output.one_line(shlex.quote(folder), 200)
