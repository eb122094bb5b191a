"""Which commands of a session may have changed files."""

import re
from collections.abc import Iterable

from cortex.model.sessions import Action, ActionKind
from cortex.shell import ShellCommand, read

_WRAPPER = re.compile(
    r"^(?:(?:uv|poetry|pdm|hatch|bundle|npx|bunx)\s+(?:run|exec)?\s*|python3?\s+-m\s+|time\s+"
    r"|timeout\s+\S+\s+|env\s+)+"
)
_HARMLESS = re.compile(
    r"(?:ls|cat|head|tail|grep|rg|ag|find|fd|wc|echo|printf|pwd|cd|true|sleep|which|type|file|stat"
    r"|du|df|ps|date|whoami|uname|env|test|\[|diff|cmp|sort|uniq|cut|tr|jq|tree|less|more|export|set"
    r"|pytest|py\.test|mypy|pyright|tsc|flake8|pylint|jest|vitest|mocha|rspec|phpunit|unittest"
    r"|git\s+(?:status|diff|log|show|branch|remote|fetch|add|commit|push|blame"
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
    line = read(command)
    if not line.complete or line.substitutes:
        return False
    return all(_looks_only(part) for part in line.commands)


def programs(commands: Iterable[str]) -> frozenset[str]:
    """Return what the commands run, `uv add` or `make`, without those that only look around."""
    parts = (part.plain for command in commands for part in read(command).commands)
    heads = (_PROGRAM.match(part) for part in parts if not _LOOKS.match(part))
    return frozenset(" ".join(head.group().split()) for head in heads if head)


def _looks_only(command: ShellCommand) -> bool:
    if any(redirection.writes_file for redirection in command.redirections):
        return False
    text = _WRAPPER.sub("", command.plain)
    return not text or (_HARMLESS.match(text) is not None and _FIXES.search(text) is None)
