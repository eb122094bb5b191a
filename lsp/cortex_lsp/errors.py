"""What the server's libraries log, as a line on standard error each."""

import logging
import sys

from pygls.exceptions import JsonRpcException

from cortex import crash
from cortex.errors import CortexError
from cortex.presenting.plain import one_line

WIDTH = 300
"""Characters of a line."""


def log_in_lines() -> None:
    """Write warnings to standard error without tracebacks; a bug's goes into a log of its own."""
    logging.raiseExceptions = False
    logging.getLogger().addHandler(_Lines(logging.WARNING))


class _Lines(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        text = one_line(record.getMessage(), WIDTH)
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, JsonRpcException | CortexError):
            text = one_line(f"{text}: {error}", WIDTH)
        elif isinstance(error, Exception):
            text = crash.report(error, ["lsp"])
        sys.stderr.write(f"cortex-lsp: {text}\n")
        sys.stderr.flush()
