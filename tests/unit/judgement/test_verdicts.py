"""Each verdict when it should come, and its cost."""

import time

import pytest

from cortex.errors import UsageError
from cortex.judgement import Direction, Policy, TaskSpec, judge, next_batch
from cortex.model.experiments import TaskRole
from cortex.model.trials import BOTH, Arm, Pair, Run
from cortex.model.verdicts import Ruling

ADD, REMOVE = Direction.ADD, Direction.REMOVE
THEME = [TaskSpec(name, TaskRole.THEME) for name in "abcd"]
OTHERS = [TaskSpec(name, TaskRole.OTHER) for name in "abcd"]
GUARDED = [*THEME, TaskSpec("p", TaskRole.PROTECTED), TaskSpec("q", TaskRole.PROTECTED)]


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
        for one in next_batch(direction, specs, seen, Policy(), 2):
            without, with_ = outcome[one.task_id]
            seen.append(
                Pair(
                    one.task_id,
                    without if Arm.WITHOUT in one.arms else None,
                    with_ if Arm.WITH in one.arms else None,
                    Arm.WITH in one.arms,
                )
            )


def test_a_perfect_rule_needs_few_pairs() -> None:
    assert judge(ADD, THEME, pairs("abcd", False, True), Policy()).ruling is Ruling.KEEP
    assert judge(ADD, THEME, pairs("ab", False, True), Policy()).ruling is None


def test_tasks_that_could_suffer_are_looked_at_before_a_keep() -> None:
    good = pairs("abcd", False, True)
    found = judge(ADD, GUARDED, good, Policy())
    assert found.ruling is None
    alone = {Run("p", (Arm.WITH,)), Run("q", (Arm.WITH,))}
    assert set(next_batch(ADD, GUARDED, good, Policy(), 2)) == alone
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
        (Direction.RESCOPE, OTHERS, (True, True), Ruling.KEEP),
        (Direction.RESCOPE, THEME, (False, True), Ruling.KEEP),
        (Direction.MERGE, OTHERS, (True, False), Ruling.BURY),
        (Direction.MERGE, OTHERS, (False, False), Ruling.KEEP),
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
    never_loaded = pairs("abcd" * 2, False, True, loaded=False)
    assert judge(direction, OTHERS, never_loaded, Policy()).ruling is expected
    deaf = [TaskSpec(name, TaskRole.OTHER, can_load=False) for name in "ab"]
    assert judge(direction, deaf, [], Policy()).ruling is expected
    assert next_batch(direction, deaf, [], Policy(), 2) == ()


def test_unknown_loads_count() -> None:
    found = judge(ADD, THEME, pairs("abcd", False, True, loaded=None), Policy())
    assert found.ruling is Ruling.KEEP


def test_held_out_tasks_that_point_the_other_way_prevent_a_keep() -> None:
    specs = [*THEME[:3], TaskSpec("d", TaskRole.THEME, held_out=True)]
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


def test_a_decision_is_instant() -> None:
    specs = [TaskSpec(str(number), TaskRole.OTHER) for number in range(30)]
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
    assert next_batch(ADD, [*THEME, TaskSpec("p", TaskRole.PROTECTED)], seen, Policy(), 2) == ()


def alone(name: str, outcome: str, arm: Arm = Arm.WITH) -> list[Pair]:
    """Return trials of one arm: `+` passes, `-` fails."""
    passed = [one == "+" for one in outcome]
    if arm is Arm.WITH:
        return [Pair(name, None, one, True) for one in passed]
    return [Pair(name, one, None, False) for one in passed]


def test_passes_with_the_text_alone_clear_a_guarded_task() -> None:
    good = pairs("abcd", False, True)
    few = judge(ADD, GUARDED, [*good, *alone("p", "++"), *alone("q", "++++")], Policy())
    assert few.ruling is None
    enough = judge(ADD, GUARDED, [*good, *alone("p", "++++"), *alone("q", "++++")], Policy())
    assert enough.ruling is Ruling.KEEP
    p = next(one for one in enough.tasks if one.task_id == "p")
    assert (p.pairs, p.with_alone, p.without_alone, p.state) == (0, (4, 4), (0, 0), "cleared")


def test_fails_with_the_text_alone_are_compared_with_trials_without() -> None:
    seen = [*pairs("abcd", False, True), *alone("p", "--"), *alone("q", "+++")]
    assert judge(ADD, GUARDED, seen, Policy()).ruling is None
    assert next_batch(ADD, GUARDED, seen, Policy(), 1) == (Run("p", BOTH),)
    broken = [*seen, *pairs("ppp", True, False)]
    assert judge(ADD, GUARDED, broken, Policy()).ruling is Ruling.BURY


def test_trials_alone_say_nothing_of_the_lift() -> None:
    seen = pairs("ab", False, True)
    more = [*seen, *alone("c", "++++"), *alone("d", "----", Arm.WITHOUT)]
    one, other = (judge(ADD, THEME, each, Policy()) for each in (seen, more))
    assert other.e_value == one.e_value
    assert other.lift == one.lift
    assert other.interval == one.interval


def test_trials_alone_count_as_half_a_pair_of_the_limit() -> None:
    seen = [*pairs("abcd", False, True), *alone("p", "+")]
    assert len(next_batch(ADD, GUARDED, seen, Policy(max_pairs=5), 2)) == 1
    assert next_batch(ADD, GUARDED, [*seen, *alone("q", "+")], Policy(max_pairs=5), 2) == ()


def test_text_that_no_task_needs_is_cleared_by_passes_without_it() -> None:
    specs = [TaskSpec(str(number), TaskRole.OTHER) for number in range(20)]
    seen = [Pair(one.id, True, True, True) for one in specs]
    batch = next_batch(REMOVE, specs, [*seen, *seen[:10]], Policy(), 20)
    assert {run.task_id for run in batch} == {str(number) for number in range(10, 20)}
    assert {run.arms for run in batch} == {(Arm.WITHOUT,)}


def test_an_exchange_that_breaks_one_task_is_buried() -> None:
    outcome = {**dict.fromkeys("abc", (True, True)), "d": (True, False)}
    assert run(Direction.RESCOPE, OTHERS, outcome) is Ruling.BURY


def test_an_exchange_of_texts_that_never_load_is_not_kept() -> None:
    never_loaded = pairs("abcd" * 2, True, True, loaded=False)
    assert judge(Direction.MERGE, OTHERS, never_loaded, Policy()).ruling is Ruling.BURY


def test_a_judgement_names_the_next_wave() -> None:
    seen = pairs("ab", False, True)
    found = judge(ADD, THEME, seen, Policy(), 2)
    assert found.batch == next_batch(ADD, THEME, seen, Policy(), 2) == (Run("c"), Run("d"))
    assert judge(ADD, THEME, pairs("abcd", False, True), Policy(), 2).batch == ()
