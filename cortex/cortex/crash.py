"""The report of a bug: exit code 70, one line, and a log that a person can paste elsewhere."""

import os
import platform
import shlex
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from cortex import __version__
from cortex.timestamps import now

EXIT_CODE = 70
"""`EX_SOFTWARE` of sysexits.h."""
FOLDER = "crashes"
KEPT = 10
"""Logs; older ones are removed when another is written."""


def report(error: BaseException, arguments: Sequence[str]) -> str:
    """Write the log of a bug and return the line for standard error.

    When the log cannot be written, it is printed to standard error before the line.
    """
    text = _log(error, arguments)
    headline = " ".join(_cleaned(f"{type(error).__name__}: {error}").split())
    try:
        place = _as_user_path(str(_write(text)))
    except (OSError, ValueError):
        sys.stderr.write(text)
        return f"internal error: {headline}; the log above could not be written to a file"
    return f"internal error: {headline}; log: {place}"


def _log(error: BaseException, arguments: Sequence[str]) -> str:
    lines = (
        f"time     {now()}",
        f"cortex   {__version__}",
        f"python   {platform.python_version()} on {platform.platform()}",
        f"command  cortex {shlex.join(arguments)}",
        "",
        *traceback.format_exception(error),
    )
    return _cleaned("\n".join(lines).rstrip()) + "\n"


def _cleaned(text: str) -> str:
    """Return text without secrets, control characters and the name of the home folder."""
    from cortex.transcripts.redaction import redact_text

    plain = "".join(c if c.isprintable() or c in "\n\t" else "\ufffd" for c in text)
    return _as_user_path(redact_text(plain))


def _as_user_path(text: str) -> str:
    home = os.environ.get("HOME", "").rstrip("/")
    return text.replace(f"{home}/", "~/") if home else text


def _write(text: str) -> Path:
    """Write the log for this user alone; remove the oldest. Raises OSError, ValueError."""
    from cortex.config import home
    from cortex.errors import UsageError

    try:
        folder = home() / FOLDER
    except UsageError as error:
        raise ValueError(str(error)) from None
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = folder / f"{now().replace(':', '').replace('.', '-')}-{os.getpid()}.log"
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8", errors="replace") as file:
        file.write(text)
    for old in sorted(folder.glob("*.log"))[:-KEPT]:
        with suppress(OSError):
            old.unlink()
    return path
