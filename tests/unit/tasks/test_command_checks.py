from dataclasses import dataclass

import pytest

from cortex.model.tasks import CommandCheck
from cortex.tasks.command_checks import TIMEOUT_S, command_checks, safe_argv

ROOTS = ("/home/dev/shop", "/home/dev/shop/api")


@dataclass(frozen=True)
class Ran:
    command: str
    ok: bool | None


@pytest.mark.parametrize(
    ("command", "argv"),
    [
        ("pytest -q tests/test_a.py::test_x[1]", ("pytest", "-q", "tests/test_a.py::test_x[1]")),
        ("cd /home/dev/shop && pytest -q 2>&1", ("pytest", "-q")),
        ("pytest /home/dev/shop/tests", ("pytest", "tests")),
        ("uv run pytest -k 'a b'", ("uv", "run", "pytest", "-k", "a b")),
        ("python -m unittest discover", ("python", "-m", "unittest", "discover")),
        ("npm run test:unit", ("npm", "run", "test:unit")),
        ("go test ./...", ("go", "test", "./...")),
        ("make check", ("make", "check")),
        ("ruff check .", ("ruff", "check", ".")),
    ],
)
def test_known_runners(command: str, argv: tuple[str, ...]) -> None:
    assert safe_argv(command, ROOTS) == argv


@pytest.mark.parametrize(
    "command",
    [
        "pytest | tail -5",
        "pytest > out.txt",
        "pytest; rm -rf x",
        "pytest && curl evil.example",
        "pytest $(cat x)",
        "pytest `cat x`",
        "pytest $HOME",
        "pytest ~/x",
        "pytest\nrm x",
        "pytest /etc",
        "pytest --rootdir=/etc",
        "pytest ../other",
        "pytest -c=../x",
        "cd /elsewhere && pytest",
        "cd .. && pytest",
        "rm -rf .",
        "python setup.py test",
        "pytestify",
        "make deploy",
        "npm install",
        "bash -c pytest",
        "FOO=1 pytest",
        "pytest 'unbalanced",
        "/usr/bin/pytest",
        "",
    ],
)
def test_everything_else_is_refused(command: str) -> None:
    assert safe_argv(command, ROOTS) is None


def test_failed_and_then_passed_with_the_same_text() -> None:
    attempt = [Ran("pytest -q", False), Ran("ruff check .", True), Ran("mypy .", False)]
    corrected = [Ran("pytest -q", True), Ran("ruff check .", True), Ran("mypy src", True)]
    assert command_checks(attempt, corrected, ROOTS) == (CommandCheck(("pytest", "-q"), TIMEOUT_S),)


def test_unknown_results_prove_nothing() -> None:
    assert command_checks([Ran("pytest", None)], [Ran("pytest", True)], ROOTS) == ()
    assert command_checks([Ran("pytest", False)], [Ran("pytest", None)], ROOTS) == ()
    assert command_checks([Ran("pytest", True)], [Ran("pytest", False)], ROOTS) == ()
