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

WIDTH = 160
"""Columns of tables that go into a file or a pipe."""

STYLES = {
    "keep": "bold green",
    "retain": "green",
    "bury": "red",
    "prune": "magenta",
    "unused": "dim",
    "undecided": "yellow",
    "admitted": "green",
    "quarantined": "yellow",
    "skipped": "yellow",
    "dismissed": "dim",
    "proposed": "cyan",
    "kept": "green",
    "buried": "red",
    "pruned": "magenta",
    "retained": "green",
    "refused": "red",
}


def console() -> Console:
    """Return a console on standard output that knows whether it may use colours."""
    made = Console(highlight=False)
    return made if made.is_terminal else Console(highlight=False, width=WIDTH)


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
        return {str(key): jsonable(one) for key, one in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [jsonable(one) for one in value]
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return 1e308 if value > 0 else -1e308
    return value


def styled(word: object) -> Text:
    """Return a word of DESIGN §1 in its colour."""
    return Text(str(word), style=STYLES.get(str(word), ""))


def table(title: str | None, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Table:
    """Return a table; a column whose name begins with `>` is aligned right."""
    made = Table(title=title, title_justify="left", box=None, pad_edge=False, header_style="bold")
    for name in columns:
        right = name.startswith(">")
        made.add_column(
            name.lstrip(">"), justify="right" if right else "left", no_wrap=right, overflow="fold"
        )
    for row in rows:
        made.add_row(*(one if isinstance(one, Text) else Text(str(one)) for one in row))
    return made


def one_line(text: str, width: int = 72) -> str:
    """Return text of somebody else as one printable line."""
    flat = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return flat if len(flat) <= width else flat[: width - 1] + "…"


def say(message: str = "") -> None:
    """Print one line."""
    console().print(Text(message), soft_wrap=True)


def say_drawn(picture: str) -> None:
    """Print a picture made of characters; its colours only where they can be seen."""
    console().print(Text.from_ansi(picture), soft_wrap=True)
