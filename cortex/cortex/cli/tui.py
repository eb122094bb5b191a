"""`cortex tui`."""

import sys
from pathlib import Path

import click

from cortex.cli.common import repository_option
from cortex.errors import MachineError


@click.command()
@repository_option
def tui(where: Path) -> None:
    """Review the inbox and the harness, with their evidence, by keyboard."""
    from cortex_tui.app import CortexApp

    app = CortexApp(where)
    if not sys.stdout.isatty():
        raise MachineError("the terminal UI needs a terminal; use `cortex inbox` instead")
    app.run()
