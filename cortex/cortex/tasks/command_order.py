"""Checks from corrections of the way of working: what was run, and in which order."""

import re
from collections.abc import Iterable, Iterator, Sequence

from cortex.model.tasks import ActionCheck
from cortex.tasks.command_checks import RUNNER
from cortex.tasks.evaluate import WorkResult, evaluate
from cortex.tasks.segments import NEW_BRANCH, segments

_TWO_WORDS = frozenset(
    {"git", "npm", "pnpm", "yarn", "bun", "cargo", "go", "make", "just", "docker", "gh", "ruff"}
    | {"pip", "uv", "poetry", "dotnet", "rake", "mix", "terraform", "kubectl", "alembic", "black"}
    | {"deno", "swift", "mvn", "rails", "prettier"}
)
_WRAPPER = re.compile(
    r"^(?:(?:uv|poetry|pipenv|hatch|pdm|rye)\s+run|npx|pnpm\s+exec|bunx|bundle\s+exec"
    r"|(?:\S*/)?python[\d.]*\s+-m)\s+"
)
_RUN = re.compile(r"^(npm|pnpm|yarn|bun)\s+run\s+")
_LOOKING = re.compile(
    r"^git\s+(?:status|diff|log|show|rev-parse|remote|fetch|config|branch(?:$|\s+-))"
    r"|^(?:python|node|ruby|bash|sh|rm|cp|mv|chmod|test|\[|for|if|while|jq|curl|tee|sort|diff|xargs)\b"
)
_ALSO = {
    "git branch": "branch branches zweig rama branche",
    "git commit": "commit commits committing committed",
    "git push": "push pushing pushed",
    "pytest": "test tests testing",
    "npm test": "test tests testing",
    "go test": "test tests testing",
    "cargo test": "test tests testing",
    "make test": "test tests testing",
    "ruff check": "lint linter linting",
    "eslint": "lint linter linting",
    "ruff format": "format formatter formatting formatted",
    "black": "format formatter formatting formatted",
    "prettier": "format formatter formatting formatted",
    "cargo fmt": "format formatter formatting formatted",
    "gofmt": "format formatter formatting formatted",
    "mypy": "types typecheck type-check typing",
    "pyright": "types typecheck type-check typing",
    "tsc": "types typecheck type-check typing",
}
_ORDER = re.compile(
    r"\b(?:before|first|prior|zuerst|erst|bevor|vorher|avant|d'abord|antes|primero|prima)\b", re.I
)
_LAUNCHER = re.compile(r"^(uv|poetry|pipenv|hatch|pdm|rye)\s+run\s")
_TESTS = frozenset({"test", "tests", "testing"})
_RUNNING = re.compile(
    r"\b(?:run|ran|running|runs|execute|pass|passes|green|red|failing|laufen|ausf\w+|lance\w*"
    r"|ejecut\w+|corre\w*|rod\w+)\b",
    re.I,
)
_COMMON = frozenset({"git", "go", "make", "just", "run", "add", "install", "build", "up", "new"})
"""Program and subcommand names that are everyday words: they name no command."""
_SAVED = ("git commit", "git push")


def process_checks(
    attempt: Sequence[str], corrected: Sequence[str], words: str, *, files_differ: bool
) -> tuple[ActionCheck, ...]:
    """Return at most one condition on what is run; () when the commands show no difference.

    Where the files differ as well, only a command that the words name counts.
    """
    old, new = tuple(_heads(attempt)), tuple(_heads(corrected))
    spoken = _spoken(words)
    wanted = [head for head in dict.fromkeys(new) if head not in old or _ORDER.search(words)]
    unwanted = [head for head in dict.fromkeys(old) if head not in new]
    named = [head for head in wanted if _named(head, spoken)]
    avoided = [head for head in unwanted if _named(head, spoken)]
    options = [
        *(ActionCheck(must_run=pattern(head), before=_before(head, new, words)) for head in named),
        *(ActionCheck(must_run=pattern(head)) for head in named),
        *(ActionCheck(must_not_run=pattern(head)) for head in avoided),
    ]
    if not files_differ:
        tests = sorted(wanted, key=lambda head: RUNNER.match(head) is None)
        options += [ActionCheck(must_run=pattern(head)) for head in tests]
        options += [ActionCheck(must_not_run=pattern(head)) for head in unwanted]
    telling = (check for check in options if _telling(check, attempt, corrected))
    return tuple(telling)[:1]


def pattern(head: str) -> str:
    """Return a regular expression for a command however it is wrapped."""
    if head == "git branch":
        return NEW_BRANCH
    program, *rest = head.split(" ")
    middle = r"\s+(?:run\s+)?" if program in ("npm", "pnpm", "yarn", "bun") else r"\s+"
    return r"(?:^|[\s/])" + middle.join(map(re.escape, (program, *rest))) + r"(?![\w-])"


def head_of(segment: str) -> str | None:
    """Return program and subcommand of a simple command, None for one that only looks around."""
    if re.match(NEW_BRANCH, segment):
        return "git branch"
    text = _RUN.sub(r"\1 ", _WRAPPER.sub("", segment))
    if _LOOKING.match(text):
        return None
    parts = [part for part in text.split() if not part.startswith("-")]
    if not parts or not re.fullmatch(r"[\w./-]+", parts[0]):
        return None
    program = parts[0].rpartition("/")[2]
    more = parts[1:2] if program in _TWO_WORDS else []
    return " ".join([program, *more])


def _heads(commands: Iterable[str]) -> Iterator[str]:
    """Yield what was run in order; `uv run pytest` is both `uv run` and `pytest`."""
    for command in commands:
        for segment in segments(command):
            if launched := _LAUNCHER.match(segment):
                yield f"{launched.group(1)} run"
            if head := head_of(segment):
                yield head


def _spoken(words: str) -> frozenset[str]:
    lower = re.findall(r"[\w-]+", words.lower())
    # "Where are the tests?" asks for tests, not for a run of them.
    without = () if _RUNNING.search(words) else _TESTS
    return frozenset(lower).difference(without)


def _named(head: str, spoken: frozenset[str]) -> bool:
    program, *rest = head.split(" ")
    if program in spoken - _COMMON:
        return True
    also = _ALSO.get(head, "").split()
    return any(word in spoken - _COMMON for word in (*rest, *also))


def _before(head: str, new: Sequence[str], words: str) -> str | None:
    """Return what must come later, when the words speak of an order."""
    if not _ORDER.search(words):
        return None
    later = new[new.index(head) + 1 :]
    return next((pattern(saved) for saved in _SAVED if saved in later and saved != head), None)


def _telling(check: ActionCheck, attempt: Sequence[str], corrected: Sequence[str]) -> bool:
    failed = WorkResult({}, {}, commands=tuple(attempt))
    fixed = WorkResult({}, {}, commands=tuple(corrected))
    return not evaluate(check, failed).passed and evaluate(check, fixed).passed
