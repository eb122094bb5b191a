"""The lines of Cortex in a pre-commit script, added and removed byte for byte.

The lines run the script a second time, under its own name, and Cortex afterwards. So `$0` and
the folder are what the script expects, and it may end with `exec` or `exit`.
"""

import re
import shlex

BEGIN = "# >>> cortex: added by `cortex hook install`, removed by `cortex hook uninstall` >>>"
END = "# <<< cortex <<<"
NEW = b"#!/bin/sh\n# Created by `cortex hook install`.\n"
"""What a script starts with that was not there before."""

EARLIER_MARK = b"# Made by `cortex hook install`; `cortex hook uninstall` takes it away."
"""In the script of Cortex 0.1 before these lines existed."""

_BLOCK = """{begin}
# It never stops a commit. CORTEX_SKIP=1 before `git commit` skips it.
if [ -z "${{CORTEX_HOOK_INNER:-}}" ]; then
  case "$0" in */*) cortex_self=$0 ;; *) cortex_self=./$0 ;; esac
  CORTEX_HOOK_INNER=1 "$cortex_self" "$@" || exit $?
python={python}
main={main}
  if [ -x "$python" ] && [ -f "$main" ]; then
    "$python" -I -X utf8 "$main" || :
  else
    echo "cortex: hook skipped: $python is gone; reinstall with \\`cortex hook install\\`" >&2
  fi
  exit 0
fi
unset CORTEX_HOOK_INNER
{end}
"""
_SHELLS = {"sh", "bash", "dash", "ash", "ksh", "mksh", "zsh"}
_LINES = re.compile(
    rb"^" + re.escape(BEGIN.encode()) + rb"\r?\n.*?^" + re.escape(END.encode()) + rb"\r?\n?",
    re.DOTALL | re.MULTILINE,
)


def with_block(script: bytes, python: str, main: str) -> bytes:
    """Return the script with the lines of Cortex behind its first line, in place of earlier ones.

    `python` is the interpreter and `main` the file that it runs.
    """
    script = without_block(script)
    block = _BLOCK.format(
        begin=BEGIN, end=END, python=shlex.quote(python), main=shlex.quote(main)
    ).encode("utf-8", "surrogateescape")
    if not script.startswith(b"#!"):
        return block + script
    first, newline, rest = script.partition(b"\n")
    return first + (newline or b"\n") + block + rest


def without_block(script: bytes) -> bytes:
    """Return the script without the lines of Cortex."""
    return _LINES.sub(b"", script)


def has_block(script: bytes) -> bool:
    """Whether the lines of Cortex are in the script, complete."""
    return _LINES.search(script) is not None


def is_shell(script: bytes) -> bool:
    """Whether a POSIX shell runs the script; git hands one without a first `#!` line to `sh`."""
    if b"\0" in script:
        return False
    if not script.startswith(b"#!"):
        return True
    words = script[2:].split(b"\n", 1)[0].decode("utf-8", "replace").split()
    names = [word.rsplit("/", 1)[-1] for word in words]
    if names[:1] == ["env"]:
        names = [name for name in names[1:] if not name.startswith("-") and "=" not in name]
    return bool(names) and names[0] in _SHELLS
