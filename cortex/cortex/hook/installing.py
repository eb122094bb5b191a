"""Putting the hook where git looks for it, beside one that is there already."""

import os
import shlex
import sys
from pathlib import Path

from cortex.errors import UsageError
from cortex.hook.gitstate import git

NAME = "pre-commit"
KEPT = "pre-commit.before-cortex"
MARK = "# Made by `cortex hook install`; `cortex hook uninstall` takes it away."

SCRIPT = """#!/bin/sh
{mark}
# It never stops a commit. CORTEX_SKIP=1 before `git commit` skips it.
kept="$(dirname "$0")/{kept}"
if [ -x "$kept" ]; then "$kept" "$@" || exit $?; fi
python={python}
if [ -x "$python" ]; then
  "$python" -m cortex.hook || true
else
  echo "cortex: $python is gone; the hook did nothing (\\`cortex hook install\\` mends it)" >&2
fi
exit 0
"""


def install(folder: Path) -> str:
    """Write the hook and return one sentence. Raises UsageError outside of a repository."""
    hook, kept = _places(folder)
    said = f"installed {hook}"
    if hook.exists() and not _is_ours(hook):
        if kept.exists():
            raise UsageError(f"{kept}: is there already; move it away first")
        hook.rename(kept)
        said = f"installed {hook}; the hook that was there runs first"
    hook.parent.mkdir(parents=True, exist_ok=True)
    text = SCRIPT.format(mark=MARK, kept=KEPT, python=shlex.quote(sys.executable))
    staged = hook.with_name(f".{NAME}.{os.getpid()}")
    staged.write_text(text, "utf-8")
    staged.chmod(0o755)
    staged.replace(hook)
    return said


def uninstall(folder: Path) -> str:
    """Take the hook away, put back what was there before; return one sentence."""
    hook, kept = _places(folder)
    if not _is_ours(hook):
        return "there is no hook of Cortex"
    if kept.exists():
        kept.replace(hook)
        return f"removed the hook; put back {hook}"
    hook.unlink()
    return f"removed {hook}"


def _places(folder: Path) -> tuple[Path, Path]:
    """Return the hook's file, wherever git's configuration puts it, and that of the one before."""
    said = git("rev-parse", "--path-format=absolute", "--git-path", "hooks", cwd=folder)
    hooks = Path(said.rstrip("\n"))
    return hooks / NAME, hooks / KEPT


def _is_ours(hook: Path) -> bool:
    try:
        return MARK in hook.read_text("utf-8", "replace")
    except OSError:
        return False
