"""How much the next keep of a repository has to show, given the candidates before it."""

from dataclasses import dataclass

from cortex.commands.context import Context
from cortex.judgement.online_fdr import level
from cortex.model.experiments import Level


@dataclass(frozen=True, slots=True)
class Lifetime:
    """Additions of a repository so far, and what holds for their keeps together."""

    tested: int
    kept: int
    bound: float
    """Expected share of false keeps, at most."""
    next_e_value: float
    """E+ that the next candidate has to reach."""


def level_of(context: Context, experiment_id: str) -> Level:
    """Return what an opened experiment on added text currently has to reach."""
    where, gate = str(context.root), context.config.gate
    number = context.store.experiments.additions_until(where, experiment_id)
    kept = context.store.verdicts.kept(where, besides=experiment_id)
    return level(number, kept, gate.false_keeps, gate.alpha)


def lifetime(context: Context, repository: str) -> Lifetime:
    """Return what was tested and kept in a repository, and what comes next."""
    gate = context.config.gate
    tested = context.store.experiments.additions_until(repository)
    kept = context.store.verdicts.kept(repository)
    following = level(tested + 1, kept, gate.false_keeps, gate.alpha)
    return Lifetime(tested, kept, gate.false_keeps, round(1 / following.alpha, 1))
