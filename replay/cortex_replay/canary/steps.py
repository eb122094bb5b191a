"""What the model answers in a canary, in the tools of each agent."""

from collections.abc import Callable
from pathlib import Path

from cortex_replay.canary.server import Step

SKILL_NAME = "canary"
LAST_WORDS = "The canary sang."


def _call(tool: str, **arguments: str) -> Step:
    return {"type": "tool_use", "name": tool, "input": arguments}


def _claude_code(file: Path, before: str, after: str) -> tuple[Step, ...]:
    return (
        _call("Read", file_path=str(file)),
        _call("Skill", skill=SKILL_NAME),
        _call("Edit", file_path=str(file), old_string=before, new_string=after),
        {"type": "text", "text": LAST_WORDS},
    )


STEPS: dict[str, Callable[[Path, str, str], tuple[Step, ...]]] = {"claude-code": _claude_code}
"""Agent -> steps that read a file, open the skill, replace `before` by `after`, and speak."""

TESTED: dict[str, frozenset[str]] = {"claude-code": frozenset({"2.1.197", "2.1.332"})}
"""Agent -> versions that the tests of this version of Cortex ran with: known without a canary."""
