"""A small model on real tasks through the shipping gate: `docs/small-model.md`.

python -m benchmarks.small_model --url http://127.0.0.1:PORT [--json] [--only NAME]… [--keep DIR]

The server speaks the Messages API and runs on this machine. Useful rules must be kept, rules that
have nothing to do with the tasks must not, and the same text in both arms must get no verdict
for or against it. With `--keep` an interrupted measurement goes on where it ended.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path

from benchmarks.options import INTERRUPTED, Parser
from benchmarks.small_model_tasks import CONVENTIONS, FILES, Convention
from cortex.artifacts import edits
from cortex.commands.budget import BudgetTracker
from cortex.commands.context import DATABASE, Context
from cortex.commands.experiments import Observer, gate
from cortex.config import AgentConfig, Config, TrialsConfig, is_local
from cortex.digests import short_id
from cortex.errors import CortexError, MachineError, UsageError
from cortex.git import ask, git
from cortex.judgement import Judgement
from cortex.model.artifacts import Candidate, ChangeKind
from cortex.model.tasks import BaseTree, Task, TaskStatus
from cortex.model.trials import Trial
from cortex.model.verdicts import Diagnosis, Ruling, Verdict
from cortex.selftest.run import SameTextContext
from cortex_replay.admission import admit
from cortex_store import Store

SEED = 1
TIMEOUT_S = 180.0


class Kind(StrEnum):
    """What is known of the verdict."""

    USEFUL = "useful"
    UNRELATED = "unrelated"
    SAME = "same"


MUST = {
    Kind.USEFUL: "keep",
    Kind.UNRELATED: "no keep",
    Kind.SAME: "no keep, no harm",
}
MAX_TRIALS = {Kind.USEFUL: 60, Kind.UNRELATED: 48, Kind.SAME: 80}


@dataclass(frozen=True, slots=True)
class Experiment:
    """A text, measured on the tasks of a convention."""

    name: str
    kind: Kind
    convention: Convention


@dataclass(frozen=True, slots=True)
class Result:
    """What the gate said."""

    name: str
    kind: str
    must: str
    holds: bool
    ruling: str
    reason: str
    diagnosis: str
    pairs: int
    without: int
    """Passes, of all pairs."""
    with_: int
    loaded: int
    trials: int
    missing: int
    lift: float
    e_value: float
    seconds: float
    """Of the last call; an experiment that was resumed took longer."""
    model: str


def experiments() -> tuple[Experiment, ...]:
    """Return all experiments, the useful rules first."""
    useful = (Experiment(topic.name, Kind.USEFUL, topic) for topic in CONVENTIONS)
    unrelated = (
        Experiment(f"{topic.name}-unrelated", Kind.UNRELATED, topic) for topic in CONVENTIONS
    )
    same = Experiment("same", Kind.SAME, CONVENTIONS[1])
    return (*useful, same, *unrelated)


def main(arguments: Sequence[str] | None = None) -> int:
    """Return 1 when a verdict is not the known one, 2 for invalid options."""
    try:
        options = _options(arguments)
        with _folder(options.keep) as folder:
            results = tuple(_run(folder, options))
    except CortexError as error:
        sys.stderr.write(f"benchmarks: {error}\n")
        return error.exit_code
    except KeyboardInterrupt:
        sys.stderr.write("benchmarks: interrupted; with --keep it goes on where it ended\n")
        return INTERRUPTED
    text = json.dumps([asdict(result) for result in results], indent=2)
    sys.stdout.write(f"{text if options.json else table(results)}\n")
    return 0 if all(result.holds for result in results) else 1


def table(results: Sequence[Result]) -> str:
    """Return the results as a table of Markdown."""
    lines = [
        "| experiment | must be | verdict | pairs | passed without | with | loaded | holds |",
        "|---|---|---|---|---|---|---|---|",
    ]
    return "\n".join([*lines, *map(_row, results)])


def _row(result: Result) -> str:
    verdict = f"{result.ruling} ({result.diagnosis})" if result.diagnosis else result.ruling
    return (
        f"| {result.name} | {result.must} | {verdict} | {result.pairs} | {result.without} "
        f"| {result.with_} | {result.loaded} of {result.pairs} "
        f"| {'yes' if result.holds else 'no'} |"
    )


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = Parser(prog="benchmarks.small_model", description=__doc__)
    names = [experiment.name for experiment in experiments()]
    parser.add_argument("--url", required=True, help="of the server, on this machine")
    parser.add_argument("--model", default="local", help="its name for the server and the report")
    parser.add_argument("--only", action="append", choices=names, metavar="NAME", default=[])
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep repositories and results")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--concurrency", type=int, default=2)
    options = parser.parse_args(arguments)
    if not is_local(options.url):
        raise UsageError(f"--url {options.url}: must be a server on this machine")
    return options


@contextmanager
def _folder(keep: Path | None) -> Iterator[Path]:
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        yield keep.resolve()
        return
    with tempfile.TemporaryDirectory(prefix="cortex-small-model-") as folder:
        yield Path(folder).resolve()


def _run(folder: Path, options: argparse.Namespace) -> Iterator[Result]:
    config = _config(options)
    with Store.open(folder / "home" / DATABASE) as store:
        for experiment in experiments():
            if options.only and experiment.name not in options.only:
                continue
            done = folder / f"{experiment.name}.json"
            if not done.exists():
                result = _measure(folder, store, config, experiment)
                done.write_text(json.dumps(asdict(result)), "utf-8")
            result = Result(**json.loads(done.read_text("utf-8")))
            sys.stderr.write(f"{result.name}: {result.ruling} after {result.pairs} pairs\n")
            yield result


def _config(options: argparse.Namespace) -> Config:
    agent = AgentConfig(
        name="messages",
        model=options.model,
        timeout_s=TIMEOUT_S,
        base_url=options.url,
        edit_format="whole",
    )
    return Config(agent=agent, trials=TrialsConfig(concurrency=options.concurrency, seed=SEED))


def _measure(folder: Path, store: Store, config: Config, experiment: Experiment) -> Result:
    clock = time.monotonic()
    root = _repository(folder / experiment.name / "shelf")
    context = _context(folder, store, _bounded(config, experiment.kind), experiment, root)
    candidate = _candidate(context, experiment, _tasks(context, experiment))
    judgements: list[Judgement] = []
    missing: list[Trial] = []

    def on_trial(trial: Trial) -> None:
        missing.extend([trial] if trial.outcome.missing else [])
        sys.stderr.write(f"  {experiment.name} {trial.arm} {trial.outcome} {trial.seconds:.0f} s\n")

    observer = Observer(on_trial, judgements.append)
    verdict = gate(context, candidate, BudgetTracker(None, free=True), observer)
    if not verdict.pairs:
        raise MachineError(f"no pair could be measured: {verdict.reason}")
    diagnosis = judgements[-1].diagnosis
    return Result(
        name=experiment.name,
        kind=experiment.kind,
        must=MUST[experiment.kind],
        holds=_holds(experiment.kind, verdict, diagnosis),
        ruling=verdict.ruling,
        reason=verdict.reason,
        diagnosis=diagnosis,
        pairs=verdict.pairs,
        without=sum(task.without for task in verdict.tasks),
        with_=sum(task.with_ for task in verdict.tasks),
        loaded=verdict.loaded,
        trials=verdict.trials,
        missing=len(missing),
        lift=round(verdict.lift, 3),
        e_value=round(verdict.e_value, 3),
        seconds=round(time.monotonic() - clock, 1),
        model=str(config.agent.model),
    )


def _holds(kind: Kind, verdict: Verdict, diagnosis: Diagnosis) -> bool:
    if kind is Kind.USEFUL:
        return verdict.ruling is Ruling.KEEP
    harm = kind is Kind.SAME and diagnosis is Diagnosis.HARM
    return verdict.ruling is not Ruling.KEEP and not harm


def _bounded(config: Config, kind: Kind) -> Config:
    trials = TrialsConfig(
        concurrency=config.trials.concurrency, seed=SEED, max_trials=MAX_TRIALS[kind]
    )
    return Config(agent=config.agent, trials=trials)


def _repository(root: Path) -> Path:
    """Return the repository; one that is there is used again, as its experiment is resumed."""
    if ask("rev-parse", "HEAD", cwd=root) if root.is_dir() else None:
        return root
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    git("init", "--quiet", "--initial-branch=main", cwd=root)
    git("add", "--all", "--force", ".", cwd=root)
    git("commit", "--quiet", "--no-verify", "-m", "Begin", cwd=root)
    return root


def _context(
    folder: Path, store: Store, config: Config, experiment: Experiment, root: Path
) -> Context:
    home = folder / "home"
    if experiment.kind is not Kind.SAME:
        return Context(store, config, home, root)
    both = edits.with_artifact({}, experiment.convention.artifact())
    return SameTextContext(store, config, home, root, both)


def _tasks(context: Context, experiment: Experiment) -> Sequence[Task]:
    base = BaseTree(str(context.root), ask("rev-parse", "HEAD", cwd=context.root))
    with context.workspaces() as workspaces:
        own = experiment.convention.admissible(experiment.name, base)
        tasks = [admit(task, workspaces) for task in own]
    for task in tasks:
        if task.status is not TaskStatus.ADMITTED:
            raise MachineError(f"a task cannot measure here: {task.reason}")
        context.store.tasks.put(task)
    return tasks


def _candidate(context: Context, experiment: Experiment, tasks: Sequence[Task]) -> Candidate:
    artifact = experiment.convention.artifact(related=experiment.kind is not Kind.UNRELATED)
    candidate = Candidate(
        id=short_id("cand", "small-model", experiment.name),
        change=ChangeKind.ADD,
        artifact=artifact,
        title=experiment.name,
        task_ids=tuple(task.id for task in tasks),
        writer="benchmark",
    )
    context.store.candidates.put(str(context.root), candidate)
    return candidate


if __name__ == "__main__":
    sys.exit(main())
