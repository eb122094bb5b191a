"""From trials to pairs: what the gate reads."""

from collections.abc import Iterable, Mapping

from cortex.model.trials import Arm, Pair, Trial


def pairs_of(trials: Iterable[Trial]) -> tuple[Pair, ...]:
    """Return the valid pairs in the order in which they were completed.

    A pair is the last trial of each arm that is not missing; it counts only when both exist. A
    trial that was run alone by design counts by itself; half of an interrupted pair never does.
    """
    arms: dict[tuple[str, int], dict[Arm, Trial]] = {}
    completed: dict[tuple[str, int], None] = {}
    for trial in trials:
        if trial.outcome.missing:
            continue
        key = (trial.task_id, trial.pair)
        known = arms.setdefault(key, {})
        known[trial.arm] = trial
        if trial.alone or len(known) == len(Arm):
            completed.setdefault(key)
    return tuple(_pair(arms[key]) for key in completed)


def _pair(arms: Mapping[Arm, Trial]) -> Pair:
    without, with_ = arms.get(Arm.WITHOUT), arms.get(Arm.WITH)
    return Pair(
        task_id=next(iter(arms.values())).task_id,
        without=without.outcome.passed if without else None,
        with_=with_.outcome.passed if with_ else None,
        loaded=with_.loaded if with_ else False,
        triggered_without=without.triggered if without else None,
        triggered_with=with_.triggered if with_ else None,
    )
