"""Checks from commands: a known test runner that failed and then passed."""

import re
import shlex
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Protocol

from cortex.model.tasks import CommandCheck

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
"""Commands that may become a check without asking: they test, and change nothing else."""

_SHELL = re.compile(r"[|&;<>()$`\\\n*?~{}]")
_CD = re.compile(r"^\s*cd\s+(\S+|\"[^\"]+\"|'[^']+')\s*&&\s*(.+)$", re.DOTALL)


def command_checks(
    attempt: Sequence[CommandRunLike], corrected: Sequence[CommandRunLike], roots: Sequence[str]
) -> tuple[CommandCheck, ...]:
    """Return a check for each test command that failed and later passed with the same text.

    `roots` are the absolute paths that stand for the workspace (repository, working folder).
    """
    failed: set[str] = set()
    found: dict[tuple[str, ...], None] = {}
    for run in (*attempt, *corrected):
        text = run.command.strip()
        if run.ok is False:
            failed.add(text)
        elif run.ok and text in failed and (argv := safe_argv(text, roots)):
            found[argv] = None
    return tuple(CommandCheck(argv, TIMEOUT_S) for argv in found)


def safe_argv(command: str, roots: Sequence[str]) -> tuple[str, ...] | None:
    """Return the arguments of a known test runner, None for anything that is not plainly one.

    Pipes, redirections, substitutions, another folder and paths outside the workspace are refused;
    a `cd` to the workspace in front and `2>&1` at the end are taken off.
    """
    text = command.strip().removesuffix("2>&1").strip()
    folder = _CD.match(text)
    if folder:
        if folder.group(1).strip("\"'").rstrip("/") not in {root.rstrip("/") for root in roots}:
            return None
        text = folder.group(2).strip()
    if not RUNNER.match(text) or _SHELL.search(text):
        return None
    try:
        argv = [_relative(word, roots) for word in shlex.split(text)]
    except ValueError:
        return None
    return None if any(_leaves(word) for word in argv) else tuple(argv)


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
