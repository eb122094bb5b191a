"""What must not stand in the tree."""

import ast
import re
from pathlib import Path

import click

from cortex.cli.main import COMMANDS, cli

REGISTRIES = ("pypi" + ".org", "npmjs" + ".org", "npmjs" + ".com", "pythonhosted" + ".org")


def calls(modules: dict[Path, ast.Module]) -> list[tuple[Path, ast.Call]]:
    return [
        (path, node)
        for path, tree in modules.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
    ]


def test_no_shell_strings(modules: dict[Path, ast.Module]) -> None:
    shells = [
        path.name
        for path, call in calls(modules)
        for keyword in call.keywords
        if keyword.arg == "shell" and not _is_false(keyword.value)
    ]
    assert shells == []


def _is_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is False


def test_no_broad_excepts(modules: dict[Path, ast.Module]) -> None:
    """`except BaseException` that raises again is how one cleans up; anything else hides bugs."""
    broad = []
    for path, tree in modules.items():
        for node in ast.walk(tree):
            if not isinstance(node, ast.ExceptHandler):
                continue
            name = getattr(node.type, "id", "") if node.type else "everything"
            ends = isinstance(node.body[-1], ast.Raise) and node.body[-1].exc is None
            if name in ("everything", "Exception", "BaseException") and not ends:
                broad.append(f"{path.parent.name}/{path.name}")
    # The entry point writes the log of a bug; the quarantine keeps a transcript's bug to itself.
    assert sorted(broad) == ["cli/main.py", "commands/quarantine.py"]


def test_only_the_store_knows_sqlite(modules: dict[Path, ast.Module]) -> None:
    users = {
        path.parent.name
        for path, tree in modules.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom) and re.search(r"sqlite", ast.dump(node))
    }
    assert users <= {"cortex_store"}


def test_nothing_of_one_machine_stands_in_the_tree(tracked: dict[Path, str]) -> None:
    home = "/" + "root/"
    for path, text in tracked.items():
        assert home not in text, path
        assert ("/" + "work/main") not in text, path
        for host in REGISTRIES:
            assert host not in text, path


def test_nothing_is_left_to_do(modules: dict[Path, ast.Module]) -> None:
    marks = re.compile("TO" + "DO|FIX" + "ME|XX" + "X")
    assert [path.name for path in modules if marks.search(path.read_text("utf-8"))] == []


def test_every_command_and_option_is_documented(root: Path) -> None:
    text = (root / "docs" / "cli.md").read_text("utf-8")
    with click.Context(cli) as ctx:
        for name in COMMANDS:
            assert f"`cortex {name}" in text, name
            command = cli.get_command(ctx, name)
            assert command is not None
            for option in _options(command):
                assert option in text, f"{name} {option}"


def _options(command: click.Command) -> list[str]:
    own = [
        opt
        for parameter in command.params
        if isinstance(parameter, click.Option)
        for opt in parameter.opts
        if opt.startswith("--")
    ]
    inner = command.commands.values() if isinstance(command, click.Group) else ()
    return own + [option for sub in inner for option in _options(sub)]
