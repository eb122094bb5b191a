"""The evidence about a candidate as a value: of running, priced and long experiments."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.integration.commands.conftest import init

from cortex.commands.context import Context, open_context
from cortex.commands.evidence import Group, evidence_of
from cortex.judgement import Policy, TaskSpec
from cortex.model.artifacts import Artifact, ArtifactKind, Candidate, ChangeKind
from cortex.model.experiments import ExperimentLock, TaskRole
from cortex.model.trials import Arm, Outcome, Trial
from cortex.presenting.outlook_text import changes, next_cost
from cortex_store.experiments import Experiment

NAMES = ("a", "b", "c", "d")
THEME = [TaskSpec(name, TaskRole.THEME, held_out=name == "d") for name in NAMES]


@pytest.fixture
def context(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Context]:
    monkeypatch.setenv("CORTEX_HOME", str(tmp_path / "home"))
    with open_context(init(tmp_path / "shop")) as opened:
        yield opened


def candidate(context: Context, name: str = "one") -> Candidate:
    path = f".claude/rules/{name}.md"
    artifact = Artifact("claude-code", ArtifactKind.RULE, path, "Do.\n", f"digest-{name}")
    made = Candidate(f"cand-{name}", ChangeKind.ADD, artifact, name)
    context.store.candidates.put(str(context.root), made)
    return made


def experiment(
    context: Context,
    about: Candidate,
    agent: str,
    specs: list[TaskSpec] = THEME,
    policy: Policy | None = None,
) -> Experiment:
    lock = ExperimentLock(tuple(specs), policy or Policy(), agent=agent)
    return context.store.experiments.open(f"exp-{about.id}", about.id, lock)


def run(
    context: Context, opened: Experiment, task: str, pair: int, *, cost: float | None,
    without: bool = False, with_: bool = True,
) -> None:  # fmt: skip
    for arm, passed in ((Arm.WITHOUT, without), (Arm.WITH, with_)):
        context.store.experiments.add_trial(
            Trial(
                id=f"{opened.id}-{task}-{pair}-{arm}",
                experiment_id=opened.id,
                task_id=task,
                pair=pair,
                arm=arm,
                outcome=Outcome.PASS if passed else Outcome.FAIL,
                loaded=arm is Arm.WITH,
                seconds=60.0,
                cost_usd=cost,
            )
        )


def test_a_running_experiment_says_what_decides_it_and_what_that_costs(context: Context) -> None:
    about = candidate(context)
    opened = experiment(context, about, "claude-code")
    for name in "ad":
        run(context, opened, name, 0, cost=0.25)
    result = evidence_of(context, about)
    assert result is not None
    assert (result.verdict, result.later, result.further) == (None, None, 0)
    assert (result.seen, result.held_out) == (Group(1, 1, 0, 1), Group(1, 1, 0, 1))
    assert result.batch is not None
    assert (result.batch.tasks, result.batch.trials) == (("b", "c"), 4)
    assert result.batch.cost_usd == pytest.approx(1.0)
    assert result.batch.minutes == pytest.approx(2.0)
    assert (
        next_cost(result) == "The next batch costs: 4 trials (b, c), about 1.00 USD, about 2 min."
    )
    assert changes(result)[0] == (
        "2 more pairs in which only the trial with the text passes would keep it."
    )
    assert changes(result)[-1].endswith("the text passes would bury it.")


def test_a_price_is_that_of_other_trials_or_unknown_or_nothing(context: Context) -> None:
    about = candidate(context)
    opened = experiment(context, about, "claude-code")
    run(context, opened, "a", 0, cost=None)
    result = evidence_of(context, about)
    assert result is not None
    assert "an unknown amount" in next_cost(result)
    other = candidate(context, "other")
    run(context, experiment(context, other, "claude-code"), "a", 0, cost=0.5)
    result = evidence_of(context, about)
    assert result is not None
    assert "about 2.00 USD" in next_cost(result)
    free = candidate(context, "free")
    run(context, experiment(context, free, "scripted"), "a", 0, cost=0.5)
    result = evidence_of(context, free)
    assert result is not None
    assert ", free, " in next_cost(result)


def test_a_later_candidate_has_to_show_more(context: Context) -> None:
    needed = []
    for number in range(5):
        about = candidate(context, f"n{number}")
        run(context, experiment(context, about, "scripted"), "a", 0, cost=None)
        result = evidence_of(context, about)
        assert result is not None
        needed.append(result.needed)
    assert needed[0] == pytest.approx(20, abs=1)
    assert needed == sorted(needed)
    assert needed[4] > 100


def test_guarded_tasks_in_the_way_are_named(context: Context) -> None:
    about = candidate(context)
    specs = [*THEME, TaskSpec("g", TaskRole.PROTECTED)]
    opened = experiment(context, about, "scripted", specs)
    for pair in range(2):
        for name in NAMES:
            run(context, opened, name, pair, cost=None)
    run(context, opened, "g", 0, cost=None, without=True)
    result = evidence_of(context, about)
    assert result is not None
    assert any(sentence.startswith("g is not cleared: ") for sentence in changes(result))
    assert any("in its favour would keep it" in sentence for sentence in changes(result))


def test_where_no_dozen_runs_decide_it_says_which_were_tried(context: Context) -> None:
    about = candidate(context)
    policy = Policy(alpha=1e-40, beta=1e-40, alarm=1e-40)
    opened = experiment(context, about, "scripted", policy=policy)
    for pair in range(4):
        for name in NAMES:
            run(context, opened, name, pair, cost=None, without=True, with_=False)
    result = evidence_of(context, about)
    assert result is not None
    assert result.outlook is not None
    assert {projection.runs for projection in result.outlook.projections} == {12}
    assert changes(result) == (
        "No 12 further runs would decide it, whether all were in its favour, all against it, or "
        "all as the last run of their task.",
    )


def test_before_a_trial_there_is_nothing(context: Context) -> None:
    assert evidence_of(context, candidate(context)) is None


def test_a_hundred_pairs_are_weighed_while_a_person_blinks(context: Context) -> None:
    about = candidate(context)
    specs = [*THEME, *(TaskSpec(f"g{i}", TaskRole.OTHER) for i in range(6))]
    opened = experiment(context, about, "scripted", specs)
    with context.store.transaction():
        for number in range(100):
            spec = specs[number % 10]
            passed = (number % 3 > 0, number % 4 > 0)
            run(
                context, opened, spec.id, number // 10, cost=None,
                without=passed[0], with_=passed[1],
            )  # fmt: skip
    evidence_of(context, about)
    clock = time.process_time()
    result = evidence_of(context, about)
    took = time.process_time() - clock
    assert result is not None
    assert result.trajectory[-1].trials == 200
    assert took < 0.2
