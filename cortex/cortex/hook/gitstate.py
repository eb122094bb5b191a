"""What the hook asks of git, in few calls."""

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cortex.errors import UsageError

UNDERWAY = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply")
"""Files of a merge or replay: its commits are not the developer's own."""


@dataclass(frozen=True, slots=True)
class Commit:
    """The commit that is being made."""

    root: Path
    git_folder: Path

    @property
    def replays(self) -> bool:
        """Whether a merge, rebase, cherry-pick or revert is under way."""
        return any((self.git_folder / name).exists() for name in UNDERWAY)

    @property
    def partial(self) -> bool:
        """Whether git commits some paths only (`git commit -- PATH`), from an index of its own."""
        return Path(os.environ.get("GIT_INDEX_FILE", "")).name.startswith("next-index")

    def as_staged(self, paths: Sequence[str]) -> set[str]:
        """Return those of `paths` that are tracked and look the same on the disk and staged."""
        listed = ("ls-files", "-z", "--cached", "--stage", "--", *paths)
        tracked = {
            entry.split("\t", 1)[1]
            for entry in self.git(*listed).split("\0")
            if "\t" in entry and entry.split("\t", 1)[0].endswith(" 0")
        }
        changed = set(self.git("diff-files", "-z", "--name-only", "--", *paths).split("\0"))
        return tracked - changed

    def stage(self, paths: Sequence[str]) -> None:
        """Put the present state of these paths into the index; ignored ones are left out."""
        if paths:
            self.git("add", "--all", "--ignore-errors", "--", *paths, check=False)

    def git(self, *arguments: str, check: bool = True) -> str:
        """Return the output of one git command in the repository."""
        return git(*arguments, cwd=self.root, check=check)


def commit_in(folder: Path) -> Commit:
    """Return the commit that is being made in `folder`; UsageError outside of a work tree."""
    said = git("rev-parse", "--show-toplevel", "--absolute-git-dir", cwd=folder).splitlines()
    return Commit(Path(said[0]), Path(said[1]))


def git(*arguments: str, cwd: Path, check: bool = True) -> str:
    """Run git without its optional locks. Raises UsageError with what it said."""
    done = subprocess.run(
        ["git", *arguments],
        cwd=cwd,
        env={**os.environ, "GIT_LITERAL_PATHSPECS": "1"},
        capture_output=True,
        check=False,
    )
    if check and done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["git failed"]
        raise UsageError(said[0])
    return done.stdout.decode("utf-8", "surrogateescape")
