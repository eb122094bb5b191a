"""What can be known about harness text without running it."""

from cortex.findings.checks import Finding, FindingCode, Severity, check

__all__ = ["Finding", "FindingCode", "Severity", "check"]
