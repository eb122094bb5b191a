"""The commands of a shell line in the form that action checks are matched against."""

import re
from dataclasses import replace

from cortex.shell import ShellCommand, read, without_git_options

NEW_BRANCH = r"^git\s+(?:checkout\s+-b|switch\s+(?:-c|--create)|branch\s+[^-\s])"
"""A segment that makes a branch, in any of git's ways."""

_WRAPPERS = frozenset({"sudo", "time", "command", "env", "nohup", "exec"})
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_LOOKING = frozenset(
    {"echo", "printf", "cat", "grep", "rg", "ls", "cd", "pwd", "head", "tail", "find", "sed"}
    | {"awk", "wc", "which", "true", "sleep", "export", "tree", "less", "touch", "mkdir"}
)


def segments(command: str) -> tuple[str, ...]:
    """Return the simple commands of a shell line in order, each with single spaces.

    Here-documents, assignments in front, wrappers such as `sudo`, git's global options and quoted
    text with spaces are left out, and so are commands that only show something: `echo "git commit"`
    does not count as a commit. Commands whose output is substituted are no steps of their own.
    """
    commands = (_unwrapped(part) for part in read(command).commands if not part.substituted)
    return tuple(part.text for part in commands if part.words and part.words[0] not in _LOOKING)


def _unwrapped(command: ShellCommand) -> ShellCommand:
    words = command.words
    while words and (words[0] in _WRAPPERS or _ASSIGNMENT.match(words[0])):
        words = words[1:]
    return replace(command, words=without_git_options(words))
