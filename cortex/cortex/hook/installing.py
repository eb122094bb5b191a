"""Putting the hook where git looks for it, without changing what is there for others."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from cortex.artifacts import atomic
from cortex.errors import UsageError
from cortex.git import GitError, person_ask, person_git
from cortex.hook import __file__ as package_file
from cortex.hook import script

NAME = "pre-commit"
EARLIER = "pre-commit.before-cortex"
"""Where Cortex put the script that was there before, until it learned to leave it in place."""
BY_HAND = "add a line `cortex hook run` to {} by hand"
_EXECUTABLE = 0o111


@dataclass(frozen=True, slots=True)
class _Hooks:
    """Where git looks for hooks."""

    root: Path
    """Of the work tree."""
    folder: Path
    """Absolute, links resolved."""
    common: Path
    """The git folder that all work trees of the repository share, links resolved."""

    @property
    def script(self) -> Path:
        return self.folder / NAME

    @property
    def versioned(self) -> bool:
        """Whether the folder is among the files of the work tree."""
        return _is_inside(self.folder, self.root) and not _is_inside(self.folder, self.common)


def install(folder: Path) -> str:
    """Write the hook and return one sentence.

    Raises UsageError outside of a repository, and for a place that is shared with others.
    """
    hooks = _hooks(folder)
    _check_place(hooks)
    note = ""
    _put_back_earlier(hooks.script)
    if not os.path.lexists(hooks.script):
        content, mode = script.NEW, 0o755
    else:
        content, mode = _existing(hooks.script), hooks.script.stat().st_mode & 0o7777
        note = "; the hook that was there runs first"
    if script.has_block(content) and script.without_block(content) == script.NEW:
        note = ""
    if hooks.versioned and not _is_ignored(hooks):
        note += "; it is in the work tree and not ignored, so do not commit it"
    main = str(Path(package_file).with_name("__main__.py").resolve())
    atomic.write(hooks.script, script.with_block(content, sys.executable, main), mode)
    return f"installed {hooks.script}{note}"


def is_installed(folder: Path) -> bool:
    """Whether the hook of Cortex is there. Raises UsageError as `install` does."""
    content = _read(_hooks(folder).script)
    return content is not None and script.has_block(content)


def uninstall(folder: Path) -> str:
    """Take the lines of Cortex out of the hook, and return one sentence."""
    hooks = _hooks(folder)
    if _put_back_earlier(hooks.script):
        there = os.path.lexists(hooks.script)
        return f"removed the hook; put back {hooks.script}" if there else f"removed {hooks.script}"
    content = _read(hooks.script)
    if content is None or script.BEGIN.encode() not in content:
        return "there is no hook of Cortex"
    if not script.has_block(content):
        raise UsageError(
            f"{hooks.script}: the line `{script.END}` is missing; remove Cortex's lines by hand"
        )
    before = script.without_block(content)
    if before == script.NEW:
        hooks.script.unlink()
        return f"removed {hooks.script}"
    atomic.write(hooks.script, before)
    return f"removed the hook; put back {hooks.script}"


def _hooks(folder: Path) -> _Hooks:
    """Return where git looks for hooks; UsageError for a place where there can be none."""
    try:
        root = _line(person_git("rev-parse", "--show-toplevel", cwd=folder))
        common = _line(person_git("rev-parse", "--git-common-dir", cwd=Path(root)))
        hooks = _line(person_git("rev-parse", "--git-path", "hooks", cwd=Path(root)))
    except GitError as error:
        raise UsageError(str(error)) from None
    value = person_ask("config", "--get", "core.hooksPath", cwd=Path(root))
    if value is not None and not _line(value):
        raise UsageError(
            "core.hooksPath is empty, so git runs no hooks; "
            "run `git config --unset core.hooksPath` first"
        )
    place = Path(root) / hooks
    if os.path.lexists(place) and not place.is_dir():
        raise UsageError(
            f"core.hooksPath is {place}, which is not a folder, so git runs no hooks; "
            "run `git config --unset core.hooksPath` first"
        )
    return _Hooks(_real(Path(root)), _real(place), _real(Path(root) / common))


def _check_place(hooks: _Hooks) -> None:
    """Raise UsageError where a hook would change other repositories or the team's files."""
    by_hand = BY_HAND.format(hooks.script)
    shown = person_ask("config", "--show-scope", "--get", "core.hooksPath", cwd=hooks.root)
    scope = (shown or "").split("\t")[0]
    if scope in ("global", "system"):
        raise UsageError(
            f"core.hooksPath is set in the {scope} git configuration, for all repositories; "
            f"{by_hand}"
        )
    if not _is_inside(hooks.folder, hooks.root) and not _is_inside(hooks.folder, hooks.common):
        raise UsageError(f"{hooks.folder} is outside of the repository; {by_hand}")
    if hooks.versioned:
        relative = hooks.folder.relative_to(hooks.root).as_posix()
        try:
            tracked = person_git("ls-files", "-z", "--cached", "--", relative, cwd=hooks.root)
        except GitError as error:
            raise UsageError(f"{hooks.folder}: {error}; {by_hand}") from None
        if tracked:
            raise UsageError(f"{relative} holds files tracked by git, for the team; {by_hand}")


def _existing(file: Path) -> bytes:
    """Return the script that is there; UsageError when Cortex cannot be put into it."""
    if file.is_symlink():
        raise UsageError(f"{file} is a link to {file.readlink()}; {BY_HAND.format('its script')}")
    content = _read(file)
    if content is None:
        raise UsageError(f"{file}: cannot be read; {BY_HAND.format('it')}")
    if not file.stat().st_mode & _EXECUTABLE:
        raise UsageError(f"{file} is not executable, so git skips it; run `chmod +x` or remove it")
    if not script.is_shell(content):
        raise UsageError(f"{file} is not a shell script; call `cortex hook run` at its end by hand")
    if script.BEGIN.encode() in content and not script.has_block(content):
        raise UsageError(f"{file}: the line `{script.END}` is missing; remove Cortex's lines first")
    return content


def _put_back_earlier(file: Path) -> bool:
    """Undo what earlier versions of Cortex installed here; False when there is no such hook."""
    content = _read(file)
    if content is None or script.EARLIER_MARK not in content:
        return False
    try:
        if os.path.lexists(file.with_name(EARLIER)):
            file.with_name(EARLIER).replace(file)
        else:
            file.unlink()
    except OSError as error:
        raise atomic.refusal(file, error) from None
    return True


def _is_ignored(hooks: _Hooks) -> bool:
    path = hooks.script.relative_to(hooks.root).as_posix()
    return person_ask("check-ignore", "--quiet", "--", path, cwd=hooks.root) is not None


def _read(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except OSError:
        return None


def _line(output: str) -> str:
    return output.removesuffix("\n")


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))


def _is_inside(path: Path, folder: Path) -> bool:
    return path == folder or path.is_relative_to(folder)
