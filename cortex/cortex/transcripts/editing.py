"""What an edit does to a text, as the agent's own tools do it."""

from cortex.model.sessions import Called


def replace(content: str, old: str, new: str, replace_all: bool = False) -> str | None:
    """Return `content` after an edit, None when `old` does not stand in it.

    An empty `old` means a new file. Removing a text that is a whole line removes its newline too,
    as Claude Code does.
    """
    if not old:
        return new if not content else None
    if old not in content:
        return None
    if not new and not old.endswith("\n") and f"{old}\n" in content:
        old = f"{old}\n"
    return content.replace(old, new) if replace_all else content.replace(old, new, 1)


def apply_call(call: Called, content: str | None) -> str | None:
    """Return what `content` (None: no file) becomes when the call succeeds; None: unknown."""
    if call.edits:
        return replace_each(content or "", call.edits)
    if call.proposed is None:
        return None
    if call.replaces is None:
        return call.proposed
    return replace(content or "", call.replaces, call.proposed, call.replace_all)


def replace_each(content: str, edits: tuple[tuple[str, str, bool], ...]) -> str | None:
    """Return `content` after all `edits` (old, new, replace all) in order; None when one fails."""
    result: str | None = content
    for old, new, replace_all in edits:
        if result is None:
            return None
        result = replace(result, old, new, replace_all)
    return result
