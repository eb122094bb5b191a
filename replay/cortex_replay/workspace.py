"""A fresh folder for each trial: the base tree as a single commit, and the arm's harness."""

import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Self

from cortex.errors import MachineError
from cortex.git import git
from cortex.model.tasks import Task
from cortex.tasks.excluded_paths import is_excluded
from cortex_replay import files
from cortex_replay.confinement import DEFAULT, Confinement
from cortex_replay.copying import copy_tree
from cortex_replay.objects import ObjectStore
from cortex_replay.sandbox import run_confined
from cortex_replay.templates import Template, Templates
from cortex_replay.trial_dirs import check_parents, claim_run, clean_leftovers, prepare_root
from cortex_replay.trial_dirs import release_run as _release_run

MAX_BYTES = 4 << 30
"""Limit for all templates of a run together."""

_SETUP_TIMEOUT_S = 600.0


@dataclass(frozen=True, slots=True)
class Workspace:
    """A prepared folder; `home` is the private home folder of commands that run in it."""

    path: Path
    home: Path
    template: Template
    trusted: bool = False
    """The person lets commands of its repository run without a sandbox."""

    def changed(self) -> dict[str, str | None]:
        """Return relative path -> text (None: deleted, "": binary) of all changed files.

        Harness files are left out. Compares through the template's repository, so that nothing that
        a trial does to its own repository matters. Raises GitError when that fails, MachineError
        when a link stands in the place of the folder.
        """
        if self.path.is_symlink() or self.path.parent.is_symlink():
            raise MachineError(f"{self.path.name}: the agent put a link in the place of its folder")
        # An agent that removed the folder deleted every file; that is a valid result.
        self.path.mkdir(parents=True, exist_ok=True)
        git_dir = f"--git-dir={self.template.path / '.git'}"
        status = ("status", "--porcelain", "-z", "--untracked-files=all", "--no-renames")
        output = git(
            git_dir, f"--work-tree={self.path}", *status, "--ignore-submodules=all", cwd=self.path
        )
        names = [entry[3:].decode("utf-8", "surrogateescape") for entry in output.split(b"\0")]
        changed: dict[str, str | None] = {}
        for name in self._expand_nested(names):
            if is_excluded(name):
                continue
            text = files.read_text(self.path, name)
            printable = name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
            if text is None and files.exists(self.path, name):
                text = ""
            changed[printable] = text
        return changed

    def base(self, path: str) -> str | None:
        """Return the text of a file before the trial, None when it did not exist."""
        return files.read_text(self.template.path, path)

    def exists(self, path: str) -> bool:
        """Whether there is a file at `path`."""
        return files.exists(self.path, path)

    def put(self, contents: Mapping[str, str | None]) -> None:
        """Write (None: delete) files over the base, as a trial would."""
        for name, content in contents.items():
            if not is_excluded(name):
                files.write(self.path, name, content)

    def _expand_nested(self, names: list[str]) -> list[str]:
        """Replace a nested repository, which git lists as a folder, by its files."""
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
    """Creates and removes workspaces below `root`, in a folder of this process.

    `trusts` says of a repository (its folder) whether its commands may run without a sandbox;
    `confinement` is of agents that run commands.
    Raises UsageError when `root` is below harness files or writable by others.
    """

    def __init__(
        self,
        root: Path,
        objects: ObjectStore,
        *,
        max_bytes: int = MAX_BYTES,
        trusts: Callable[[str], bool] = lambda _: False,
        confinement: Confinement = DEFAULT,
    ) -> None:
        self.root = prepare_root(root)
        self.confinement = confinement
        self.objects = objects
        self._trusts = trusts
        clean_leftovers(self.root)
        self.folder, lock = claim_run(self.root)
        self._templates = Templates(self.folder / "templates", objects, max_bytes)
        self._close = weakref.finalize(self, _release_run, self.folder, lock)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove this process's folder; also called when the process exits."""
        self._close()

    def prepare(self, task: Task, harness_files: Mapping[str, str], slot: int) -> Workspace:
        """Create a fresh workspace of `task` with `harness_files` in it.

        Its path depends on the slot and the repository's name only, so the arms of a pair, which
        run one after the other in the same slot, see the same path. A slot has one user at a time.

        Raises UsageError when the base no longer exists, MachineError when it cannot be copied or
        a setup command fails.
        """
        check_parents(self.root)
        template = self._templates.acquire(task)
        try:
            workspace = Workspace(
                path=_fresh_folder(self.folder / f"slot-{slot}") / _folder_name(task),
                home=_fresh_folder(self.folder / f"home-{slot}"),
                template=template,
                trusted=self._trusts(task.base.repository),
            )
            _copy_tree(template.path, workspace.path)
            _run_setup(task, workspace)
            for name, text in harness_files.items():
                files.write(workspace.path, name, text)
        except BaseException:
            self._templates.release(template)
            raise
        return workspace

    def confinement_of(self, task: Task) -> Confinement:
        """Return how an agent that works on `task` is confined: it never sees the repository."""
        own = filter(None, (task.base.repository, str(self.objects.path), str(self.root)))
        return replace(self.confinement, hidden=(*self.confinement.hidden, *own))

    def state_folder(self, slot: int) -> Path:
        """Return a fresh empty folder outside the workspace; its path depends on the slot only."""
        return _fresh_folder(self.folder / f"state-{slot}")

    def discard(self, workspace: Workspace) -> None:
        """Remove a workspace and its home folder."""
        for path in (workspace.path.parent, workspace.home):
            files.remove_tree(path)
        self._templates.release(workspace.template)


def _copy_tree(source: Path, dest: Path) -> None:
    try:
        copy_tree(source, dest)
    except OSError as error:
        reason = error.strerror or "some files could not be copied"
        raise MachineError(f"cannot copy the base tree to {dest}: {reason}") from None


def _fresh_folder(folder: Path) -> Path:
    files.remove_tree(folder)
    folder.mkdir(parents=True, mode=0o700)
    return folder


def _folder_name(task: Task) -> str:
    name = PurePosixPath(task.base.repository).name
    return name if name and name not in (".", "..", ".git") else "repository"


def _run_setup(task: Task, workspace: Workspace) -> None:
    for argv in task.setup:
        process = run_confined(
            argv,
            workspace.path,
            workspace.home,
            _SETUP_TIMEOUT_S,
            str(workspace.path),
            trusted=workspace.trusted,
        )
        if process.timed_out:
            problem = f"timed out after {_SETUP_TIMEOUT_S:.0f} s"
        elif process.returncode != 0:
            lines = (process.stderr or process.stdout).strip().splitlines()
            problem = lines[-1] if lines else f"exit code {process.returncode}"
        else:
            continue
        raise MachineError(f"setup of {task.id} failed: {' '.join(argv)}: {problem}")
