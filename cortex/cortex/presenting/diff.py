"""The change that an inbox entry would make, as a unified diff."""

import difflib
from collections.abc import Iterator

from cortex.commands.inbox import InboxEntry
from cortex.presenting.plain import plain


def entry_diff(entry: InboxEntry) -> Iterator[str]:
    """Yield the lines of the diff with their two header lines, without line ends."""
    path = entry.candidate.artifact.path
    lines = difflib.unified_diff(
        (entry.before or "").splitlines(),
        (entry.after or "").splitlines(),
        path if entry.before is not None else "/dev/null",
        path if entry.after is not None else "/dev/null",
        lineterm="",
    )
    return map(plain, lines)


def diff_style(line: str) -> str:
    """Return the style of a line of a diff."""
    return {"+": "green", "-": "red", "@": "cyan"}.get(line[:1], "")
