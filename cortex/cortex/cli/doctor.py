"""`cortex doctor`."""

from pathlib import Path

import click

from cortex.cli import output
from cortex.cli.common import json_option, repository_option


@click.command()
@click.option("--no-canary", is_flag=True, help="Do not start the agent.")
@repository_option
@json_option
def doctor(no_canary: bool, where: Path, as_json: bool) -> int:
    """Check what Cortex needs, with a free trial run of the agent's installed version.

    The trial runs against a model server on loopback: nothing is spent and nothing is sent. Exits
    with 1 when there is a problem.
    """
    from cortex.commands.context import open_context
    from cortex.commands.doctor import State, examine

    with open_context(where) as context:
        checks = []
        for check in examine(context, with_canary=not no_canary):
            checks.append(check)
            if not as_json:
                output.say(f"{check.state:8} {check.name:12} {check.detail}")
                if check.advice:
                    output.say(f"{'':21} {check.advice}")
    if as_json:
        output.print_json({"checks": checks})
    return 1 if any(check.state is State.PROBLEM for check in checks) else 0
