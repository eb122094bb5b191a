"""Modules near 100 lines and never over 400, functions short: measured, not hoped for."""

import ast
from pathlib import Path
from statistics import median

MAX_MODULE = 400
MAX_FUNCTION = 60
MEDIAN_FUNCTION = 12
MEDIAN_MODULE = 130


def functions(tree: ast.Module) -> list[tuple[str, int]]:
    return [
        (node.name, (node.end_lineno or node.lineno) - node.lineno + 1)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def test_no_module_is_too_long(modules: dict[Path, ast.Module]) -> None:
    sizes = {
        path: path.read_text("utf-8").count("\n")
        for path in modules
        if path.name != "migrations.py"
    }
    assert {path.name: size for path, size in sizes.items() if size > MAX_MODULE} == {}
    assert median(size for size in sizes.values() if size > 5) <= MEDIAN_MODULE


def test_functions_are_short(modules: dict[Path, ast.Module]) -> None:
    sizes = [
        (path.name, name, lines)
        for path, tree in modules.items()
        for name, lines in functions(tree)
    ]
    assert [entry for entry in sizes if entry[2] > MAX_FUNCTION] == []
    assert median(lines for _, _, lines in sizes) <= MEDIAN_FUNCTION
