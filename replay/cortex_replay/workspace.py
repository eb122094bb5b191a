"""A fresh folder for each trial: the base tree as one commit, and the arm's harness."""

import shutil
import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Self

from cortex.errors import MachineError
from cortex.git import git
from cortex.model.tasks import Task
from cortex.tasks.excluded_paths import is_excluded
from cortex_replay import files
from cortex_replay.environment import clean_environment
from cortex_replay.objects import ObjectStore
from cortex_replay.processes import run
from cortex_replay.templates import Template, Templates
from cortex_replay.trial_dirs import check_parents, claim_run, clean_leftovers, prepare_root
from cortex_replay.trial_dirs import release_run as _release_run

MAX_BYTES = 4 << 30
"""Of all templates of one run together."""

_SETUP_S = 600.0


@dataclass(frozen=True, slots=True)
class Changes:
    """What differs from the base when a trial ends; harness files never count."""

    files: dict[str, str | None]
    """Relative path -> text, None when deleted, "" when binary."""
    binary: frozenset[str] = frozenset()
    """Paths whose content is not text (or too large to look at)."""


@dataclass(frozen=True, slots=True)
class Workspace:
    """One prepared folder; `home` is the private home folder of commands that run in it."""

    path: Path
    slot: int
    home: Path
    template: Template

    def changes(self) -> Changes:
        """Compare with the base, through the template's git: the trial cannot fool it."""
        # An agent that removed the whole folder deleted every file; it did not break the trial.
        self.path.mkdir(parents=True, exist_ok=True)
        git_dir = f"--git-dir={self.template.path / '.git'}"
        status = ("status", "--porcelain", "-z", "--untracked-files=all", "--no-renames")
        output = git(
            git_dir, f"--work-tree={self.path}", *status, "--ignore-submodules=all", cwd=self.path
        )
        names = [entry[3:].decode("utf-8", "surrogateescape") for entry in output.split(b"\0")]
        found: dict[str, str | None] = {}
        binary: set[str] = set()
        for name in self._expanded(names):
            if is_excluded(name):
                continue
            text = files.read_text(self.path, name)
            shown = name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
            if text is None and files.exists(self.path, name):
                binary.add(shown)
                text = ""
            found[shown] = text
        return Changes(found, frozenset(binary))

    def changed(self) -> dict[str, str | None]:
        """Return relative path -> text (None: deleted, "": binary) of all that differs."""
        return self.changes().files

    def base(self, path: str) -> str | None:
        """Return the text of a file before the trial, None when there was none."""
        return files.read_text(self.template.path, path)

    def exists(self, path: str) -> bool:
        """Whether a file stands at `path` now."""
        return files.exists(self.path, path)

    def put(self, contents: Mapping[str, str | None]) -> None:
        """Write (None: delete) files over the base, as a trial would have."""
        for name, content in contents.items():
            if not is_excluded(name):
                files.write(self.path, name, content)

    def _expanded(self, names: list[str]) -> list[str]:
        """Replace a folder with a repository of its own, which git names as one, by its files."""
        expanded: list[str] = []
        for name in filter(None, names):
            if not name.endswith("/"):
                expanded.append(name)
                continue
            inner = (path for path in (self.path / name).rglob("*") if not path.is_dir())
            relative = (path.relative_to(self.path).as_posix() for path in inner)
            expanded.extend(sorted(path for path in relative if files.inside(path)))
        return expanded


class Workspaces:
    """Makes and removes workspaces under `root`, in a folder of this process's own.

    Raises UsageError when `root` lies below harness files or is not only ours.
    """

    def __init__(self, root: Path, objects: ObjectStore, *, max_bytes: int = MAX_BYTES) -> None:
        self.root = prepare_root(root)
        self.objects = objects
        clean_leftovers(self.root)
        self.folder, lock = claim_run(self.root)
        self._templates = Templates(self.folder / "templates", objects, max_bytes)
        self._close = weakref.finalize(self, _release_run, self.folder, lock)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove all that this process made; also done when the process ends."""
        self._close()

    def prepare(self, task: Task, harness_files: Mapping[str, str], slot: int) -> Workspace:
        """Make a fresh workspace of `task` with `harness_files` in it.

        Its path depends on the slot and the repository's name only, so the arms of a pair that
        run one after the other in one slot see the same. One user of a slot at a time.

        Raises UsageError when the base is gone, MachineError when a setup command fails.
        """
        check_parents(self.root)
        template = self._templates.acquire(task)
        try:
            workspace = Workspace(
                path=_fresh(self.folder / f"slot-{slot}") / _folder_name(task),
                slot=slot,
                home=_fresh(self.folder / f"home-{slot}"),
                template=template,
            )
            shutil.copytree(template.path, workspace.path, symlinks=True)
            _set_up(task, workspace)
            for name, text in harness_files.items():
                files.write(workspace.path, name, text)
        except BaseException:
            self._templates.release(template)
            raise
        return workspace

    def state_folder(self, slot: int) -> Path:
        """Return a fresh empty folder outside the workspace, the same path for a slot each time."""
        return _fresh(self.folder / f"state-{slot}")

    def discard(self, workspace: Workspace) -> None:
        """Remove a workspace and its home folder."""
        for path in (workspace.path.parent, workspace.home):
            files.remove_tree(path)
        self._templates.release(workspace.template)


def _fresh(folder: Path) -> Path:
    files.remove_tree(folder)
    folder.mkdir(parents=True, mode=0o700)
    return folder


def _folder_name(task: Task) -> str:
    name = PurePosixPath(task.base.repository).name
    return name if name and name not in (".", "..", ".git") else "repository"


def _set_up(task: Task, workspace: Workspace) -> None:
    for argv in task.setup:
        env = clean_environment(workspace.home)
        finished = run(argv, workspace.path, env, _SETUP_S, mark=str(workspace.path))
        if finished.returncode != 0:
            lines = (finished.stderr or finished.stdout).strip().splitlines()
            last = lines[-1] if lines else f"exit code {finished.returncode}"
            raise MachineError(f"setup of {task.id} failed: {' '.join(argv)}: {last}")
