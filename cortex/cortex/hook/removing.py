"""Moving text to the graveyard: the copy is in the same commit, or all stays as it is."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cortex.artifacts import disk, edits, graveyard, shared
from cortex.errors import CortexError
from cortex.git import GitError
from cortex.hook.gitstate import Commit
from cortex.model.artifacts import Artifact, ArtifactKind


@dataclass(frozen=True, slots=True)
class Grave:
    """What was written for an artifact."""

    id: str
    files: tuple[str, ...]
    """Relative to the repository: the files of the entry, and `.gitattributes` if it is ours."""

    @property
    def places(self) -> str:
        """What a person stages: the folder of the entry, and `.gitattributes`."""
        folders = (f"{path.split(self.id)[0]}{self.id}" for path in self.files if self.id in path)
        loose = (path for path in self.files if self.id not in path)
        return " ".join(dict.fromkeys((*folders, *loose)))


def refusal(commit: Commit, artifact: Artifact) -> str:
    """Return why an artifact is left alone in this commit, "" when it can be removed."""
    if disk.first_link(commit.root, artifact.path) is not None:
        return f"it is reached through a link; run `cortex prune {artifact.path}`"
    files = _files(commit.root, artifact)
    if commit.filtered(files):
        return f"a git filter applies to it; run `cortex prune {artifact.path}`"
    if not set(files) <= commit.as_staged(files):
        return "has changes that are not staged; left alone"
    if commit.partial:
        return "a commit of single paths leaves it alone"
    if artifact.path not in disk.read_files(commit.root):
        return "is not read as harness text; left alone"
    return ""


def remove(
    commit: Commit, artifact: Artifact, ruling: str, reason: str, at: str, *, stages: bool
) -> Grave:
    """Archive an artifact and remove it from the disk; with `stages` from the index too.

    Raises CortexError when a file cannot be written or staged; then all is as before.
    """
    root = commit.root
    earlier = _entry_files(root)
    before = disk.read_files(root)
    after = edits.without_artifact(before, artifact)
    changed = sorted(path for path in before if before[path] != after.get(path))
    entry_id = graveyard.bury(root, artifact, ruling, reason, at)
    grave = Grave(entry_id, _written(root, entry_id))
    try:
        if stages:
            _stage_checked(commit, grave.files)
        disk.apply(root, before, after)
    except (CortexError, OSError):
        _undo_archive(commit, grave, earlier)
        raise
    if stages:
        try:
            commit.stage(changed)
        except GitError:
            disk.apply(root, _present(after, changed), _present(before, changed))
            commit.stage(changed)
            _undo_archive(commit, grave, earlier)
            raise
    return grave


def _stage_checked(commit: Commit, files: tuple[str, ...]) -> None:
    """Stage the files; GitError unless every one of them is in the index afterwards."""
    commit.stage(files)
    if not commit.staged(files):
        raise GitError("git did not stage its copy in the graveyard")


def _undo_archive(commit: Commit, grave: Grave, earlier: frozenset[str]) -> None:
    """Remove what `remove` wrote, from the index and the disk; earlier entries stay."""
    new = [path for path in grave.files if path not in earlier]
    if not new:
        return
    commit.unstage(new)
    if not any(f"/{grave.id}/" in f"/{path}" for path in earlier):
        graveyard.discard(commit.root, grave.id)
    attributes = commit.root / shared.ATTRIBUTES
    if shared.ATTRIBUTES in new:
        attributes.unlink(missing_ok=True)


def _present(files: Mapping[str, str], paths: list[str]) -> dict[str, str]:
    return {path: files[path] for path in paths if path in files}


def _written(root: Path, entry_id: str) -> tuple[str, ...]:
    """Return the files of the entry and `.gitattributes`, where git can stage them."""
    entry = graveyard.path_in(root) / entry_id
    files = [path for path in sorted(entry.rglob("*")) if path.is_file()]
    if shared.has_our_attributes(root):
        files.append(root / shared.ATTRIBUTES)
    real_root = shared.real(root)
    return tuple(shared.real(file).relative_to(real_root).as_posix() for file in files)


def _entry_files(root: Path) -> frozenset[str]:
    folder, real_root = shared.real(graveyard.path_in(root)), shared.real(root)
    files = [path for path in folder.rglob("*") if path.is_file()]
    files.append(root / shared.ATTRIBUTES)
    there = (shared.real(file) for file in files if file.is_file())
    return frozenset(
        file.relative_to(real_root).as_posix() for file in there if file.is_relative_to(real_root)
    )


def _files(root: Path, artifact: Artifact) -> list[str]:
    if artifact.kind is not ArtifactKind.SKILL:
        return [artifact.path]
    folder = (root / artifact.path).parent
    return [path.relative_to(root).as_posix() for path in folder.rglob("*") if path.is_file()]
