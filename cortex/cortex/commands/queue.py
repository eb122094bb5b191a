"""Work for the daemon: experiments that somebody asked for, with their budget."""

from cortex.commands.budget import FREE_AGENTS
from cortex.commands.proposals import removal
from cortex.commands.queries import candidate as find_candidate
from cortex.commands.workbench import Workbench, now
from cortex.errors import UsageError
from cortex.model.jobs import Job


def queue_gate(bench: Workbench, candidate_id: str, budget_usd: float | None = None) -> Job:
    """Let the daemon measure a candidate; what waits or runs for it already is returned.

    Without `budget_usd` the configured cap of an experiment holds. Raises UsageError for an
    unknown candidate, and when the agent costs money and no budget is given for it.
    """
    candidate = find_candidate(bench, candidate_id)
    limit = budget_usd if budget_usd is not None else bench.config.budget.per_experiment_usd
    if limit is not None and not limit > 0:
        raise UsageError(f"a budget of {limit:g} USD buys no trial; give more than 0")
    if limit is None and bench.config.agent.name not in FREE_AGENTS:
        raise UsageError(
            f"trials with {bench.config.agent.name} cost money: give a budget for this one, or "
            "set per_experiment_usd under [budget] in your config.toml"
        )
    return bench.store.jobs.add(str(bench.root), candidate.id, limit, now())


def queue_removal(bench: Workbench, name: str, budget_usd: float | None = None) -> Job:
    """Let the daemon measure text that is in the harness; `name` is its name, path or key."""
    return queue_gate(bench, removal(bench, name).id, budget_usd)


def jobs(bench: Workbench) -> tuple[Job, ...]:
    """Return the newest jobs of the repository, oldest first."""
    return bench.store.jobs.all(str(bench.root))
