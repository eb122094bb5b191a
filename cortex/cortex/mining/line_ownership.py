"""Which lines of a file the agent wrote, kept up to date while the file changes."""

from collections.abc import Sequence

from cortex.linediff import Hunk, hunks


def after_write(owned: Sequence[bool], before: str, after: str) -> list[bool]:
    """Return which lines of `after` are the agent's, when `owned` tells it for `before`.

    Lines that the agent's write put in are its own; lines that it kept stay whose they were.
    """
    return _mapped(owned, before, after, fresh=True)


def after_change(owned: Sequence[bool], before: str, after: str) -> list[bool]:
    """Return which lines of `after` are still the agent's after somebody else's change."""
    return _mapped(owned, before, after, fresh=False)


def _mapped(owned: Sequence[bool], before: str, after: str, fresh: bool) -> list[bool]:
    old, new = before.splitlines(), after.splitlines()
    result: list[bool] = []
    position = 0
    for hunk in hunks(old, new):
        result += owned[position : hunk.old_start]
        result += [fresh] * (hunk.new_end - hunk.new_start)
        position = hunk.old_end
    return [*result, *owned[position : len(old)]]


def touched(owned: Sequence[bool], before: str, after: str) -> tuple[Hunk, ...]:
    """Return the changes from `before` to `after` that lie inside lines of the agent.

    A change lies inside when it takes out such a line or puts something between two of them.
    """
    return tuple(
        hunk for hunk in hunks(before.splitlines(), after.splitlines()) if _inside(owned, hunk)
    )


def _inside(owned: Sequence[bool], hunk: Hunk) -> bool:
    if hunk.old_start < hunk.old_end:
        return any(owned[hunk.old_start : hunk.old_end])
    return 0 < hunk.old_start < len(owned) and owned[hunk.old_start - 1] and owned[hunk.old_start]
