"""`cortex selftest gate`."""

from pathlib import Path
from typing import TYPE_CHECKING, Self

import click
from rich.console import Console
from rich.status import Status

from cortex.cli import output
from cortex.cli.common import budget_option, json_option, repository_option
from cortex.errors import CortexError, UsageError

if TYPE_CHECKING:
    from cortex.model.trials import Trial
    from cortex.selftest.cases import Kind
    from cortex.selftest.report import CaseResult, Report, Row


class InterruptedSelfTestError(CortexError):
    """The person pressed Ctrl-C: half of a self-test says nothing."""

    exit_code = 130


@click.group()
def selftest() -> None:
    """Try Cortex on this machine, where the answer is known."""


@selftest.command()
@click.option("--repeats", type=int, metavar="N", help="How often each A/A experiment runs (8).")
@click.option("--seed", type=int, default=1, show_default=True, help="Same seed, same words.")
@click.option("--agent", metavar="NAME", help="`scripted` (free) or one that is configured.")
@click.option("--only", "names", multiple=True, metavar="KIND", help="Only this kind; repeatable.")
@budget_option
@repository_option
@json_option
def gate(
    repeats: int | None,
    seed: int,
    agent: str | None,
    names: tuple[str, ...],
    budget: float | None,
    where: Path,
    as_json: bool,
) -> int:
    """Run experiments whose answer is known, count false verdicts.

    Under a minute and free with the scripted agent, which runs when no budget is given; with
    --budget the configured agent runs. In an A/A experiment both arms hold the same text: whatever
    the gate finds is false. Planted texts help, break a task, do nothing or never load. Exit code
    1: verdicts here are not to be trusted.
    """
    from cortex.selftest.run import REPEATS, Order
    from cortex.selftest.run import selftest as run

    count = REPEATS if repeats is None else repeats
    order = Order(seed, count, agent, budget, _kinds(names))
    try:
        with _Screen(quiet=as_json) as screen:
            report = run(where, order, screen)
    except KeyboardInterrupt:
        message = "interrupted; nothing is kept, what an agent cost is booked"
        raise InterruptedSelfTestError(message) from None
    if as_json:
        output.print_json(_as_json(report))
    else:
        _show(report)
    return 1 if report.broken else 0


def _kinds(names: tuple[str, ...]) -> "tuple[Kind, ...]":
    from cortex.selftest.cases import Kind

    known = {str(kind): kind for kind in Kind}
    for name in names:
        if name not in known:
            raise UsageError(f"--only {name}: no such kind; there are {', '.join(known)}")
    return tuple(kind for kind in Kind if not names or kind in names)


class _Screen:
    """Progress on standard error: a spinner that counts, and a line for each verdict."""

    def __init__(self, *, quiet: bool) -> None:
        self._console = Console(stderr=True, quiet=quiet, highlight=False)
        self._status = Status("", console=self._console)
        self._title = ""
        self._trials = 0

    def __enter__(self) -> Self:
        self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._status.stop()

    def began(self, kind: "Kind", place: int, planned: int) -> None:
        """Begin an experiment."""
        self._title, self._trials = f"{place} of {planned}  {kind}", 0
        self._status.update(self._title)

    def on_trial(self, _trial: "Trial") -> None:
        """Count a trial."""
        self._trials += 1
        self._status.update(f"{self._title}: {self._trials} trials")

    def ended(self, run: "CaseResult") -> None:
        """Print the verdict."""
        self._console.print(
            f"{self._title}: {run.ruling} after {run.pairs} pairs ({run.answer})", markup=False
        )


def _as_json(report: "Report") -> dict[str, object]:
    from cortex.selftest.report import interval, sentences

    same = report.same
    wrong = sum(run.answer == "wrong" for run in same)
    return {
        "agent": report.agent,
        "agent_version": report.agent_version,
        "model": report.model,
        "seed": report.seed,
        "alpha": report.alpha,
        "planned": report.planned,
        "kinds": report.rows,
        "same": {"runs": len(same), "wrong": wrong, "interval": interval(same)},
        "runs": report.runs,
        "spent_usd": report.spent_usd,
        "note": report.note,
        "stopped": report.stopped,
        "sentences": sentences(report),
        "broken": report.broken,
    }


def _show(report: "Report") -> None:
    from cortex.selftest.report import sentences

    title = f"{f'{report.agent} {report.agent_version}'.strip()}, seed {report.seed}"
    columns = (
        *("kind", ">runs", ">right", ">wrong", ">undecided"),
        *(">false (95%)", ">trials", ">seconds"),
    )
    screen = output.console()
    if report.note:
        output.say(report.note)
        output.say()
    screen.print(output.table(title, columns, map(_cells, report.rows)))
    output.say()
    for sentence in sentences(report):
        output.say(sentence)
    if report.spent_usd:
        output.say(f"{report.spent_usd:.2f} USD were spent; they count towards the day's cap.")


def _cells(row: "Row") -> tuple[object, ...]:
    low, high = row.interval
    return (
        row.kind,
        row.runs,
        row.right,
        row.wrong,
        row.undecided,
        f"{row.false_rate:.0%}, {100 * low:.0f}–{high:.0%}",
        f"{row.mean_trials:.0f}",
        f"{row.seconds:.1f}",
    )
