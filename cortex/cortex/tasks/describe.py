"""Checks in a few words."""

from cortex.model.tasks import ActionCheck, Check, CommandCheck, FileCheck, PatternCheck
from cortex.tasks.languages import DOCSTRING, HASH_COMMENT, RETURN_TYPE, SLASH_COMMENT
from cortex.tasks.segments import NEW_BRANCH

ANYTHING = r"\S"
"""The pattern of a check that only asks for some added line."""

_KNOWN = {
    HASH_COMMENT: "comment",
    SLASH_COMMENT: "comment",
    DOCSTRING: "docstring",
    RETURN_TYPE: "return type",
    NEW_BRANCH: "`git switch -c`",
}
_PLAIN = (
    ("(?:^|[\\s/])", ""), ("(?<![\\w.-])", ""), ("(?![\\w-])", ""), ("(?=\\s|$)", ""),
    (r"^\s*", ""), (r"(?!=)", ""), (r"\s*", ""), (r"\s+", " "), (r"\b", ""), ("\\", ""),
)  # fmt: skip


def describe(check: Check) -> str:
    """Return what `check` asks for, in a short line."""
    if isinstance(check, CommandCheck):
        return f"`{' '.join(check.argv)}` passes"
    if isinstance(check, FileCheck):
        return f"{check.path} {'exists' if check.exists else 'does not exist'}"
    if isinstance(check, PatternCheck):
        return _pattern(check)
    return _action(check)


def _pattern(check: PatternCheck) -> str:
    where = _places(check.paths)
    if check.pattern == ANYTHING and check.present:
        return f"something is added to {where}"
    shown = _shown(check)
    return f"{shown} is added in {where}" if check.present else f"no new {shown} in {where}"


def _shown(check: PatternCheck) -> str:
    if check.language:
        return f"`{check.pattern.replace('$$$', '…')}`"
    return _plain(check.pattern)


def _places(paths: tuple[str, ...]) -> str:
    if len(paths) <= 2:
        return " and ".join(paths) or "no file"
    return f"{paths[0]} and {len(paths) - 1} more"


def _action(check: ActionCheck) -> str:
    parts = []
    if check.must_run is not None:
        parts.append(f"runs {_plain(check.must_run)}")
    if check.before is not None:
        what = "any file is written" if check.before == "write" else _plain(check.before)
        parts.append(f"before {what}")
    if check.must_not_run is not None:
        parts.append(f"never runs {_plain(check.must_not_run)}")
    return " ".join(parts)


def _plain(regex: str) -> str:
    if regex in _KNOWN:
        return _KNOWN[regex]
    for noise, readable in _PLAIN:
        regex = regex.replace(noise, readable)
    return f"`{regex}`"
