"""What a use case works with: the store, the configuration, and the repository it is about."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cortex.config import Config, home, load_config
from cortex.errors import UsageError
from cortex.git import ask
from cortex_store import Store

if TYPE_CHECKING:
    from cortex_replay.confinement import Confinement
    from cortex_replay.workspace import Workspaces

DATABASE = "cortex.db"


TRUSTED = "trusted"
"""Key in `KeyValue`, before the folder of a repository: see `commands.trust`."""
UNCONFINED = "trials-without-sandbox"
"""As `TRUSTED`, of repositories where agents may run without a sandbox."""


@dataclass(frozen=True, slots=True)
class Context:
    """One open store with its surroundings."""

    store: Store
    config: Config
    home: Path
    """Cortex's own folder."""
    repository: Path | None = None
    """Top folder of the git repository that the call is about."""

    @property
    def root(self) -> Path:
        """The repository; UsageError when the call is not made in one."""
        if self.repository is None:
            raise UsageError("not a git repository: run this inside the one you work in")
        return self.repository

    def scope(self, all_repositories: bool = False) -> str | None:
        """Return the repository to list, None for all: outside of a repository, or when asked."""
        return None if all_repositories or self.repository is None else str(self.repository)

    def elsewhere(self, table: str) -> dict[str, int]:
        """Return the number of rows of a list by folder, the most first, when called in a
        repository: for the case that this one has none."""
        return self.store.listing.by_folder(table) if self.repository else {}

    def workspaces(self) -> "Workspaces":
        """Return a maker of trial workspaces; close it after use."""
        from cortex_replay.objects import ObjectStore
        from cortex_replay.trial_dirs import default_root
        from cortex_replay.workspace import Workspaces

        objects = ObjectStore(self.home / "objects")
        return Workspaces(
            default_root(),
            objects,
            trusts=self.trusted().__contains__,
            confinement=self.confinement(),
        )

    def confinement(self) -> "Confinement":
        """Return how agents that run commands are confined in trials."""
        from cortex_replay.confinement import Confinement

        trials, own = self.config.trials, self.repository
        return Confinement(
            trials.sandbox,
            trials.image,
            accepted=own is not None and str(own) in self.unconfined(),
            hidden=(str(self.home), *(() if own is None else (str(own),))),
        )

    def unconfined(self) -> frozenset[str]:
        """Return the repositories where the person lets agents run without a sandbox."""
        return frozenset(self.store.key_values.below(UNCONFINED))

    def trusted(self) -> frozenset[str]:
        """Return the repositories whose commands may run without a sandbox."""
        return frozenset(self.store.key_values.below(TRUSTED))


@contextmanager
def open_context(where: Path, *, read_only: bool = False) -> Iterator[Context]:
    """Open the user's store for work in the folder `where`.

    Raises UsageError for a bad configuration, MachineError for a store that cannot be used.
    """
    repository = find_repository(where)
    config = load_config(repository)
    folder = home()
    with Store.open(folder / DATABASE, read_only=read_only) as store:
        yield Context(store, config, folder, repository)


def find_repository(where: Path) -> Path | None:
    """Return the top folder of the git repository around `where`, None outside of a repository."""
    if not where.is_dir():
        return None
    top = _nearest(where)
    if top is None:
        answer = ask("rev-parse", "--show-toplevel", cwd=where)
        top = Path(answer) if answer else None
    return top


def _nearest(where: Path) -> Path | None:
    """Return the top folder where files alone decide; None in all cases that are left to git."""
    folder = Path(os.path.realpath(where))
    try:
        device = folder.stat().st_dev
        for parent in (folder, *folder.parents):
            mark = parent / ".git"
            if parent.stat().st_dev != device or (parent / "HEAD").exists():
                return None
            if os.path.lexists(mark):
                return parent if _is_plain(mark) else None
    except OSError:
        pass
    return None


def _is_plain(mark: Path) -> bool:
    """Whether `.git` is a repository whose configuration does not move or deny the work tree."""
    if mark.is_symlink() or not (mark / "HEAD").is_file() or not (mark / "objects").is_dir():
        return False
    if not (mark / "config").is_file():
        return False
    words = (mark / "config").read_text("utf-8", "replace").lower()
    bare = re.search(r"\bbare\b(?!\s*=\s*false)", words)
    return not bare and "worktree" not in words and "[include" not in words
