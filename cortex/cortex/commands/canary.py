"""Proving an agent's version before anything is spent with it."""

from cortex.commands.context import Context
from cortex.errors import MachineError
from cortex.timestamps import now
from cortex_replay.agents import Agent
from cortex_replay.canary import TESTED, CanaryReport, run_canary

PROVED = "canary"
"""Key in `KeyValue`, before agent and version: a canary of it showed all that Cortex reads."""


def ensure_proved(context: Context, agent: Agent) -> None:
    """Run a canary of a version that was neither tested by Cortex nor seen here.

    Raises MachineError, before a trial, when Cortex cannot read what this version writes.
    """
    known = agent.version() in TESTED.get(agent.name, ())
    if known or context.store.key_values.get(_key(agent)) is not None:
        return
    report = prove(context, agent)
    if report is not None and report.missing:
        raise MachineError(f"{describe(report)}; nothing was spent, `cortex doctor` shows more")


def prove(context: Context, agent: Agent) -> CanaryReport | None:
    """Run a canary and remember a good one; None for an agent that has none."""
    report = run_canary(agent, context.confinement())
    if report is not None and not report.missing:
        context.store.key_values.set(_key(agent), now())
    elif report is not None:
        context.store.key_values.remove(_key(agent))
    return report


def describe(report: CanaryReport) -> str:
    """Return what is missing in a sentence."""
    missing = ", ".join(report.missing)
    detail = f" ({report.detail})" if report.detail else ""
    return f"{report.agent} {report.version} no longer shows Cortex {missing}{detail}"


def _key(agent: Agent) -> str:
    return f"{PROVED} {agent.name} {agent.version()}"
