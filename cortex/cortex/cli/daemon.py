"""`cortex daemon`."""

import click

from cortex.cli import output
from cortex.cli.common import json_option


@click.group()
def daemon() -> None:
    """Read sessions as they grow, and run queued experiments, in the background."""


@daemon.command()
def run() -> None:
    """Run in the foreground until Ctrl-C."""
    from cortex.daemon.service import serve

    serve()


@daemon.command()
def start() -> None:
    """Start it in the background."""
    from cortex.daemon.control import start as begin

    found = begin()
    where = ", ".join(found.watches) or "no transcripts yet"
    output.say(f"The daemon runs (pid {found.pid}) and watches {where}.")


@daemon.command()
def stop() -> None:
    """Stop it; what is finished is kept."""
    from cortex.daemon.control import stop as end

    output.say("Stopped." if end() else "No daemon runs.")


@daemon.command()
@json_option
def status(as_json: bool) -> int:
    """Show whether it runs and what is queued; exit code 1 when it does not run."""
    from cortex.daemon.control import status as look

    found = look()
    if as_json:
        output.print_json(found)
        return 0 if found.running else 1
    if found.presence is None:
        output.say("No daemon runs; `cortex daemon start` starts one.")
    else:
        way = " by polling" if found.presence.polls else ""
        output.say(f"{'runs':<12} pid {found.presence.pid}, since {found.presence.since}")
        output.say(f"{'watches':<12} {', '.join(found.presence.watches) or 'nothing yet'}{way}")
    output.say(f"{'sessions':<12} {found.sessions} with {found.corrections} corrections")
    output.say(f"{'queue':<12} {len(found.queued)} waiting")
    if found.current is not None:
        output.say(f"{'runs now':<12} {found.current.candidate_id}")
    return 0 if found.running else 1
