"""Names say what a value is, and messages are plain technical English."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

EMPTY_NAMES = {"one", "found", "said"}
"""Names that tell nothing about the value."""

OLD_CLASSES = {
    "Deed", "Ended", "Finished", "Graves", "Happening", "Judged", "Known", "Meta", "Presence",
    "Purse", "Setting", "Sign", "Situation", "Standing", "Sure", "Tally", "Traits", "Undoing",
    "Watch", "Workbench",
}  # fmt: skip
OLD_OPTIONS = {
    "acting", "dead_but", "glance", "goes_on", "heard", "purse", "settle", "settled", "silent",
    "singles", "tally", "workbench",
}  # fmt: skip
"""Of functions, parameters, fields and methods."""

OLD_MODULES = {
    "acting", "apart", "by_hand", "gitcalls", "lifetime", "observing", "overview", "process",
    "prospects", "regions", "trialroot", "traits", "wave", "words",
    "cortex/mining/wording", "cortex/judgement/path", "cortex/tasks/names",
}  # fmt: skip
"""Bare names wherever they are; those with a folder only there."""

OLD_FIXTURES = {"Desk", "Hand", "House"}

OLD_PHRASES = (
    "nothing waits", "does not wait in", "everything follows from", "work on: a correction",
    "proofs of admission again", "no daemon runs", "the daemon runs now", "runs already",
    "does not end; kill", "said nothing", "buys no trial", "nothing more is started",
    "is writing and does not end", "misses text", "mends it", "did nothing",
    "queues its experiment", "take back", "taken back", "take it back", "nobody has measured",
    "bring back which", "shows that it helps", "nothing is resumed", "would undo it: open",
    "exists by now", "changed meanwhile", "nothing is left to do", "is left alone now",
    "again and again",
)  # fmt: skip


def identifiers(tree: ast.AST) -> Iterator[str]:
    """Yield every identifier of a module: definitions, uses, attributes, keywords, aliases."""
    for node in ast.walk(tree):
        for field in ("id", "arg", "attr", "name", "asname", "rest"):
            value = getattr(node, field, None)
            if isinstance(value, str):
                yield value
        if isinstance(node, ast.Global | ast.Nonlocal):
            yield from node.names


def definitions(tree: ast.AST) -> Iterator[str]:
    """Yield the functions, parameters and fields that a module defines."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id


def strings(tree: ast.AST) -> Iterator[str]:
    """Yield every string on a single line; the values in an f-string are left out."""
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = [part.value if isinstance(part, ast.Constant) else "…" for part in node.values]
            yield " ".join("".join(map(str, parts)).split())
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield " ".join(node.value.split())


@pytest.fixture(scope="module")
def trees(tracked: dict[Path, str], root: Path) -> dict[str, ast.Module]:
    """Every tracked Python file, parsed: tests and benchmarks too."""
    return {
        path.relative_to(root).as_posix(): ast.parse(text)
        for path, text in tracked.items()
        if path.suffix == ".py"
    }


def test_no_identifier_is_an_empty_word(trees: dict[str, ast.Module]) -> None:
    used = {
        path: sorted(words)
        for path, tree in trees.items()
        if (words := EMPTY_NAMES.intersection(identifiers(tree)))
    }
    assert used == {}


def test_every_kind_of_identifier_is_seen() -> None:
    code = """
import one
from package import module as found
def said(one, *found, **said): ...
call(one=1)
value.found
[said for said in values]
"""
    assert {*identifiers(ast.parse(code))} >= EMPTY_NAMES
    for line in code.strip().splitlines():
        assert EMPTY_NAMES.intersection(identifiers(ast.parse(line))), line


def test_no_private_name_is_left(trees: dict[str, ast.Module]) -> None:
    classes = OLD_CLASSES | OLD_FIXTURES
    left = {
        f"{path}: {name}"
        for path, tree in trees.items()
        for node in ast.walk(tree)
        for name in (node.name.lstrip("_") if isinstance(node, ast.ClassDef) else "",)
        if name in classes
    }
    left |= {
        f"{path}: {name}"
        for path, tree in trees.items()
        if not path.startswith("benchmarks/")
        if not path.endswith("/migrations.py")  # a database remembers its migrations by name
        for name in definitions(tree)
        if name in OLD_OPTIONS
    }
    assert left == set()


def test_no_private_module_is_left(trees: dict[str, ast.Module]) -> None:
    left = {
        path
        for path in trees
        if Path(path).stem in OLD_MODULES
        or any(path.endswith(f"{name}.py") for name in OLD_MODULES if "/" in name)
    }
    assert left == set()


def test_no_private_name_is_left_in_the_extension(tracked: dict[Path, str]) -> None:
    declared = re.compile(rf"\b(?:class|interface|type) (?:{'|'.join(sorted(OLD_CLASSES))})\b")
    sources = {path: text for path, text in tracked.items() if path.suffix == ".ts"}
    assert sources
    assert [path.name for path, text in sources.items() if declared.search(text)] == []


def test_messages_use_the_verbs_of_the_field(
    trees: dict[str, ast.Module], tracked: dict[Path, str]
) -> None:
    texts = {
        path: "\n".join(strings(tree))
        for path, tree in trees.items()
        if not path.startswith("tests/")
    }
    texts |= {
        path.name: " ".join(text.split())
        for path, text in tracked.items()
        if path.suffix in (".md", ".ts") and "tests" not in path.parts
    }
    used = {
        f"{path}: {phrase}"
        for path, text in texts.items()
        for phrase in OLD_PHRASES
        if phrase in text.lower()
    }
    assert used == set()
