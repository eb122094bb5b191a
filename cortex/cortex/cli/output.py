"""The only module that writes to standard output."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from cortex.model.experiments import ExperimentLock, lock_record
from cortex.presenting.plain import one_line, plain
from cortex.presenting.styles import style

__all__ = [
    "console",
    "jsonable",
    "one_line",
    "plain",
    "print_json",
    "say",
    "say_drawn",
    "styled",
    "table",
]

WIDTH = 160
"""Columns of tables that go into a file or a pipe."""


def console() -> Console:
    """Return a console on standard output that knows whether it may use colours."""
    terminal = Console(highlight=False)
    return terminal if terminal.is_terminal else Console(highlight=False, width=WIDTH)


def print_json(value: object) -> None:
    """Print one JSON object, and nothing else."""
    click.echo(json.dumps(jsonable(value), ensure_ascii=True, indent=2))


def jsonable(value: Any) -> Any:
    """Return records, tuples, enums and paths as what JSON knows."""
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


def styled(word: object) -> Text:
    """Return a word of a state or verdict in its colour."""
    return Text(plain(str(word)), style=style(word))


def table(title: str | None, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Table:
    """Return a table; a column whose name begins with `>` is aligned right."""
    result = Table(title=title, title_justify="left", box=None, pad_edge=False, header_style="bold")
    for name in columns:
        right = name.startswith(">")
        result.add_column(
            name.lstrip(">"), justify="right" if right else "left", no_wrap=right, overflow="fold"
        )
    for row in rows:
        result.add_row(
            *(cell if isinstance(cell, Text) else Text(plain(str(cell))) for cell in row)
        )
    return result


def _cell(cell: object) -> Text:
    return cell if isinstance(cell, Text) else Text(plain(str(cell)))


def say(message: str = "") -> None:
    """Print a message; control characters in it are written out."""
    console().print(Text(plain(message)), soft_wrap=True)


def say_drawn(picture: str) -> None:
    """Print a picture made of characters; its colours only where they can be seen."""
    console().print(Text.from_ansi(picture), soft_wrap=True)
