"""Live progress of an experiment on standard error."""

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from cortex.commands.experiments import Observer
from cortex.judgement import Judgement
from cortex.model.artifacts import Candidate
from cortex.model.trials import Trial
from cortex.presenting.formats import e_value, lift


class ExperimentProgress:
    """One line per experiment: trials so far, evidence, money."""

    def __init__(self, *, quiet: bool = False) -> None:
        console = Console(stderr=True, quiet=quiet)
        self._progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(bar_width=16, pulse_style="cyan"),
            TextColumn("{task.fields[summary]}"),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )

    def __enter__(self) -> "ExperimentProgress":
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def observer(self, candidate: Candidate) -> Observer:
        """Return callbacks that keep one line up to date."""
        name = candidate.artifact.name[:32]
        line = self._progress.add_task(f"{candidate.change} {name}", total=None, summary="")
        state = {"trials": 0, "cost": 0.0, "passed": 0}
        evidence = {"text": ""}

        def show() -> None:
            money = f", ${state['cost']:.2f}" if state["cost"] else ""
            text = f"{state['trials']:.0f} trials{money}{evidence['text']}"
            self._progress.update(line, summary=text)

        def on_trial(trial: Trial) -> None:
            state["trials"] += 1
            state["cost"] += trial.cost_usd or 0.0
            show()

        def on_judgement(judgement: Judgement) -> None:
            evidence["text"] = f"  lift {lift(judgement.lift)}  E⁺ {e_value(judgement.e_value)}"
            show()

        return Observer(on_trial, on_judgement)
