"""The agent for people with only a key: a loop of few tools over the Messages API.

A process of its own; `cortex_replay.agents.messages` starts it.
"""
