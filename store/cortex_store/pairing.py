"""From trials to pairs: what the gate reads."""

from collections.abc import Iterable

from cortex.model.trials import Arm, Pair, Trial


def pairs_of(trials: Iterable[Trial]) -> tuple[Pair, ...]:
    """Return the valid pairs in the order in which they were completed.

    A pair is the last trial of each arm that is not missing; it counts only when both exist.
    """
    arms: dict[tuple[str, int], dict[Arm, Trial]] = {}
    completed: dict[tuple[str, int], None] = {}
    for trial in trials:
        if trial.outcome.missing:
            continue
        key = (trial.task_id, trial.pair)
        known = arms.setdefault(key, {})
        known[trial.arm] = trial
        if len(known) == len(Arm):
            completed.setdefault(key)
    return tuple(_pair(arms[key][Arm.WITHOUT], arms[key][Arm.WITH]) for key in completed)


def _pair(without: Trial, with_: Trial) -> Pair:
    return Pair(
        task_id=without.task_id,
        without=without.outcome.passed,
        with_=with_.outcome.passed,
        loaded=with_.loaded,
        triggered_without=without.triggered,
        triggered_with=with_.triggered,
    )
