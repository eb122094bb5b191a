"""Paths are UTF-8 whatever the locale; output keeps the terminal's encoding and never fails."""

import io
import locale
import os
import sys

_RESTARTED = "CORTEX_RESTARTED_IN_UTF8"


def use_utf8_paths() -> None:
    """Restart this process in Python's UTF-8 mode when its file names are not UTF-8.

    Paths in transcripts, in the store and from git are UTF-8; under a locale with another encoding
    Python would decode the same file name differently.
    """
    if sys.getfilesystemencoding() == "utf-8" or os.name != "posix" or _RESTARTED in os.environ:
        return
    os.environ[_RESTARTED] = "1"
    os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])


def replace_unencodable() -> None:
    """Let both output streams replace characters that their encoding lacks."""
    restarted = os.environ.pop(_RESTARTED, None)
    encoding = None
    if restarted and not os.environ.get("PYTHONIOENCODING"):
        encoding = locale.getencoding()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=encoding, errors="replace")
