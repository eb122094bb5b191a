"""Reading and writing files of the workspace for the model: no path, and no link, leads out."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from cortex_replay import files

OUTSIDE = "The path is outside of the working directory."


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool tells the model."""

    content: str
    result: object = field(default=None)
    """As Claude Code writes it to its transcript."""
    failed: bool = False


def failure(message: str) -> Answer:
    """Return an answer that says what is wrong."""
    return Answer(message, f"Error: {message}", failed=True)


def relative_path(workspace: Path, path: str) -> str | None:
    """Return a path of the model relative to the workspace; None for one that leads out of it."""
    if "\0" in path or not path:
        return None
    whole = os.path.normpath(workspace / path)
    if not whole.startswith(f"{workspace}{os.sep}"):
        return None
    inner = Path(whole).relative_to(workspace).as_posix()
    return inner if files.inside(inner) else None


def text_of(workspace: Path, path: str) -> str | None:
    """Return the text of a plain file in the workspace; None for anything else."""
    if not files.is_plain(workspace / path, workspace):
        return None
    return files.read_text(workspace, path)


def write_file(workspace: Path, path: str, text: str) -> Answer:
    """Write a whole file; a link in its place is replaced, one on the way to it is refused."""
    before = text_of(workspace, path)
    if (workspace / path).is_dir():
        return failure(f"{path} is a directory.")
    problem = _put(workspace, path, text)
    if problem is not None:
        return problem
    result: Mapping[str, object] = {
        "type": "create" if before is None else "update",
        "filePath": str(workspace / path),
        "content": text,
        "structuredPatch": [],
        "originalFile": before,
    }
    verb = "created" if before is None else "updated"
    return Answer(f"The file {path} has been {verb} successfully.", result)


def edit_file(workspace: Path, path: str, old: str, new: str, *, every: bool) -> Answer:
    """Replace `old` in a file by `new`, once or at every place."""
    before = text_of(workspace, path)
    if before is None:
        return failure(f"{path}: no such text file.")
    count = before.count(old) if old else 0
    if count == 0:
        return failure(f"old_string is not in {path}.")
    if count > 1 and not every:
        return failure(f"old_string is at {count} places in {path}; give more of the text around.")
    problem = _put(workspace, path, before.replace(old, new, -1 if every else 1))
    if problem is not None:
        return problem
    result: Mapping[str, object] = {
        "filePath": str(workspace / path),
        "oldString": old,
        "newString": new,
        "originalFile": before,
        "structuredPatch": [],
        "replaceAll": every,
    }
    return Answer(f"The file {path} has been updated successfully.", result)


def _put(workspace: Path, path: str, text: str) -> Answer | None:
    try:
        if not files.write(workspace, path, text):
            return failure(OUTSIDE)
    except OSError as error:
        return failure(f"{path} cannot be written: {error.strerror}.")
    return None
