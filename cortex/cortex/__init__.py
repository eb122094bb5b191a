"""Cortex measures the text that developers write for coding agents, and keeps what helps."""

__version__ = "0.1.0"
