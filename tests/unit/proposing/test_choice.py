from collections.abc import Callable
from dataclasses import replace

import pytest

from cortex.artifacts import harness
from cortex.model.artifacts import Candidate, CandidateStatus, ChangeKind
from cortex.model.corrections import Theme
from cortex.model.tasks import Task, TaskStatus
from cortex.proposing import choice, holdout

MakeTask = Callable[..., Task]


def theme(name: str, sessions: int = 2) -> Theme:
    numbers = range(sessions)
    ids = tuple(f"{name}-c{at}" for at in numbers)
    return Theme(name, name, ids, tuple(f"{name}-s{at}" for at in numbers))


def candidate(theme_id: str, status: CandidateStatus, writer: str = "anthropic") -> Candidate:
    rule = harness.from_text(".claude/rules/a.md", "x")
    return Candidate(
        "cand", ChangeKind.ADD, rule, "t", theme_id=theme_id, status=status, writer=writer
    )


@pytest.fixture
def tasks(make_task: MakeTask) -> list[Task]:
    small = [make_task(at, theme_id="small") for at in range(2)]
    return [*small, *(make_task(10 + at, theme_id="large") for at in range(3))]


def test_the_theme_with_the_most_admitted_tasks_comes_first(tasks: list[Task]) -> None:
    themes = [theme("small", 9), theme("large")]
    assert choice.choose(themes, tasks, []) == themes[1]
    quarantined = [replace(task, status=TaskStatus.QUARANTINED) for task in tasks[2:]]
    assert choice.choose(themes, [*tasks[:2], *quarantined], []) == themes[0]


def test_sessions_break_ties(make_task: MakeTask) -> None:
    themes = [theme("a", 2), theme("b", 3)]
    tasks = [make_task(1, theme_id="a"), make_task(2, theme_id="b")]
    assert choice.choose(themes, tasks, []) == themes[1]


def test_nothing_recurs_or_can_be_measured(tasks: list[Task]) -> None:
    once = replace(theme("large"), session_ids=("s", "s"))
    assert choice.choose([once], tasks, []) is None
    assert choice.choose([theme("large")], [], []) is None
    assert choice.choose([], tasks, []) is None


@pytest.mark.parametrize(
    "status",
    [CandidateStatus.PROPOSED, CandidateStatus.KEPT, CandidateStatus.UNDECIDED],
)
def test_a_theme_with_an_answer_is_passed_over(tasks: list[Task], status: CandidateStatus) -> None:
    themes = [theme("small"), theme("large")]
    assert choice.choose(themes, tasks, [candidate("large", status)]) == themes[0]


def test_two_failures_are_enough(tasks: list[Task]) -> None:
    themes = [theme("small"), theme("large")]
    statuses = (CandidateStatus.BURIED, CandidateStatus.REFUSED)
    failures = [candidate("large", status) for status in statuses]
    assert choice.choose(themes, tasks, failures[:1]) == themes[1]
    assert choice.choose(themes, tasks, failures) == themes[0]


def test_a_writer_that_repeats_itself_has_one_chance(tasks: list[Task]) -> None:
    themes = [theme("small"), theme("large")]
    refused = candidate("large", CandidateStatus.REFUSED, "template")
    assert choice.choose(themes, tasks, [refused]) == themes[0]


def test_a_task_without_theme_counts_by_its_correction(make_task: MakeTask) -> None:
    task = make_task(1, theme_id=None, correction_ids=("small-c1",))
    assert choice.tasks_of(theme("small"), [task]) == (task,)


def test_a_third_is_held_out_the_same_every_time(make_task: MakeTask) -> None:
    tasks = [make_task(at) for at in range(7)]
    seen, held = holdout.split(tasks)
    assert (len(seen), len(held)) == (5, 2)
    assert sorted(task.id for task in (*seen, *held)) == [task.id for task in tasks]
    again, held_again = holdout.split(tasks[::-1])
    assert {task.id for task in held_again} == {task.id for task in held}
    assert len(again) == 5


def test_few_tasks_are_all_seen(make_task: MakeTask) -> None:
    tasks = [make_task(at) for at in range(2)]
    assert holdout.split(tasks) == (tuple(tasks), ())


def test_marked_tasks_stay_held_out(make_task: MakeTask) -> None:
    tasks = [make_task(0, held_out=True), make_task(1), make_task(2)]
    seen, held = holdout.split(tasks)
    assert [task.id for task in held] == ["task-0"]
    assert len(seen) == 2
