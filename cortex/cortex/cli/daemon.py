"""`cortex daemon`."""

import click

from cortex.cli import output
from cortex.cli.common import Decorated, json_option


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
    from cortex.daemon.control import start as run_start

    state = run_start()
    folders = ", ".join(state.watches) or "no transcripts yet"
    output.say(f"The daemon is running (pid {state.pid}) and watches {folders}.")


@daemon.command()
def stop() -> None:
    """Stop it; finished work is kept."""
    from cortex.daemon.control import stop as run_stop

    output.say("Stopped." if run_stop() else "The daemon is not running.")


def _manager_option(function: Decorated) -> Decorated:
    return click.option(
        "--for",
        "manager",
        type=click.Choice(["systemd", "launchd"]),
        help="The service manager; by default that of this machine.",
    )(function)


@daemon.command()
@_manager_option
@click.option("--print", "only_print", is_flag=True, help="Show the file without writing it.")
@json_option
def install(manager: str | None, only_print: bool, as_json: bool) -> None:
    """Write a service file that starts it at login; enables nothing by itself."""
    from cortex.daemon import autostart

    file = autostart.plan(manager) if only_print else autostart.install(manager)
    if as_json:
        output.print_json(file)
    elif only_print:
        output.say(file.content.rstrip("\n"))
    else:
        output.say(f"{'Wrote' if file.state == 'written' else 'Already there:'} {file.path}")
        if file.running:
            output.say("A daemon is running; stop it first: cortex daemon stop")
        output.say(f"Enable it: {file.next_command}")


@daemon.command()
@_manager_option
@json_option
def uninstall(manager: str | None, as_json: bool) -> None:
    """Remove the service file."""
    from cortex.daemon import autostart

    file = autostart.uninstall(manager)
    if as_json:
        output.print_json(file)
    elif file.state == "missing":
        output.say(f"Not installed: {file.path}")
    else:
        output.say(f"Removed {file.path}")
        output.say(f"End what is running: {file.next_command}")


@daemon.command()
@json_option
def status(as_json: bool) -> int:
    """Show its state and the queue; exit code 1 when it is not running."""
    from cortex.daemon.control import status as read_status

    state = read_status()
    if as_json:
        output.print_json(state)
        return 0 if state.running else 1
    if state.presence is None:
        output.say("Not running; `cortex daemon start` starts it.")
    else:
        polling = " by polling" if state.presence.polls else ""
        output.say(f"{'running':<12} pid {state.presence.pid}, since {state.presence.since}")
        output.say(f"{'watches':<12} {', '.join(state.presence.watches) or 'nothing yet'}{polling}")
    output.say(f"{'sessions':<12} {state.sessions} with {state.corrections} corrections")
    output.say(f"{'queue':<12} {len(state.queued)} pending")
    if state.current is not None:
        output.say(f"{'experiment':<12} {state.current.candidate_id}")
    return 0 if state.running else 1
