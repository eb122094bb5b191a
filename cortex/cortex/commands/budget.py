"""Budgets: no spending without an explicit one."""

from dataclasses import dataclass

from cortex.commands.context import Context
from cortex.errors import UsageError
from cortex.model.trials import Trial
from cortex.timestamps import midnight
from cortex_replay.agents import Agent


@dataclass
class BudgetTracker:
    """The budget of an experiment or cycle, booked from the agent's own report."""

    limit_usd: float | None
    """None: no budget was given, so only a free agent may run."""
    per_trial_usd: float | None = None
    spent_usd: float = 0.0
    unreported: bool = False
    """A trial reported no cost: no new trials are started."""
    day_left_usd: float | None = None
    free: bool = False
    """The agent costs nothing: see `AgentConfig.free`."""

    def check(self, agent: Agent) -> None:
        """Raise UsageError when this agent costs money and there is no budget for it."""
        if self.limit_usd is None and not self.free:
            raise UsageError(
                f"trials with {agent.name} cost money: say how much this call may spend with "
                "--budget USD"
            )

    def may_start(self) -> bool:
        """Whether another trial may begin."""
        if self.free:
            return True
        if self.unreported or self.limit_usd is None:
            return False
        within_day = self.day_left_usd is None or self.spent_usd < self.day_left_usd
        return self.spent_usd < self.limit_usd and within_day

    def book(self, trial: Trial) -> None:
        """Count what a trial cost; one without a report stops the spending."""
        if trial.cost_usd is not None:
            self.spent_usd += trial.cost_usd
        elif not self.free and not trial.outcome.missing:
            self.unreported = True

    def describe(self) -> str:
        """Return the state in a few words."""
        if self.unreported:
            return "the agent reported no cost for a trial; stopping: no new trials"
        return f"{self.spent_usd:.2f} of {self.limit_usd or 0:.2f} USD"


def track_budget(context: Context, budget_usd: float | None) -> BudgetTracker:
    """Return the budget for a call: `--budget`, else the configured cap of an experiment.

    Raises UsageError for a budget that is not positive, or when the day's cap is reached.
    """
    caps = context.config.budget
    limit = budget_usd if budget_usd is not None else caps.per_experiment_usd
    if limit is not None and not limit > 0:
        raise UsageError(f"invalid budget {limit:g} USD: must be greater than 0")
    day_left = None
    if caps.per_day_usd is not None:
        day_left = caps.per_day_usd - context.store.experiments.spent_usd(midnight())
        if day_left <= 0:
            raise UsageError(f"today's cap of {caps.per_day_usd:.2f} USD is reached")
    free = context.config.agent.free
    return BudgetTracker(limit, caps.per_trial_usd, day_left_usd=day_left, free=free)
