"""When each verdict is reached, and at what cost."""

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


def run_gate(
    direction: Direction, specs: list[TaskSpec], outcome: dict[str, tuple[bool, bool]]
) -> Ruling:
    """Run the gate with constant outcomes per task until it rules."""
    history: list[Pair] = []
    while True:
        judgement = judge(direction, specs, history, Policy())
        if judgement.ruling is not None:
            return judgement.ruling
        for run in next_batch(direction, specs, history, Policy(), 2):
            without, with_ = outcome[run.task_id]
            history.append(
                Pair(
                    run.task_id,
                    without if Arm.WITHOUT in run.arms else None,
                    with_ if Arm.WITH in run.arms else None,
                    Arm.WITH in run.arms,
                )
            )


def test_a_perfect_rule_needs_few_pairs() -> None:
    assert judge(ADD, THEME, pairs("abcd", False, True), Policy()).ruling is Ruling.KEEP
    assert judge(ADD, THEME, pairs("ab", False, True), Policy()).ruling is None


def test_guarded_tasks_run_before_a_keep() -> None:
    good = pairs("abcd", False, True)
    judgement = judge(ADD, GUARDED, good, Policy())
    assert judgement.ruling is None
    single_arm_runs = {Run("p", (Arm.WITH,)), Run("q", (Arm.WITH,))}
    assert set(next_batch(ADD, GUARDED, good, Policy(), 2)) == single_arm_runs
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
    assert run_gate(direction, specs, dict.fromkeys("abcd", outcome)) is expected


def test_a_broken_task_prevents_a_keep() -> None:
    outcome = {**dict.fromkeys("abcd", (False, True)), "p": (True, True), "q": (True, False)}
    assert run_gate(ADD, GUARDED, outcome) is Ruling.BURY


def test_a_task_that_needs_the_text_prevents_a_prune() -> None:
    outcome = {**dict.fromkeys("abc", (True, True)), "d": (False, True)}
    assert run_gate(REMOVE, OTHERS, outcome) in (Ruling.RETAIN, Ruling.UNDECIDED)


@pytest.mark.parametrize(("direction", "expected"), [(ADD, Ruling.BURY), (REMOVE, Ruling.UNUSED)])
def test_text_that_never_loads(direction: Direction, expected: Ruling) -> None:
    never_loaded = pairs("abcd" * 2, False, True, loaded=False)
    assert judge(direction, OTHERS, never_loaded, Policy()).ruling is expected
    unloadable = [TaskSpec(name, TaskRole.OTHER, can_load=False) for name in "ab"]
    assert judge(direction, unloadable, [], Policy()).ruling is expected
    assert next_batch(direction, unloadable, [], Policy(), 2) == ()


def test_unknown_loads_count() -> None:
    judgement = judge(ADD, THEME, pairs("abcd", False, True, loaded=None), Policy())
    assert judgement.ruling is Ruling.KEEP


def test_held_out_tasks_that_point_the_other_way_prevent_a_keep() -> None:
    specs = [*THEME[:3], TaskSpec("d", TaskRole.THEME, held_out=True)]
    history = pairs("abcabc", False, True) + pairs("d", True, False)
    assert judge(ADD, specs, history, Policy()).ruling is not Ruling.KEEP


def test_the_pair_limit_ends_undecided() -> None:
    history = pairs("abcd", False, False)
    assert judge(ADD, THEME, history, Policy(max_pairs=4)).ruling is Ruling.UNDECIDED


def test_the_reason_has_the_numbers() -> None:
    reason = judge(ADD, THEME, pairs("abcd", False, True), Policy()).reason
    assert "4 tasks" in reason
    assert "4 of 4 times with" in reason
    assert "0 of 4 without" in reason


@pytest.mark.parametrize(
    ("specs", "history"),
    [
        ([], []),
        ([THEME[0], THEME[0]], []),
        (THEME, pairs("z", True, True)),
    ],
)
def test_invalid_input_is_rejected(specs: list[TaskSpec], history: list[Pair]) -> None:
    with pytest.raises(ValueError, match="task"):
        judge(ADD, specs, history, Policy())


def test_invalid_policies_are_rejected() -> None:
    with pytest.raises(UsageError, match="alpha"):
        Policy(alpha=1.5)


def test_a_decision_is_fast() -> None:
    specs = [TaskSpec(str(number), TaskRole.OTHER) for number in range(30)]
    history = [Pair(str(i % 30), i % 7 > 1, i % 5 > 1, True) for i in range(1000)]
    times = []
    for _ in range(5):
        clock = time.perf_counter()
        judge(REMOVE, specs, history, Policy())
        times.append(time.perf_counter() - clock)
    assert min(times) < 0.02


def test_tasks_that_fail_without_the_text_do_not_prevent_a_keep() -> None:
    outcome = {**dict.fromkeys("abcd", (False, True)), "p": (False, False), "q": (True, True)}
    assert run_gate(ADD, GUARDED, outcome) is Ruling.KEEP


def test_no_runs_after_a_shown_lift_when_a_keep_is_out_of_reach() -> None:
    rare = pairs("p" * 4, True, False) + pairs("p" * 20, False, False)
    history = pairs("abcd" * 2, False, True) + rare
    assert next_batch(ADD, [*THEME, TaskSpec("p", TaskRole.PROTECTED)], history, Policy(), 2) == ()


def single_arm(name: str, outcome: str, arm: Arm = Arm.WITH) -> list[Pair]:
    """Return single-arm trials: `+` passes, `-` fails."""
    passed = [sign == "+" for sign in outcome]
    if arm is Arm.WITH:
        return [Pair(name, None, passes, True) for passes in passed]
    return [Pair(name, passes, None, False) for passes in passed]


def test_passes_with_the_text_alone_clear_a_guarded_task() -> None:
    good = pairs("abcd", False, True)
    few = judge(ADD, GUARDED, [*good, *single_arm("p", "++"), *single_arm("q", "++++")], Policy())
    assert few.ruling is None
    enough = judge(
        ADD, GUARDED, [*good, *single_arm("p", "++++"), *single_arm("q", "++++")], Policy()
    )
    assert enough.ruling is Ruling.KEEP
    p = next(task for task in enough.tasks if task.task_id == "p")
    assert (p.pairs, p.with_alone, p.without_alone, p.state) == (0, (4, 4), (0, 0), "cleared")


def test_fails_with_the_text_alone_are_compared_with_trials_without() -> None:
    history = [*pairs("abcd", False, True), *single_arm("p", "--"), *single_arm("q", "+++")]
    assert judge(ADD, GUARDED, history, Policy()).ruling is None
    assert next_batch(ADD, GUARDED, history, Policy(), 1) == (Run("p", BOTH),)
    broken = [*history, *pairs("ppp", True, False)]
    assert judge(ADD, GUARDED, broken, Policy()).ruling is Ruling.BURY


def test_single_arm_trials_do_not_change_the_lift() -> None:
    history = pairs("ab", False, True)
    more = [*history, *single_arm("c", "++++"), *single_arm("d", "----", Arm.WITHOUT)]
    before, after = (judge(ADD, THEME, trials, Policy()) for trials in (history, more))
    assert after.e_value == before.e_value
    assert after.lift == before.lift
    assert after.interval == before.interval


def test_single_arm_trials_count_half_a_pair_towards_the_limit() -> None:
    history = [*pairs("abcd", False, True), *single_arm("p", "+")]
    assert len(next_batch(ADD, GUARDED, history, Policy(max_pairs=5), 2)) == 1
    assert next_batch(ADD, GUARDED, [*history, *single_arm("q", "+")], Policy(max_pairs=5), 2) == ()


def test_text_that_no_task_needs_is_cleared_by_passes_without_it() -> None:
    specs = [TaskSpec(str(number), TaskRole.OTHER) for number in range(20)]
    history = [Pair(spec.id, True, True, True) for spec in specs]
    batch = next_batch(REMOVE, specs, [*history, *history[:10]], Policy(), 20)
    assert {run.task_id for run in batch} == {str(number) for number in range(10, 20)}
    assert {run.arms for run in batch} == {(Arm.WITHOUT,)}


def test_an_exchange_that_breaks_a_task_is_buried() -> None:
    outcome = {**dict.fromkeys("abc", (True, True)), "d": (True, False)}
    assert run_gate(Direction.RESCOPE, OTHERS, outcome) is Ruling.BURY


def test_an_exchange_of_texts_that_never_load_is_not_kept() -> None:
    never_loaded = pairs("abcd" * 2, True, True, loaded=False)
    assert judge(Direction.MERGE, OTHERS, never_loaded, Policy()).ruling is Ruling.BURY


def test_a_judgement_names_the_next_batch() -> None:
    history = pairs("ab", False, True)
    judgement = judge(ADD, THEME, history, Policy(), 2)
    assert judgement.batch == next_batch(ADD, THEME, history, Policy(), 2) == (Run("c"), Run("d"))
    assert judge(ADD, THEME, pairs("abcd", False, True), Policy(), 2).batch == ()
