"""`cortex hook`."""

from pathlib import Path

import click

from cortex.cli import output
from cortex.cli.common import repository_option


@click.group()
def hook() -> None:
    """Remove prunable text with each commit, by a git pre-commit hook."""


@hook.command()
@repository_option
def install(where: Path) -> None:
    """Install the hook; an existing one stays in place and runs first."""
    from cortex.hook.installing import install as run

    _print(run(where))


@hook.command()
@repository_option
def uninstall(where: Path) -> None:
    """Remove the hook; an existing one is as it was before."""
    from cortex.hook.installing import uninstall as run

    _print(run(where))


@hook.command()
@click.option("--changes-fail", is_flag=True, help="Exit 1 when text was removed.")
def run(changes_fail: bool) -> int:
    """Run the hook once, as at a commit; for scripts that call it by hand."""
    from cortex.hook.isolated import run as run_isolated

    return run_isolated(["--changes-fail"] if changes_fail else [])


def _print(sentence: str) -> None:
    output.say(sentence[:1].upper() + sentence[1:] + ".")
