"""Held-out work: pass rates with the harness before and after the demo."""

from collections.abc import Callable, Mapping, Sequence

from cortex.artifacts import harness
from cortex.commands.context import Context
from cortex.demo.report import HeldOut
from cortex.demo.story import BAD, GOOD
from cortex.demo.world import DemoPaths
from cortex.digests import digest_text, short_id
from cortex.git import ask
from cortex.model.tasks import BaseTree, PatternCheck, Task, TaskStatus
from cortex.model.trials import Arm, Trial
from cortex_replay.agents import make_agent
from cortex_replay.batch import PairSpec, run_batch


def measure(
    context: Context,
    world: DemoPaths,
    work: Sequence[tuple[str, str, str]],
    harnesses: tuple[Mapping[str, str], Mapping[str, str]],
    on_trial: Callable[[], None],
) -> tuple[HeldOut, int]:
    """Return pass rates over a pair of each (prompt, file, habit), and the number of trials.

    `harnesses` are the harness files before and after.
    """
    before, after = harnesses
    commit = ask("rev-parse", "HEAD", cwd=world.repository)
    tasks = [_task(world, commit, *item) for item in work]
    any_artifact = next(iter(harness.parse(after)))
    pairs = [
        PairSpec(
            experiment_id=f"held-out-{context.config.trials.seed}",
            task=task,
            pair=0,
            without=before,
            with_=after,
            artifact=any_artifact,
            seed=int(digest_text(f"{context.config.trials.seed} {task.prompt}")[:12], 16),
            timeout_s=context.config.agent.timeout_s,
        )
        for task in tasks
    ]
    trials: list[Trial] = []

    def collect(trial: Trial) -> None:
        trials.append(trial)
        on_trial()

    agent = make_agent(context.config.agent)
    with context.workspaces() as workspaces:
        run_batch(pairs, workspaces, agent, context.config.trials.concurrency, collect)
    return HeldOut(_rate(trials, Arm.WITHOUT), _rate(trials, Arm.WITH), len(tasks)), len(trials)


def _task(world: DemoPaths, commit: str | None, prompt: str, file: str, habit: str) -> Task:
    """Return a task whose checks test the repository's convention."""
    return Task(
        id=short_id("task", "held out", prompt),
        prompt=prompt,
        base=BaseTree(str(world.repository), commit),
        checks=(
            PatternCheck(GOOD[habit], (file,), present=True),
            PatternCheck(BAD[habit], (file,), present=False),
        ),
        paths=(file,),
        status=TaskStatus.ADMITTED,
    )


def _rate(trials: Sequence[Trial], arm: Arm) -> float:
    valid = [trial for trial in trials if trial.arm is arm and not trial.outcome.missing]
    return sum(trial.outcome.passed for trial in valid) / max(1, len(valid))
