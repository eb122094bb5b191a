"""The source tree, as these tests look at it."""

import ast
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("cortex", "lsp", "replay", "store", "tui")


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def modules() -> dict[Path, ast.Module]:
    """Every module of the product, parsed."""
    paths = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
    return {path: ast.parse(path.read_text("utf-8")) for path in sorted(paths)}


@pytest.fixture(scope="session")
def tracked() -> dict[Path, str]:
    """Every tracked text file."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    texts = {}
    for name in filter(None, listed.stdout.split("\0")):
        path = ROOT / name
        if path.is_file() and path.suffix not in (".png", ".svg", ".gif"):
            texts[path] = path.read_text("utf-8", "replace")
    return texts
