"""What counts as false, and when verdicts are not to be trusted."""

import pytest

from cortex.model.verdicts import Diagnosis, Ruling
from cortex.selftest.cases import Kind
from cortex.selftest.report import Answer, CaseResult, Report, grade, sentences

USELESS = "triggered but ignored"


@pytest.mark.parametrize(
    ("kind", "ruling", "diagnosis", "answer"),
    [
        (Kind.SAME_ADDED, Ruling.KEEP, "", Answer.WRONG),
        (Kind.SAME_ADDED, Ruling.BURY, "harm", Answer.WRONG),
        (Kind.SAME_ADDED, Ruling.BURY, "never loaded", Answer.WRONG),
        (Kind.SAME_ADDED, Ruling.BURY, USELESS, Answer.RIGHT),
        (Kind.SAME_ADDED, Ruling.UNDECIDED, "", Answer.UNDECIDED),
        (Kind.SAME_REMOVED, Ruling.RETAIN, "", Answer.WRONG),
        (Kind.SAME_REMOVED, Ruling.PRUNE, "harm", Answer.WRONG),
        (Kind.SAME_REMOVED, Ruling.UNUSED, "", Answer.WRONG),
        (Kind.SAME_REMOVED, Ruling.PRUNE, "dead weight", Answer.RIGHT),
        (Kind.HELPS, Ruling.KEEP, "", Answer.RIGHT),
        (Kind.HELPS, Ruling.BURY, USELESS, Answer.WRONG),
        (Kind.BREAKS, Ruling.BURY, "harm", Answer.RIGHT),
        (Kind.BREAKS, Ruling.BURY, USELESS, Answer.RIGHT),
        (Kind.BREAKS, Ruling.KEEP, "", Answer.WRONG),
        (Kind.IDLE, Ruling.KEEP, "", Answer.WRONG),
        (Kind.IDLE, Ruling.BURY, USELESS, Answer.RIGHT),
        (Kind.IDLE, Ruling.BURY, "never loaded", Answer.WRONG),
        (Kind.UNLOADED_ADDED, Ruling.BURY, "never loaded", Answer.RIGHT),
        (Kind.UNLOADED_ADDED, Ruling.BURY, "harm", Answer.WRONG),
        (Kind.UNLOADED_REMOVED, Ruling.UNUSED, "", Answer.RIGHT),
        (Kind.UNLOADED_REMOVED, Ruling.PRUNE, "dead weight", Answer.WRONG),
    ],
)
def test_grades(kind: Kind, ruling: Ruling, diagnosis: str, answer: Answer) -> None:
    assert grade(kind, ruling, Diagnosis(diagnosis)) is answer


def test_a_right_verdict_that_touched_the_harness_is_wrong() -> None:
    assert (
        grade(Kind.UNLOADED_REMOVED, Ruling.UNUSED, Diagnosis.NONE, in_place=False) is Answer.WRONG
    )


def tried(kind: Kind, answer: Answer, number: int = 0) -> CaseResult:
    return CaseResult(
        kind=kind,
        number=number,
        ruling=Ruling.KEEP if answer is Answer.WRONG else Ruling.BURY,
        answer=answer,
        reason="So it was.",
        pairs=10,
        without=4,
        with_=5,
        loaded=10,
        trials=20,
        cost_usd=0.0,
        seconds=1.0,
    )


def report(same: tuple[int, int], planted: Answer = Answer.RIGHT, planned: int = 0) -> Report:
    """A report of (false, all) additions with the same text, and one planted text."""
    wrong, runs = same
    answers = [Answer.WRONG] * wrong + [Answer.RIGHT] * (runs - wrong)
    summary = [tried(Kind.SAME_ADDED, answer, at) for at, answer in enumerate(answers)]
    summary.append(tried(Kind.HELPS, planted))
    stopped = "the budget is spent" if planned else ""
    return Report(
        "scripted", "", None, 1, 0.05, planned or len(summary), tuple(summary), stopped=stopped
    )


def test_no_false_verdict_bounds_the_rate() -> None:
    summary = report((0, 24))
    assert not summary.broken
    assert sentences(summary) == (
        "0 of 24 A/A experiments ended in a false verdict: the rate is below 12% with 95% "
        "confidence.",
        "In their 240 pairs the arms passed 120 times with and 96 times without.",
        "1 of 1 planted text got the right verdict.",
    )
    assert summary.rows[0].interval == pytest.approx((0.0, 0.1425), abs=1e-4)
    assert (summary.rows[0].right, summary.rows[0].mean_trials, summary.rows[0].seconds) == (
        24,
        20,
        24,
    )


def test_some_false_verdicts_are_no_proof() -> None:
    summary = report((2, 24))
    assert not summary.broken
    first, *rest = sentences(summary)
    assert first == (
        "2 of 24 A/A experiments ended in a false verdict: the rate is between 1.0% and 27.0% "
        "with 95% confidence."
    )
    assert rest[0] == "False: same-added 1 (no keep, no harm) ended in keep. So it was."


def test_many_false_verdicts_are() -> None:
    summary = report((5, 24))
    assert summary.excessive
    assert summary.broken
    assert "more than the 5% that the gate promises" in sentences(summary)[0]
    assert sentences(summary)[-1].startswith("Do not trust verdicts here")


def test_false_verdicts_of_one_direction_do_not_drown_in_the_other() -> None:
    removals = [tried(Kind.SAME_REMOVED, Answer.RIGHT, at) for at in range(200)]
    additions = report((5, 24)).runs
    summary = Report("scripted", "", None, 1, 0.05, 225, (*removals, *additions))
    assert summary.excessive


def test_one_planted_text_with_the_opposite_verdict_is_enough() -> None:
    assert report((0, 8), Answer.WRONG).broken
    undecided = report((0, 8), Answer.UNDECIDED)
    assert not undecided.broken
    assert "0 of 1 planted text got the right verdict, 1 stayed undecided." in sentences(undecided)


def test_what_did_not_run_is_said() -> None:
    assert sentences(report((0, 3), planned=29))[-1] == (
        "25 of 29 planned experiments did not run: the budget is spent."
    )
