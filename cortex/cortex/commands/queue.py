"""The daemon's queue: experiments with their budgets."""

from cortex.commands.context import Context
from cortex.commands.proposals import removal, to_gate
from cortex.errors import UsageError
from cortex.model.jobs import Job
from cortex.timestamps import now


def queue_gate(context: Context, candidate_id: str, budget_usd: float | None = None) -> Job:
    """Queue a candidate for the daemon; a job that is queued or running for it is returned.

    Without `budget_usd` the configured cap of an experiment holds. Raises UsageError for an
    unknown candidate, and when the agent costs money and no budget is given for it.
    """
    candidate = to_gate(context, candidate_id)
    limit = budget_usd if budget_usd is not None else context.config.budget.per_experiment_usd
    if limit is not None and not limit > 0:
        raise UsageError(f"invalid budget {limit:g} USD: must be greater than 0")
    if limit is None and not context.config.agent.free:
        raise UsageError(
            f"trials with {context.config.agent.name} cost money: give a budget for this one, or "
            "set per_experiment_usd under [budget] in your config.toml"
        )
    return context.store.jobs.add(str(context.root), candidate.id, limit, now())


def queue_removal(context: Context, name: str, budget_usd: float | None = None) -> Job:
    """Let the daemon measure text that is in the harness; `name` is its name, path or key."""
    return queue_gate(context, removal(context, name).id, budget_usd)


def jobs(context: Context) -> tuple[Job, ...]:
    """Return the newest jobs of the repository, oldest first."""
    return context.store.jobs.all(str(context.root))
