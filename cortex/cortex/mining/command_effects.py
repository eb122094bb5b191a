"""Which commands of a session may have changed files."""

import re
from collections.abc import Iterable

from cortex.model.sessions import Action, ActionKind

_SPLIT = re.compile(r"\|\||&&|[;|\n&]")
_TO_NOWHERE = re.compile(r"[0-9&]?>{1,2}\s*(?:&\s*[0-9]|/dev/null)")
_ASSIGNMENT = re.compile(r"^(?:[A-Za-z_]\w*=\S*\s+)+")
_WRAPPER = re.compile(
    r"^(?:(?:uv|poetry|pdm|hatch|bundle|npx|bunx)\s+(?:run|exec)?\s*|python3?\s+-m\s+|time\s+"
    r"|timeout\s+\S+\s+|env\s+)+"
)
_HARMLESS = re.compile(
    r"(?:ls|cat|head|tail|grep|rg|ag|find|fd|wc|echo|printf|pwd|cd|true|sleep|which|type|file|stat"
    r"|du|df|ps|date|whoami|uname|env|test|\[|diff|cmp|sort|uniq|cut|tr|jq|tree|less|more|export|set"
    r"|pytest|py\.test|mypy|pyright|tsc|flake8|pylint|jest|vitest|mocha|rspec|phpunit|unittest"
    r"|git\s+(?:-C\s+\S+\s+)?(?:status|diff|log|show|branch|remote|fetch|add|commit|push|blame"
    r"|rev-parse|ls-files|grep|config)"
    r"|go\s+(?:test|vet|build|list|version)|cargo\s+(?:test|check|build|clippy)"
    r"|(?:npm|yarn|pnpm|bun)\s+(?:run\s+)?(?:test|typecheck|ls|list|why|audit)"
    r"|make\s+test|ruff\s+check|gh\s+\w+\s+(?:list|view|status|create|checks)"
    r"|sed\s+-n|awk|node\s+--version|python3?\s+--version)(?:\s|$)"
)
_LOOKS = re.compile(
    r"(?:ls|cat|head|tail|grep|rg|find|wc|echo|printf|pwd|cd|which|tree|sort|uniq|cut|sed\s+-n"
    r"|git\s+(?:status|diff|log|show|branch|rev-parse|ls-files|blame))(?:\s|$)"
)
_PROGRAM = re.compile(r"[\w./-]+(?:\s+(?:-m\s+)?[a-z][\w-]*(?=\s|$))?")
_FIXES = re.compile(r"(?:^|\s)(?:--fix|--write|-delete|-exec|--in-place|-u|--update\S*)(?:\s|=|$)")


def may_change_files(action: Action) -> bool:
    """Return whether a call may have changed files other than by a write that shows."""
    call = action.call
    if action.result is not None and action.result.rejected:
        return False
    if call.kind is ActionKind.COMMAND:
        return call.command is None or not is_harmless(call.command)
    return call.tool in ("Task", "Agent") or call.tool.startswith("mcp__")


def is_harmless(command: str) -> bool:
    """Return whether a shell command only looks, tests or records, as far as its words tell."""
    command = _TO_NOWHERE.sub(" ", command)
    if any(sign in command for sign in (">", "$(", "`")):
        return False
    return all(_looks_only(part) for part in _parts(command))


def programs(commands: Iterable[str]) -> frozenset[str]:
    """Return what the commands run, `uv add` or `make`, without those that only look around."""
    parts = (part for command in commands for part in _parts(_TO_NOWHERE.sub(" ", command)))
    heads = (_PROGRAM.match(_ASSIGNMENT.sub("", part)) for part in parts if not _LOOKS.match(part))
    return frozenset(" ".join(head.group().split()) for head in heads if head)


def _parts(command: str) -> list[str]:
    return [bare for part in _SPLIT.split(command) if (bare := part.strip(" \t(){}"))]


def _looks_only(part: str) -> bool:
    part = _WRAPPER.sub("", _ASSIGNMENT.sub("", part))
    return _HARMLESS.match(part) is not None and _FIXES.search(part) is None
