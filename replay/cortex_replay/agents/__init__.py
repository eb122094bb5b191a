"""Agents that can run trials: a literal registry."""

from collections.abc import Callable

from cortex.config import AgentConfig
from cortex.errors import UsageError
from cortex_replay.agents.base import Agent, AgentJob, AgentRun

__all__ = ["AGENTS", "Agent", "AgentJob", "AgentRun", "make_agent"]


def _claude_code(config: AgentConfig) -> Agent:
    from cortex_replay.agents.claude_code import ClaudeCode

    return ClaudeCode(config.command)


def _messages(config: AgentConfig) -> Agent:
    from cortex_replay.agents.messages import MessagesAgent

    return MessagesAgent(config)


def _scripted(config: AgentConfig) -> Agent:
    from cortex_replay.agents.scripted import ScriptedAgent

    return ScriptedAgent(config.playbook)


AGENTS: dict[str, Callable[[AgentConfig], Agent]] = {
    "claude-code": _claude_code,
    "messages": _messages,
    "scripted": _scripted,
}


def make_agent(config: AgentConfig) -> Agent:
    """Return the configured agent; UsageError for an unknown name."""
    if config.name not in AGENTS:
        raise UsageError(
            f"unknown agent {config.name!r}; set `name` in [agent] to {' or '.join(AGENTS)}"
        )
    return AGENTS[config.name](config)
