"""The change that an inbox entry would make, as a unified diff."""

from collections.abc import Iterator

from cortex.commands.inbox import InboxEntry
from cortex.linediff import unified
from cortex.presenting.plain import plain


def entry_diff(entry: InboxEntry) -> Iterator[str]:
    """Yield the lines of the diff with their two header lines, without line ends."""
    path = entry.candidate.artifact.path
    names = tuple("/dev/null" if text is None else path for text in (entry.before, entry.after))
    old, new = (entry.before or "").splitlines(), (entry.after or "").splitlines()
    return map(plain, unified(old, new, (names[0], names[1])))


def diff_style(line: str) -> str:
    """Return the style of a line of a diff."""
    return {"+": "green", "-": "red", "@": "cyan"}.get(line[:1], "")
