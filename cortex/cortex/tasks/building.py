"""Builds the task of a correction."""

import posixpath
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Protocol

from cortex.digests import short_id
from cortex.model.corrections import Correction
from cortex.model.sessions import Prompted
from cortex.model.tasks import BaseTree, Check, Task
from cortex.tasks.command_checks import CommandRunLike, command_checks
from cortex.tasks.command_order import process_checks
from cortex.tasks.derive import derive, with_progress
from cortex.tasks.excluded_paths import is_excluded


class ContrastLike(Protocol):
    """What the transcript shows of a correction; all paths are absolute."""

    @property
    def prompt(self) -> Prompted:
        """The prompt whose work is corrected."""

    @property
    def root(self) -> str:
        """The working folder of the session."""

    @property
    def base(self) -> Mapping[str, str | None]:
        """Contents at the moment of the prompt, None where there was no file."""

    @property
    def attempt(self) -> Mapping[str, str | None]:
        """Contents after the agent's first attempt."""

    @property
    def corrected(self) -> Mapping[str, str | None]:
        """Contents when the developer was satisfied."""

    @property
    def touched(self) -> Sequence[str]:
        """Files read or written."""

    @property
    def attempt_commands(self) -> Sequence[CommandRunLike]:
        """Commands of the attempt."""

    @property
    def corrected_commands(self) -> Sequence[CommandRunLike]:
        """Commands from the correction on."""

    @property
    def earlier(self) -> Mapping[str, str | None]:
        """Known contents of files that the session changed before the prompt."""


def build(
    correction: Correction, contrast: ContrastLike, repository: str, base_commit: str | None
) -> Task:
    """Return a draft task with its checks; admission decides whether it can measure.

    `repository` is the absolute path of the repository's top folder, "" when there is none. Files
    outside of it and harness files are no part of a task.
    """
    root = repository or contrast.root
    base = _inside(contrast.base, root)
    attempt = _inside(contrast.attempt, root)
    corrected = _inside(contrast.corrected, root)
    paths = (relative(path, root) for path in (*contrast.touched, *contrast.base))
    return Task(
        id=short_id("task", correction.id),
        prompt=contrast.prompt.text,
        base=BaseTree(repository, base_commit, None, {**_inside(contrast.earlier, root), **base}),
        checks=_checks(correction.content, contrast, base, attempt, corrected, root),
        paths=tuple(dict.fromkeys(path for path in paths if path and not is_excluded(path))),
        attempt=_changed(attempt, base),
        corrected=_changed(corrected, base),
        attempt_commands=tuple(run.command for run in contrast.attempt_commands),
        corrected_commands=tuple(run.command for run in contrast.corrected_commands),
        correction_ids=(correction.id,),
        session_id=correction.session_id,
        created_at=contrast.prompt.at,
    )


def relative(path: str, root: str) -> str | None:
    """Return `path` relative to `root` with forward slashes, None when it is outside.

    git's own folder counts as outside.
    """
    clean = posixpath.normpath(path.replace("\\", "/"))
    try:
        inner = PurePosixPath(clean).relative_to(posixpath.normpath(root.replace("\\", "/")))
    except ValueError:
        return None
    parts = inner.parts
    if not parts or any(part.lower() == ".git" for part in parts):
        return None
    return str(inner)


def _inside(contents: Mapping[str, str | None], root: str) -> dict[str, str | None]:
    by_path = ((relative(path, root), text) for path, text in contents.items())
    return {path: text for path, text in by_path if path is not None and not is_excluded(path)}


def _changed(
    contents: Mapping[str, str | None], base: Mapping[str, str | None]
) -> dict[str, str | None]:
    return {path: text for path, text in contents.items() if path not in base or base[path] != text}


def _checks(
    words: str,
    contrast: ContrastLike,
    base: Mapping[str, str | None],
    attempt: Mapping[str, str | None],
    corrected: Mapping[str, str | None],
    root: str,
) -> tuple[Check, ...]:
    """Return the checks in the order of how much they prove: commands, process, contrasts."""
    roots = tuple(dict.fromkeys((root, contrast.root)))
    commands = command_checks(contrast.attempt_commands, contrast.corrected_commands, roots)
    differ = {**base, **attempt} != {**base, **corrected}
    process = process_checks(
        [run.command for run in contrast.attempt_commands],
        [run.command for run in contrast.corrected_commands],
        words,
        files_differ=differ,
    )
    patterns = derive(base, attempt, corrected, words, contrast.prompt.text) if differ else ()
    pure = (*process, *patterns)
    if not commands and not pure:
        return ()
    # A command may pass on the base too, when the attempt broke what worked.
    prompt, anywhere = contrast.prompt.text, bool(commands)
    return (*commands, *with_progress(pure, base, corrected, prompt, anywhere=anywhere))
