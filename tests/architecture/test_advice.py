"""No text names a command or an option that does not exist."""

import ast
import re
from pathlib import Path

import click
import pytest

from cortex.cli.main import cli

NAMED = re.compile(r"`(?:\$ )?(cortex(?: [^`]*)?)`")
LINE = re.compile(r"^\s*(?:\$ )?(cortex [a-z-][^#`|]*)", re.MULTILINE)
OPTION = re.compile(r"--?[A-Za-z][a-z-]*")


def problems_of(call: str) -> list[str]:
    """Return what a call of `cortex` names that click does not know."""
    words = re.sub(r"[\[\]…()]", " ", call).split()[1:]
    command: click.Command = cli
    problems = []
    options = {"--help", "-h", "--version"} | _options(cli)
    before = ""
    for word in words:
        before, previous = word, before
        if previous == "-C":
            continue
        names = [name.strip("\\,.;:") for name in word.split("|")]
        if word.startswith("-"):
            named = [option for name in names for option in OPTION.findall(name)[:1]]
            problems += [f"{call}: no option {option}" for option in named if option not in options]
        elif isinstance(command, click.Group) and names[0]:
            with click.Context(cli) as ctx:
                inner = [command.get_command(ctx, name) for name in names]
            if None in inner:
                if command is not cli and command.invoke_without_command:
                    break
                if names[0].islower():
                    problems.append(f"{call}: no command {word}")
                break
            command = inner[0] or command
            options |= {option for each in inner if each for option in _options(each)}
    return problems


def _options(command: click.Command) -> set[str]:
    return {
        name
        for parameter in command.params
        if isinstance(parameter, click.Option)
        for name in (*parameter.opts, *parameter.secondary_opts)
    }


def _literals(tree: ast.Module) -> list[str]:
    """Return the string literals; a value in an f-string becomes `ID`."""
    texts = []
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = (part.value if isinstance(part, ast.Constant) else "ID" for part in node.values)
            texts.append("".join(str(part) for part in parts))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            texts.append(node.value)
    return texts


def test_source_names_only_what_exists(modules: dict[Path, ast.Module]) -> None:
    calls = {
        call
        for tree in modules.values()
        for text in _literals(tree)
        for call in NAMED.findall(text)
    }
    assert len(calls) > 20
    assert [problem for call in sorted(calls) for problem in problems_of(call)] == []


def test_docs_name_only_what_exists(tracked: dict[Path, str]) -> None:
    texts = {path: text for path, text in tracked.items() if path.suffix == ".md"}
    calls = {
        call
        for text in texts.values()
        for pattern in (NAMED, LINE)
        for call in pattern.findall(text)
    }
    assert len(calls) > 40
    assert [problem for call in sorted(calls) for problem in problems_of(call)] == []


@pytest.mark.parametrize(
    ("call", "wrong"),
    [
        ("cortex gate ID --budget USD", 0),
        ("cortex daemon run\\|start\\|stop", 0),
        ("cortex hook install|destroy", 1),
        ("cortex gate ID --bugdet USD", 1),
        ("cortex gates", 1),
        ("cortex tasks show ID --status S", 0),
        ("cortex -C DIR --loud", 1),
    ],
)
def test_the_test_sees_what_is_wrong(call: str, wrong: int) -> None:
    assert len(problems_of(call)) == wrong, problems_of(call)
