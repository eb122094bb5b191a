"""What the benchmarks' command lines share."""

import argparse
import signal
from typing import NoReturn

from cortex.errors import UsageError

INTERRUPTED = 130
"""Exit code after Ctrl-C."""


class Parser(argparse.ArgumentParser):
    """Raises UsageError for wrong options, so that they are one line as wrong files are."""

    def error(self, message: str) -> NoReturn:
        """Raise instead of printing the usage."""
        raise UsageError(message)


def leave_interrupts_alone() -> None:
    """Start a worker that ends with the pool, without a traceback of its own."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
