"""Shared command-line handling of the benchmarks."""

import argparse
import signal
from typing import NoReturn

from cortex.errors import UsageError

INTERRUPTED = 130
"""Exit code after Ctrl-C."""


class Parser(argparse.ArgumentParser):
    """Raises UsageError for invalid options, so that errors are a single line."""

    def error(self, message: str) -> NoReturn:
        """Raise UsageError instead of printing the usage."""
        raise UsageError(message)


def ignore_interrupts() -> None:
    """Initialize a worker: Ctrl-C reaches the parent only, which stops the pool."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
