"""Entry point: a lazy group of commands, one place for errors and exit codes.

Exit codes: 0 fine, 1 findings, 2 wrong use, 3 the machine is not ready, 70 a bug, 130 interrupted.
"""

import importlib
import os
import sys
from typing import Any

import click

from cortex import __version__
from cortex.encoding import replace_unencodable, use_utf8_paths
from cortex.errors import CortexError, UsageError

COMMANDS = {
    "demo": ("cortex.cli.demo", "demo", "Watch the whole loop run on a small scripted repository."),
    "ingest": ("cortex.cli.reading", "ingest", "Read transcripts; find corrections, build tasks."),
    "corrections": ("cortex.cli.reading", "corrections", "List what you corrected."),
    "themes": ("cortex.cli.reading", "themes", "List what you keep correcting."),
    "tasks": ("cortex.cli.tasks", "tasks", "List, show, check or dismiss replayable tasks."),
    "trust": (
        "cortex.cli.trust",
        "trust",
        "Let checks run this repository's commands unsandboxed.",
    ),
    "propose": (
        "cortex.cli.gating",
        "propose",
        "Write a candidate rule or skill; or test yours.",
    ),
    "gate": ("cortex.cli.gating", "gate", "Run the agent with and without a candidate."),
    "evolve": ("cortex.cli.gating", "evolve", "Propose a candidate, gate it, keep or bury it."),
    "prune": ("cortex.cli.gating", "prune", "Gate existing text; remove what does not help."),
    "verdicts": (
        "cortex.cli.verdicts",
        "verdicts",
        "List verdicts, or show one with its evidence.",
    ),
    "inbox": ("cortex.cli.inbox", "inbox", "List proposals to gate and verdicts to apply."),
    "bury": ("cortex.cli.inbox", "bury", "Bury a candidate."),
    "accept": ("cortex.cli.verdicts", "accept", "Apply the verdict of a candidate."),
    "restore": ("cortex.cli.verdicts", "restore", "List the graveyard, or restore text."),
    "status": ("cortex.cli.status", "status", "Show the state of this repository."),
    "daemon": (
        "cortex.cli.daemon",
        "daemon",
        "Read sessions as they grow; run queued experiments.",
    ),
    "tui": ("cortex.cli.tui", "tui", "Review inbox and harness by keyboard."),
    "hook": ("cortex.cli.hook", "hook", "Remove prunable text with each commit."),
    "verify": (
        "cortex.cli.status",
        "verify",
        "Check that stored verdicts follow from stored rows.",
    ),
    "doctor": (
        "cortex.cli.doctor",
        "doctor",
        "Check what Cortex needs, with a free run of the agent.",
    ),
    "privacy": ("cortex.cli.privacy", "privacy", "Show what Cortex keeps, and where."),
    "purge": ("cortex.cli.purge", "purge", "Remove what Cortex copied from sessions."),
    "selftest": (
        "cortex.cli.selftest",
        "selftest",
        "Run the gate on experiments with a known answer.",
    ),
}


class LazyGroup(click.Group):
    """Commands are imported when they are called: `cortex --help` stays instant."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names in the order of first use."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import and return a command."""
        if cmd_name not in COMMANDS:
            return None
        module, name, _ = COMMANDS[cmd_name]
        command = getattr(importlib.import_module(module), name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the list without importing anything."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry[2]) for name, entry in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="cortex")
@click.option(
    "-C",
    "folders",
    multiple=True,
    metavar="DIR",
    help="Run as if started in this folder; several are relative to each other.",
)
def cli(folders: tuple[str, ...]) -> None:
    """Test the skills, rules and instructions you write for coding agents.

    Start with `cortex demo`; then, in your own repository: `cortex ingest`, `cortex themes`,
    `cortex evolve --budget USD`.
    """
    if folders:
        _fix_paths()
    for folder in folders:
        try:
            os.chdir(folder)
        except OSError as error:
            raise UsageError(f"cannot change to {folder}: {error.strerror}") from None


def _fix_paths() -> None:
    """Make relative paths of the environment absolute while the current folder is the caller's."""
    from cortex.config import expand

    for name in ("CORTEX_HOME", "CORTEX_TRIALS", "CLAUDE_CONFIG_DIR"):
        if value := os.environ.get(name, "").strip():
            os.environ[name] = str(expand(value))


def run() -> None:
    """Run the command line and end the process with its exit code."""
    use_utf8_paths()
    replace_unencodable()
    sys.exit(main(sys.argv[1:]))


def main(arguments: list[str]) -> int:
    """Run a command and return its exit code; every error is a line on standard error."""
    try:
        result: Any = cli.main(args=arguments, prog_name="cortex", standalone_mode=False)
    except CortexError as error:
        return _fail(str(error), error.exit_code)
    except click.exceptions.Abort:
        return _fail("interrupted; finished work is kept", 130)
    except KeyboardInterrupt:
        return _fail("interrupted; finished work is kept", 130)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        return 2
    except click.UsageError as error:
        hint = f" (see `{error.ctx.command_path} --help`)" if error.ctx else ""
        return _fail(error.format_message().rstrip(".") + hint, 2)
    except click.ClickException as error:
        return _fail(error.format_message(), 2)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:  # noqa: BLE001 - a bug: the one place that turns it into a log
        from cortex import crash

        return _fail(crash.report(error, arguments), crash.EXIT_CODE)
    return result if isinstance(result, int) else 0


def _fail(message: str, code: int) -> int:
    from cortex.presenting.plain import plain

    first, *_ = message.strip().splitlines() or ["unknown error"]
    sys.stderr.write(f"cortex: {plain(first)}\n")
    return code


if __name__ == "__main__":
    run()
