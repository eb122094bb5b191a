import pytest

from cortex.model.tasks import ActionCheck
from cortex.tasks.command_order import process_checks
from cortex.tasks.describe import describe
from cortex.tasks.evaluate import WorkResult, evaluate


def check(attempt: list[str], fix: list[str], words: str, *, files: bool = False) -> ActionCheck:
    condition = process_checks(attempt, fix, words, files_differ=files)
    assert len(condition) == 1
    return condition[0]


def holds(condition: ActionCheck, *commands: str) -> bool:
    return evaluate(condition, WorkResult({}, {}, commands=commands)).passed


def test_a_linter_that_was_not_run() -> None:
    condition = check(
        ["pytest -q"], ["ls", "uv run ruff check src", "pytest -q"], "run the linter too"
    )
    assert describe(condition) == "runs `ruff check`"
    for other in ("ruff check .", "python -m ruff check", ".venv/bin/ruff check a.py"):
        assert holds(condition, other)
    assert not holds(condition, "ruff format .")


def test_a_branch_first() -> None:
    words = "create a branch first, before you commit"
    condition = check(["git commit -am x"], ["git switch -c fix", "git commit -am x"], words)
    assert describe(condition).startswith("runs `git")
    assert holds(condition, "git checkout -b other && git commit -m y")
    assert not holds(condition, "git commit -m y", "git checkout -b other")
    assert not holds(condition, "git branch -a")


def test_the_right_commands_in_the_wrong_order() -> None:
    words = "run make lint before you commit"
    condition = check(["git commit -am x", "make lint"], ["make lint", "git commit -am x"], words)
    assert condition.before is not None
    assert not holds(condition, "git commit -am x", "make lint")


def test_what_must_not_be_run() -> None:
    condition = check(["git add .", "git commit -m x"], ["git add ."], "do not commit")
    assert condition.must_not_run is not None
    assert not holds(condition, "git add -A && git commit -m y")
    assert holds(condition, "git add -A", 'echo "git commit"')


def test_npm_scripts_with_and_without_run() -> None:
    condition = check([], ["npm run lint"], "lint please")
    assert holds(condition, "npm run lint")
    assert not holds(condition, "npm test")


@pytest.mark.parametrize("files", [True, False])
def test_looking_around_is_no_way_of_working(files: bool) -> None:
    fix = ["git status", "ls -la", "cat a.py", "grep -rn x .", "python -c 'print(1)'"]
    assert process_checks([], fix, "no, look again", files_differ=files) == ()


def test_beside_a_contrast_in_files_only_named_commands_count() -> None:
    assert process_checks([], ["pytest -q"], "wrong exception type", files_differ=True) == ()
    assert process_checks([], ["pytest -q"], "where are the tests?", files_differ=True) == ()
    assert process_checks([], ["git add ."], "add a changelog entry", files_differ=True) == ()
    assert process_checks([], ["pytest -q"], "and run the tests", files_differ=True) != ()
    assert process_checks([], ["pytest -q"], "hm", files_differ=False) != ()


def test_the_launcher_of_a_tool() -> None:
    condition = check(["python -m pytest"], ["uv run pytest -q"], "use uv, never plain python")
    assert describe(condition) == "runs `uv run`"
    assert holds(condition, "uv run pytest tests")
    assert not holds(condition, "pytest tests")


def test_another_package_manager() -> None:
    condition = check(["pip install pyyaml"], ["uv add pyyaml"], "uv add, not pip", files=True)
    assert holds(condition, "uv add rich")
    assert not holds(condition, "pip install rich")


def test_a_rebase_before_the_push() -> None:
    fix = ["git pull --rebase", "git push"]
    condition = check(["git push"], fix, "pull --rebase before that", files=True)
    assert not holds(condition, "git push", "git pull --rebase")
    assert holds(condition, "git fetch && git pull --rebase && git push")
