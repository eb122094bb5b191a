"""`cortex demo`."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Self

import click
from rich.console import Console
from rich.status import Status

from cortex.cli import output
from cortex.cli.common import json_option
from cortex.errors import UsageError

if TYPE_CHECKING:
    from cortex.commands.experiments import Observer
    from cortex.demo.report import Report, Row
    from cortex.model.trials import Trial


@click.command()
@click.option("--seed", type=int, default=1, show_default=True, help="Same seed, same verdicts.")
@click.option(
    "--keep",
    type=click.Path(path_type=Path, file_okay=False),
    help="Leave repository and database in this (empty or new) folder.",
)
@json_option
def demo(seed: int, keep: Path | None, as_json: bool) -> None:
    """Watch the whole loop run on a small scripted repository: under a minute, free, offline.

    A scripted developer corrects a scripted agent; Cortex reads the transcripts, builds tasks,
    proposes rules, runs the agent with and without them and existing rules, and keeps what
    helps.
    """
    from cortex.demo.run import run_demo

    with _folder(keep) as folder, _Screen(quiet=as_json) as screen:
        report = run_demo(folder, seed, screen)
    if as_json:
        output.print_json(report.as_json())
    else:
        _show(report, keep)


@contextmanager
def _folder(keep: Path | None) -> Iterator[Path]:
    if keep is None:
        with tempfile.TemporaryDirectory(prefix="cortex-demo-") as folder:
            yield Path(folder).resolve()
        return
    if keep.exists() and any(keep.iterdir()):
        raise UsageError(f"{keep}: is not empty; give a new folder")
    try:
        keep.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{keep}: cannot be made: {error.strerror}") from None
    yield keep.resolve()


class _Screen:
    """Progress on standard error: a line a step, and a spinner that counts."""

    def __init__(self, *, quiet: bool) -> None:
        self._console = Console(stderr=True, quiet=quiet, highlight=False)
        self._status = Status("", console=self._console)
        self._title = ""
        self._done = 0
        self._total: int | None = None

    def __enter__(self) -> Self:
        self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._status.stop()

    def step(self, title: str, total: int | None = None) -> None:
        """Begin a step."""
        self._title, self._total, self._done = title, total, 0
        self._console.print(f"[bold]{title}[/bold]")
        self._show()

    def advance(self) -> None:
        """Count a trial."""
        self._done += 1
        self._show()

    def message(self, text: str) -> None:
        """Print a line below the step."""
        self._console.print(f"  {text}", markup=False)

    def observer(self) -> "Observer":
        """Count trials."""
        from cortex.commands.experiments import Observer

        def on_trial(_trial: "Trial") -> None:
            self.advance()

        return Observer(on_trial=on_trial)

    def _show(self) -> None:
        total = f" of {self._total}" if self._total else ""
        self._status.update(f"{self._title}: {self._done}{total}")


def _show(report: "Report", keep: Path | None) -> None:
    screen = output.console()
    screen.print()
    screen.print(_table("Proposed text", report.candidates))
    screen.print()
    screen.print(_table("Existing text", report.existing))
    rates = report.heldout
    output.say(
        f"\nNew work that no session has seen: {rates.without:.0%} right with the old harness, "
        f"{rates.with_:.0%} with the new one ({rates.tasks} tasks)."
    )
    output.say(
        f"{report.trials} trials in {report.seconds:.0f} s from {report.sessions} sessions, "
        f"{report.corrections} corrections, {report.tasks} tasks. Seed {report.seed}."
    )
    if keep is not None:
        output.say(
            f"\nLook around: cd {keep / 'shop'} && export CORTEX_HOME={keep / 'cortex-home'}, "
            "then `cortex verdicts`, `cortex tasks`, `cortex restore`."
        )
    output.say("\nOn your own repository (reading is free, nothing is spent without --budget):")
    for command, what in (
        ("cortex ingest", "read your sessions, find what you corrected"),
        ("cortex themes", "see what you keep correcting"),
        ("cortex evolve --budget 5", "propose a rule, test it, keep or bury it"),
        ("cortex prune", "see what testing your existing rules would cost"),
    ):
        output.say(f"  {command:<26} {what}")


def _table(title: str, rows: "tuple[Row, ...]") -> object:
    from cortex.presenting.formats import e_value

    columns = ("text", "planted as", "verdict", ">pairs", ">lift", ">evidence", ">loaded")
    return output.table(
        title,
        columns,
        [
            (
                row.name,
                row.planted,
                output.styled(row.verdict),
                row.pairs,
                f"{row.lift:+.2f}" if row.pairs else "",
                e_value(row.e_value) if row.pairs else "",
                row.loaded,
            )
            for row in rows
        ],
    )
