"""The only module that writes to standard output."""

import json
import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cortex.cli import tables
from cortex.presenting.plain import one_line, plain
from cortex.presenting.styles import STYLES, style

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

__all__ = [
    "colored",
    "console",
    "jsonable",
    "one_line",
    "plain",
    "print_json",
    "print_table",
    "say",
    "say_drawn",
    "styled",
    "table",
]

WIDTH = 160
"""Columns of tables that go into a file or a pipe."""


def console() -> "Console":
    """Return a console on standard output that knows whether it may use colours."""
    from rich.console import Console

    screen = Console(highlight=False)
    return screen if screen.is_terminal else Console(highlight=False, width=WIDTH)


def print_json(value: object) -> None:
    """Print a JSON object, and nothing else."""
    click.echo(json.dumps(jsonable(value), ensure_ascii=True, indent=2))


def jsonable(value: Any) -> Any:
    """Return records, tuples, enums and paths as what JSON knows."""
    from cortex.model.experiments import ExperimentLock, lock_record

    if isinstance(value, ExperimentLock):
        return jsonable(lock_record(value))
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: jsonable(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, dict):
        return {str(key): jsonable(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [jsonable(item) for item in value]
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return 1e308 if value > 0 else -1e308
    return value


def styled(word: object) -> "Text":
    """Return the word of a state or verdict in its colour."""
    from rich.text import Text

    return Text(plain(str(word)), style=style(word))


def table(title: str | None, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> "Table":
    """Return a rich table; a column whose name begins with `>` is aligned right."""
    from rich.table import Table
    from rich.text import Text

    grid = Table(title=title, title_justify="left", box=None, pad_edge=False, header_style="bold")
    for name in columns:
        right = name.startswith(">")
        grid.add_column(
            name.lstrip(">"), justify="right" if right else "left", no_wrap=right, overflow="fold"
        )
    for row in rows:
        grid.add_row(*(cell if isinstance(cell, Text) else Text(plain(str(cell))) for cell in row))
    return grid


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table without rich, whose import takes longer than a query.

    A column whose name begins with `>` is aligned right; statuses and rulings have their colours.
    """
    texts = [[plain(str(cell)) for cell in row] for row in rows]
    in_color = colored()
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else WIDTH
    for line in tables.lines(columns, texts, width, STYLES if in_color else {}):
        click.echo(line, color=in_color)


def colored() -> bool:
    """Whether standard output shows colours."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") not in (None, "dumb", "unknown")


def say(message: str = "") -> None:
    """Print text, which may be of somebody else: control characters are written out."""
    click.echo(plain(message))


def complain(problem: str) -> None:
    """Print a problem that does not end the command to standard error, in a line."""
    click.echo(f"cortex: {one_line(problem, 400)}", err=True)


def say_drawn(picture: str) -> None:
    """Print a picture made of characters; its colours only where they can be seen."""
    from rich.text import Text

    console().print(Text.from_ansi(picture), soft_wrap=True)
