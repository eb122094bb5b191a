"""Whether the agent changed its own work again."""

from collections.abc import Sequence

from cortex.model.sessions import Action, ActionKind

_SHORTEST_LINE = 4
"""Characters; shorter lines (brackets, `end`) are everywhere."""


def wrote_file(action: Action) -> bool:
    """Return whether an action changed a file by one of the agent's own tools."""
    return action.done and action.call.kind is ActionKind.WRITE


def took_back(earlier: Sequence[Action], later: Sequence[Action]) -> bool:
    """Return whether `later` actions took out lines that `earlier` ones had put in."""
    put_in: dict[str, set[str]] = {}
    for action in filter(wrote_file, earlier):
        before, after = _sides(action)
        put_in.setdefault(action.call.path or "", set()).update(after - before)
    for action in filter(wrote_file, later):
        before, after = _sides(action)
        if put_in.get(action.call.path or "", set()) & (before - after):
            return True
    return False


def _sides(action: Action) -> tuple[set[str], set[str]]:
    """Lines before and after a write, of the whole file or of the edited parts."""
    call, result = action.call, action.result
    if result is not None and result.before is not None and result.after is not None:
        return _lines(result.before), _lines(result.after)
    if call.edits:
        old = "\n".join(each[0] for each in call.edits)
        return _lines(old), _lines(call.proposed or "")
    return _lines(call.replaces or ""), _lines(call.proposed or "")


def _lines(text: str) -> set[str]:
    stripped = (line.strip() for line in text.splitlines())
    return {line for line in stripped if len(line) >= _SHORTEST_LINE}
