"""The narrowest `paths` that cover the files of a theme, and similar files."""

from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from cortex.artifacts import globs
from cortex.model.tasks import Task

MAX_TOP_FOLDERS = 3
FEW_FILES = 3
"""With fewer files than this the folder above them is taken: the next file is likely elsewhere."""


def scope(evidence: Iterable[str], tree: Sequence[str]) -> tuple[str, ...]:
    """Return patterns for the files of `evidence` (relative paths) and files like them.

    One pattern for each kind of file: common folder and extension. Too narrow loses on new work,
    so few files in a deep folder count for the folder above it. A pattern that selects nothing in
    `tree` (all files of the repository) becomes `**/*.ext`, and goes when that is in vain too;
    evidence outside of the repository gives no pattern.
    """
    kinds: dict[str, set[str]] = {}
    for path in evidence:
        if _relative(path):
            kinds.setdefault(_kind(path), set()).add(path)
    patterns = [
        pattern for kind in sorted(kinds) for pattern in _patterns(kind, sorted(kinds[kind]), tree)
    ]
    alive = [pattern for pattern in patterns if globs.covers([pattern], tree)]
    return tuple(dict.fromkeys(alive or patterns))


def telling_paths(tasks: Sequence[Task], codes: Sequence[str]) -> tuple[str, ...]:
    """Return the files in which attempt or corrected result hold one of `codes`, else all of them.

    A task touches files that have nothing to do with the correction; those must not widen it.
    """
    changed = [
        (path, text)
        for task in tasks
        for path, text in [*task.attempt.items(), *task.corrected.items()]
    ]
    telling = [path for path, text in changed if any(code in (text or "") for code in codes)]
    return tuple(dict.fromkeys(telling or [path for path, _ in changed]))


def only_new_files(tasks: Sequence[Task]) -> bool:
    """Whether the tasks only create files: nothing is read then, and a scoped rule never loads."""
    return bool(tasks) and all(_creates(task) for task in tasks)


def _creates(task: Task) -> bool:
    overlay = task.base.overlay
    return bool(task.attempt) and all(
        path in overlay and overlay[path] is None for path in {*task.attempt, *task.paths}
    )


def _patterns(kind: str, paths: Sequence[str], tree: Sequence[str]) -> list[str]:
    tops = sorted({path.split("/")[0] for path in paths if "/" in path})
    spread = len(tops) > MAX_TOP_FOLDERS or any("/" not in path for path in paths)
    if spread:
        return [f"**/{kind}"]
    wanted = []
    for top in tops:
        inside = [path for path in paths if path.startswith(f"{top}/")]
        pattern = f"{_folder(inside)}/**/{kind}"
        alive = not tree or any(globs.matches([pattern], path) for path in tree)
        wanted.append(pattern if alive else f"**/{kind}")
    return wanted


def _folder(paths: Sequence[str]) -> str:
    parts = [path.split("/")[:-1] for path in paths]
    common = []
    for level in zip(*parts, strict=False):
        if len(set(level)) > 1:
            break
        common.append(level[0])
    if len(set(paths)) < FEW_FILES and len(common) > 1:
        common.pop()
    return "/".join(common)


def _kind(path: str) -> str:
    name = PurePosixPath(path)
    return f"*{name.suffix}" if name.suffix else name.name


def _relative(path: str) -> bool:
    parts = path.split("/")
    harmless = path.isprintable() and not set(path) & set('"\\*?[]{}!,#') and "---" not in path
    return harmless and path == path.strip() and parts[0] not in ("", "~") and ".." not in parts
