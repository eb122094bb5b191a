"""`cortex hook`."""

from pathlib import Path

import click

from cortex.cli import output
from cortex.cli.common import repository_option


@click.group()
def hook() -> None:
    """Remove prunable text with each commit, by a git pre-commit hook."""


@hook.command()
@click.option(
    "--own", is_flag=True, help="Accept no verdict that .cortex/verdicts.jsonl holds already."
)
@repository_option
def install(own: bool, where: Path) -> None:
    """Install the hook; an existing one stays in place and runs first.

    The verdicts that the repository holds now are accepted and listed. Those that others add
    later are not acted upon before you accept them (`cortex inbox`).
    """
    from cortex.hook.installing import install as run
    from cortex.hook.installing import is_installed

    first = not is_installed(where)
    _print(run(where))
    if first and not own:
        _accept_present(where)


def _accept_present(where: Path) -> None:
    from cortex.commands.colleagues import accept_present
    from cortex.commands.context import open_context

    with open_context(where, read_only=True) as context:
        accepted = accept_present(context)
    for artifact in accepted:
        output.say(f"Accepted {artifact.key}: prune. The next commit removes it.")


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
