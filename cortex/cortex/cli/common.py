"""Options that commands share."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

Decorated = Callable[..., Any]


def json_option(function: Decorated) -> Decorated:
    """Add `--json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")(function)


def repository_option(function: Decorated) -> Decorated:
    """Add `-C DIR`, as git has it."""
    return click.option(
        "-C",
        "where",
        type=click.Path(path_type=Path, exists=True, file_okay=False),
        default=".",
        help="Work in this folder's repository.",
    )(function)


def all_option(function: Decorated) -> Decorated:
    """Add `--all`."""
    return click.option("--all", "everywhere", is_flag=True, help="Of all repositories.")(function)


def budget_option(function: Decorated) -> Decorated:
    """Add `--budget USD`."""
    return click.option(
        "--budget", type=float, metavar="USD", help="The most that this call may spend."
    )(function)
