"""What can be said about harness text without running it."""

from cortex.findings.checks import Finding, check

__all__ = ["Finding", "check"]
