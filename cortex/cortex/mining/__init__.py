"""Corrections: where a developer told the agent that it was wrong, or changed its work by hand."""

from cortex.mining.miner import mine

__all__ = ["mine"]
