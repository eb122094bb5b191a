"""Whether the agent changed its own work again."""

from collections.abc import Sequence
from dataclasses import dataclass

from cortex.mining.vocabulary import code_names
from cortex.model.sessions import Action, ActionKind

_SHORTEST_LINE = 4
"""Characters; shorter lines (brackets, `end`) are everywhere."""


def wrote_file(action: Action) -> bool:
    """Return whether an action changed a file by one of the agent's own tools."""
    return action.done and action.call.kind is ActionKind.WRITE


@dataclass(frozen=True, slots=True)
class Rework:
    """What later work did to the lines that earlier work had put in."""

    out: frozenset[str] = frozenset()
    """Lines of the earlier work that the later one took out."""
    names: frozenset[str] = frozenset()
    """Names in these lines that the later work did not put in again."""
    wrote: bool = False
    """There was work on files before and after."""


def rework(earlier: Sequence[Action], later: Sequence[Action]) -> Rework:
    """Return what `later` actions did to lines that `earlier` ones had put in."""
    first, second = _changes(earlier), _changes(later)
    removed_lines: set[str] = set()
    added_later: set[str] = set()
    for path, (removed, added) in second.items():
        if path in first:
            removed_lines |= first[path][1] & (removed - added)
            added_later |= added
    names = code_names("\n".join(removed_lines)) - code_names("\n".join(added_later))
    return Rework(frozenset(removed_lines), names, wrote=bool(first) and bool(second))


def _changes(actions: Sequence[Action]) -> dict[str, tuple[set[str], set[str]]]:
    """Lines that writes took out of and put into each file."""
    by_path: dict[str, tuple[set[str], set[str]]] = {}
    for action in filter(wrote_file, actions):
        before, after = _sides(action)
        removed, added = by_path.setdefault(action.call.path or "", (set(), set()))
        removed |= before - after
        added |= after - before
    return by_path


def _sides(action: Action) -> tuple[set[str], set[str]]:
    """Lines before and after a write, of the whole file or of the edited parts."""
    call, result = action.call, action.result
    if result is not None and result.before is not None and result.after is not None:
        return _lines(result.before), _lines(result.after)
    if call.edits:
        old = "\n".join(edit[0] for edit in call.edits)
        return _lines(old), _lines(call.proposed or "")
    return _lines(call.replaces or ""), _lines(call.proposed or "")


def _lines(text: str) -> set[str]:
    stripped = (line.strip() for line in text.splitlines())
    return {line for line in stripped if len(line) >= _SHORTEST_LINE}
