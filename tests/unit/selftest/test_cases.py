"""What the self-test runs: the same for a seed, spread evenly, and not to be guessed."""

import json

import pytest

from cortex.artifacts import harness
from cortex.cli.selftest import gate
from cortex.model.tasks import BaseTree
from cortex.selftest.cases import FILES, PLANTED, SAME, Case, Kind, build, plan
from cortex.selftest.run import REPEATS
from cortex.tasks.evaluate import WorkResult, evaluate

EVERY = [build(kind, number, 1) for kind in Kind for number in range(4)]


@pytest.mark.parametrize("case", EVERY, ids=lambda case: f"{case.kind}-{case.number}")
def test_checks_tell_good_work_from_bad(case: Case) -> None:
    for job in case.jobs:
        task = job.task(case.task_id(job), BaseTree("/shelf", "c"))
        for content, holds in ((job.good, True), (job.bad, False)):
            finished = WorkResult({job.path: None}, {job.path: content})
            results = [evaluate(check, finished) for check in task.checks]  # type: ignore[arg-type]
            assert all(result.passed for result in results) is holds


def test_a_seed_says_everything() -> None:
    assert build(Kind.HELPS, 0, 1) == build(Kind.HELPS, 0, 1)
    texts = {build(Kind.HELPS, number, seed).artifact.text for number in (0, 1) for seed in (1, 2)}
    assert len(texts) == 4
    assert len({case.seed for case in EVERY}) == len(EVERY)


def test_only_the_planted_text_names_the_word() -> None:
    case = build(Kind.HELPS, 0, 1)
    word = case.artifact.text.split("# owner: ")[1].split("`")[0]
    shown = json.dumps([FILES, dict(case.harness), [job.prompt for job in case.jobs]])
    assert word not in shown
    assert all(word in job.good and word not in job.bad for job in case.jobs if job.theme)


def test_text_that_never_loads_is_said_to_be_loadable() -> None:
    """So that the gate runs trials before it says so."""
    for kind in (Kind.UNLOADED_ADDED, Kind.UNLOADED_REMOVED):
        case = build(kind, 0, 1)
        assert case.artifact.paths == ("attic/**",)
        assert all("attic/old.md" in job.others for job in case.jobs)
        assert not any(path.startswith("attic/") for path in FILES)


def test_shapes_of_text_alternate_and_stand_where_they_are_removed() -> None:
    cases = [build(Kind.SAME_REMOVED, number, 1) for number in range(3)]
    assert len({(case.artifact.kind, case.artifact.paths) for case in cases}) == 3
    for case in cases:
        assert case.artifact in harness.parse(case.harness)


def test_the_plan_is_even() -> None:
    planned = plan(12)
    assert len(planned) == len(set(planned)) == 24 + 2 * len(PLANTED)
    half = [kind for kind, _ in planned[: len(planned) // 2]]
    assert sum(kind in SAME for kind in half) in (11, 12, 13)
    assert plan(2, (Kind.SAME_ADDED,)) == ((Kind.SAME_ADDED, 0), (Kind.SAME_ADDED, 1))
    assert {kind for kind, _ in plan(1)} == set(Kind)


def test_the_help_names_the_default() -> None:
    (option,) = [parameter for parameter in gate.params if parameter.name == "repeats"]
    assert f"({REPEATS})" in option.to_info_dict()["help"]
