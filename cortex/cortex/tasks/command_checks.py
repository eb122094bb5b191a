"""Checks from commands: a known test runner that failed and then passed."""

import re
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Protocol

from cortex.model.tasks import CommandCheck
from cortex.shell import ShellCommand, read

TIMEOUT_S = 120.0


class CommandRunLike(Protocol):
    """A command of the session and how it ended."""

    @property
    def command(self) -> str:
        """The text as it was run."""

    @property
    def ok(self) -> bool | None:
        """Whether it succeeded; None when not known."""


_RUNNERS = (
    "pytest|py.test|mypy|pyright|tsc|eslint|jest|vitest|mocha|rspec|phpunit|tox|nox|ctest",
    "ruff (?:check|format --check)|black --check|prettier --check|flake8|pylint",
    "python3? -m (?:pytest|unittest|mypy|doctest|ruff check)",
    "(?:npm|pnpm|yarn|bun) (?:run )?(?:test|lint|check|typecheck|type-check|build|types)[\\w:-]*",
    "go (?:test|vet|build)|cargo (?:test|check|clippy|build|fmt --check)",
    "make (?:test|tests|check|lint|types|unit|build|ci)|just (?:test|check|lint)",
    "mvn (?:-q )?(?:test|verify)|(?:\\./)?gradlew? (?:test|check|build)|dotnet (?:test|build)",
    "rake (?:test|spec)|rails test|swift (?:test|build)|mix test|deno (?:test|lint|check)",
)
_WRAPPERS = (
    "uv run|poetry run|pipenv run|hatch run|pdm run|npx|pnpm exec|yarn dlx|bunx|bundle exec|rye run"
)
RUNNER = re.compile(rf"(?:(?:{_WRAPPERS}) )?(?:{'|'.join(_RUNNERS)})(?= |$)")
"""Commands that may become a check: they only run tests or linters."""


def command_checks(
    attempt: Sequence[CommandRunLike], corrected: Sequence[CommandRunLike], roots: Sequence[str]
) -> tuple[CommandCheck, ...]:
    """Return a check for each test command that failed and later passed with the same text.

    `roots` are the absolute paths that stand for the workspace (repository, working folder).
    """
    failed: set[str] = set()
    passed: dict[tuple[str, ...], None] = {}
    for run in (*attempt, *corrected):
        text = run.command.strip()
        if run.ok is False:
            failed.add(text)
        elif run.ok and text in failed and (argv := safe_argv(text, roots)):
            passed[argv] = None
    return tuple(CommandCheck(argv, TIMEOUT_S) for argv in passed)


def safe_argv(command: str, roots: Sequence[str]) -> tuple[str, ...] | None:
    """Return the arguments of a known test runner, None for anything that is not plainly one.

    Pipes, redirections, substitutions, another folder and paths outside the workspace are refused;
    a `cd` to the workspace in front and `2>&1` at the end are taken off.
    """
    line = read(command.strip())
    commands = line.commands
    if len(commands) == 2 and commands[1].operator == "&&" and _enters(commands[0], roots):
        commands = commands[1:]
    if not line.simple or len(commands) != 1:
        return None
    [runner] = commands
    if runner.assignments or not runner.literal or not RUNNER.match(runner.plain):
        return None
    if any(str(redirection) != "2>&1" for redirection in runner.redirections):
        return None
    argv = tuple(_relative(word, roots) for word in runner.words)
    return None if any(_leaves(word) for word in argv) else argv


def _enters(command: ShellCommand, roots: Sequence[str]) -> bool:
    """Whether `command` changes to one of the folders `roots`."""
    plain = command.literal and not command.assignments and not command.redirections
    if not plain or len(command.words) != 2 or command.words[0] != "cd":
        return False
    return command.words[1].rstrip("/") in {root.rstrip("/") for root in roots}


def _relative(word: str, roots: Sequence[str]) -> str:
    for root in roots:
        if word == root.rstrip("/"):
            return "."
        if word.startswith(root.rstrip("/") + "/"):
            return word[len(root.rstrip("/")) + 1 :]
    return word


def _leaves(word: str) -> bool:
    value = word.partition("=")[2] if word.startswith("-") else word
    return any(part.startswith("/") or ".." in PurePosixPath(part).parts for part in (word, value))
