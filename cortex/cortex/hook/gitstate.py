"""What the hook asks of git, in few calls."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cortex.git import GitError, person_ask, person_git

UNDERWAY = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply")
"""Files of a merge or replay: its commits are not the developer's own."""

_PLAIN = "H"
"""How `ls-files -v` marks a file that is neither `skip-worktree` nor `assume-unchanged`."""


@dataclass(frozen=True, slots=True)
class Commit:
    """The commit that is being made."""

    root: Path
    git_folder: Path
    common: Path
    """The git folder that all work trees of the repository share, links resolved."""

    @property
    def replays(self) -> bool:
        """Whether a merge, rebase, cherry-pick or revert is under way."""
        return any((self.git_folder / name).exists() for name in UNDERWAY)

    @property
    def partial(self) -> bool:
        """Whether git commits some paths only (`git commit -- PATH`), from an index of its own."""
        return Path(os.environ.get("GIT_INDEX_FILE", "")).name.startswith("next-index")

    def as_staged(self, paths: Sequence[str]) -> set[str]:
        """Return those of `paths` that are tracked and look the same on the disk and staged.

        Files whose changes git was told to overlook are left out.
        """
        listed = person_git(
            "ls-files", "-z", "-v", "--cached", "--stage", "--", *paths, cwd=self.root
        )
        tracked = set()
        for entry in listed.split("\0"):
            fields, tab, path = entry.partition("\t")
            if tab and fields.startswith(f"{_PLAIN} ") and fields.endswith(" 0"):
                tracked.add(path)
        tracked -= self.filtered(sorted(tracked))
        if not tracked:
            return set()
        names = sorted(tracked)
        changed = person_git("diff-files", "-z", "--name-only", "--", *names, cwd=self.root)
        return tracked - set(changed.split("\0"))

    def filtered(self, paths: Sequence[str]) -> set[str]:
        """Return the paths whose content git would send through a program of the configuration.

        That program is left to git's own commands: without it the wrong bytes would be staged.
        """
        if not paths:
            return set()
        shown = person_git("check-attr", "-z", "filter", "--", *paths, cwd=self.root).split("\0")
        names = dict(zip(shown[::3], shown[2::3], strict=False))
        return {path for path, name in names.items() if name not in ("unspecified", "unset", "set")}

    def stage(self, paths: Sequence[str]) -> None:
        """Put the present state of these paths into the index, also outside a sparse checkout.

        Raises GitError when git refuses, for example because the paths are ignored.
        """
        if self.filtered(paths):
            raise GitError("a filter of git's attributes applies to harness files")
        add = ("add", "--all")
        if person_ask(*add, "--", *paths, cwd=self.root) is None:
            person_git(*add, "--sparse", "--", *paths, cwd=self.root)

    def staged(self, paths: Sequence[str]) -> bool:
        """Whether all these files are in the index exactly as they are on the disk."""
        return set(paths) <= self.as_staged(paths)

    def unstage(self, paths: Sequence[str]) -> None:
        """Take these paths out of the index again; those that are not there are no error."""
        person_ask("rm", "-r", "--cached", "--quiet", "--force", "--ignore-unmatch", "--sparse",
                   "--", *paths, cwd=self.root)  # fmt: skip


def commit_in(folder: Path) -> Commit:
    """Return the commit that is being made in `folder`; GitError outside of a work tree."""
    asked = ("--show-toplevel", "--absolute-git-dir", "--git-common-dir")
    places = person_git("rev-parse", *asked, cwd=folder)
    root, git_folder, common = places.rstrip("\n").split("\n")[:3]
    return Commit(Path(root), Path(git_folder), Path(os.path.realpath(folder / common)))


__all__ = ["Commit", "GitError", "commit_in"]
