"""Each verdict when it should come, and its cost."""

import time

import pytest

from cortex.errors import UsageError
from cortex.judgement import Direction, Policy, TaskSpec, judge, next_wave
from cortex.model.trials import Pair
from cortex.model.verdicts import Ruling

ADD, REMOVE = Direction.ADD, Direction.REMOVE
THEME = [TaskSpec(name, "theme") for name in "abcd"]
OTHERS = [TaskSpec(name, "other") for name in "abcd"]
GUARDED = [*THEME, TaskSpec("p", "protected"), TaskSpec("q", "protected")]


def pairs(names: str, without: bool, with_: bool, loaded: bool | None = True) -> list[Pair]:
    return [Pair(name, without, with_, loaded) for name in names]


def run(
    direction: Direction, specs: list[TaskSpec], outcome: dict[str, tuple[bool, bool]]
) -> Ruling:
    """Let the gate choose and answer always the same, until it rules."""
    seen: list[Pair] = []
    while True:
        found = judge(direction, specs, seen, Policy())
        if found.ruling is not None:
            return found.ruling
        for name in next_wave(direction, specs, seen, Policy(), 2):
            seen.append(Pair(name, *outcome[name], True))


def test_a_perfect_rule_needs_few_pairs() -> None:
    assert judge(ADD, THEME, pairs("abcd", False, True), Policy()).ruling is Ruling.KEEP
    assert judge(ADD, THEME, pairs("ab", False, True), Policy()).ruling is None


def test_tasks_that_could_suffer_are_looked_at_before_a_keep() -> None:
    good = pairs("abcd", False, True)
    found = judge(ADD, GUARDED, good, Policy())
    assert found.ruling is None
    assert set(next_wave(ADD, GUARDED, good, Policy(), 2)) == {"p", "q"}
    assert judge(ADD, GUARDED, good + pairs("pq" * 5, True, True), Policy()).ruling is Ruling.KEEP


@pytest.mark.parametrize(
    ("direction", "specs", "outcome", "expected"),
    [
        (ADD, THEME, (False, False), Ruling.BURY),
        (ADD, OTHERS, (True, False), Ruling.BURY),
        (ADD, OTHERS, (True, True), Ruling.BURY),
        (REMOVE, OTHERS, (True, True), Ruling.PRUNE),
        (REMOVE, OTHERS, (False, False), Ruling.PRUNE),
        (REMOVE, OTHERS, (False, True), Ruling.RETAIN),
        (REMOVE, OTHERS, (True, False), Ruling.PRUNE),
    ],
)
def test_clear_cases(
    direction: Direction, specs: list[TaskSpec], outcome: tuple[bool, bool], expected: Ruling
) -> None:
    assert run(direction, specs, dict.fromkeys("abcd", outcome)) is expected


def test_one_broken_task_prevents_a_keep() -> None:
    outcome = {**dict.fromkeys("abcd", (False, True)), "p": (True, True), "q": (True, False)}
    assert run(ADD, GUARDED, outcome) is Ruling.BURY


def test_one_task_that_needs_it_prevents_a_prune() -> None:
    outcome = {**dict.fromkeys("abc", (True, True)), "d": (False, True)}
    assert run(REMOVE, OTHERS, outcome) in (Ruling.RETAIN, Ruling.UNDECIDED)


@pytest.mark.parametrize(("direction", "expected"), [(ADD, Ruling.BURY), (REMOVE, Ruling.UNUSED)])
def test_text_that_never_loads(direction: Direction, expected: Ruling) -> None:
    silent = pairs("abcd" * 2, False, True, loaded=False)
    assert judge(direction, OTHERS, silent, Policy()).ruling is expected
    deaf = [TaskSpec(name, "other", can_load=False) for name in "ab"]
    assert judge(direction, deaf, [], Policy()).ruling is expected
    assert next_wave(direction, deaf, [], Policy(), 2) == ()


def test_unknown_loads_count() -> None:
    found = judge(ADD, THEME, pairs("abcd", False, True, loaded=None), Policy())
    assert found.ruling is Ruling.KEEP


def test_held_out_tasks_that_point_the_other_way_prevent_a_keep() -> None:
    specs = [*THEME[:3], TaskSpec("d", "theme", held_out=True)]
    seen = pairs("abcabc", False, True) + pairs("d", True, False)
    assert judge(ADD, specs, seen, Policy()).ruling is not Ruling.KEEP


def test_a_limit_ends_undecided() -> None:
    seen = pairs("abcd", False, False)
    assert judge(ADD, THEME, seen, Policy(max_pairs=4)).ruling is Ruling.UNDECIDED


def test_the_reason_has_the_numbers() -> None:
    reason = judge(ADD, THEME, pairs("abcd", False, True), Policy()).reason
    assert "4 tasks" in reason
    assert "4 of 4 times with" in reason
    assert "0 of 4 without" in reason


@pytest.mark.parametrize(
    ("specs", "seen"),
    [
        ([], []),
        ([THEME[0], THEME[0]], []),
        (THEME, pairs("z", True, True)),
    ],
)
def test_contradictions_are_refused(specs: list[TaskSpec], seen: list[Pair]) -> None:
    with pytest.raises(UsageError):
        judge(ADD, specs, seen, Policy())


def test_impossible_policies_are_refused() -> None:
    with pytest.raises(UsageError, match="alpha"):
        Policy(alpha=1.5)
    with pytest.raises(UsageError, match="role"):
        TaskSpec("a", "hero")


def test_a_decision_is_instant() -> None:
    specs = [TaskSpec(str(number), "other") for number in range(30)]
    seen = [Pair(str(i % 30), i % 7 > 1, i % 5 > 1, True) for i in range(1000)]
    times = []
    for _ in range(5):
        clock = time.perf_counter()
        judge(REMOVE, specs, seen, Policy())
        times.append(time.perf_counter() - clock)
    assert min(times) < 0.02


def test_tasks_that_fail_anyway_do_not_prevent_a_keep() -> None:
    outcome = {**dict.fromkeys("abcd", (False, True)), "p": (False, False), "q": (True, True)}
    assert run(ADD, GUARDED, outcome) is Ruling.KEEP


def test_a_lift_that_is_shown_is_not_measured_further_while_a_keep_is_out_of_reach() -> None:
    rare = pairs("p" * 4, True, False) + pairs("p" * 20, False, False)
    seen = pairs("abcd" * 2, False, True) + rare
    assert next_wave(ADD, [*THEME, TaskSpec("p", "protected")], seen, Policy(), 2) == ()
