"""`cortex hook`."""

from pathlib import Path

import click

from cortex.cli import output
from cortex.cli.common import repository_option


@click.group()
def hook() -> None:
    """Take prunable text out with each commit, by a git pre-commit hook."""


@hook.command()
@repository_option
def install(where: Path) -> None:
    """Install the hook; one that is there already runs first."""
    from cortex.hook.installing import install as run

    _done(run(where))


@hook.command()
@repository_option
def uninstall(where: Path) -> None:
    """Remove the hook and put back the one before it."""
    from cortex.hook.installing import uninstall as run

    _done(run(where))


@hook.command()
@click.option("--changes-fail", is_flag=True, help="Exit 1 when text was taken out.")
def run(changes_fail: bool) -> int:
    """Do once what the hook does at a commit."""
    from cortex.hook.running import main

    return main(["--changes-fail"] if changes_fail else [])


def _done(said: str) -> None:
    output.say(said[:1].upper() + said[1:] + ".")
