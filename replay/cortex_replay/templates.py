"""Pristine copies of base trees, created per task and copied for every trial."""

import os
import shutil
import threading
from dataclasses import dataclass, field
from pathlib import Path

from cortex.digests import digest_value
from cortex.errors import MachineError, UsageError
from cortex.git import git
from cortex.model.tasks import BaseTree, Task
from cortex.tasks.excluded_paths import FOLDERS, is_excluded
from cortex_replay.files import remove_tree, write
from cortex_replay.objects import ObjectStore

EXCLUDED = (".claude/", "CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", ".cortex/")
"""Ignored by git in both arms, whether or not an arm has such files."""

_SUBJECT = "Initial commit"
_MTIME = 1_704_067_200
"""Modification time of every file: the same in both arms, and older than any later write."""
_CONFIG = """\
[core]
\trepositoryformatversion = {version}
\tfilemode = true
\tbare = false
\tlogallrefupdates = true
\ttrustctime = false
\tcheckStat = minimal
[user]
\tname = Developer
\temail = developer@localhost
[commit]
\tgpgsign = false
[gc]
\tauto = 0
[maintenance]
\tauto = false
"""
_SHA256 = "[extensions]\n\tobjectformat = sha256\n"
_SHA256_LENGTH = 64


@dataclass(slots=True)
class Template:
    """A base tree as a single commit; `users` counts the workspaces that use it."""

    path: Path
    size: int
    users: int = 0


@dataclass(slots=True)
class Templates:
    """The templates of a run, least recently used first."""

    folder: Path
    objects: ObjectStore
    max_bytes: int
    _templates: dict[str, Template] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def acquire(self, task: Task) -> Template:
        """Return the template of `task`; it is kept until released as often as acquired.

        Raises UsageError when the repository or its commit no longer exists.
        """
        tree = task.base.tree or self._store_tree(task)
        key = f"{task.id}-{_digest(tree, task.base)[:16]}"
        with self._lock:
            template = self._templates.pop(key, None)
            if template is None or not template.path.is_dir():
                template = self._make(key, tree, task.base)
            self._templates[key] = template
            template.users += 1
            self._evict()
        return template

    def release(self, template: Template) -> None:
        """Release a template that `acquire` returned."""
        with self._lock:
            template.users -= 1

    def _store_tree(self, task: Task) -> str:
        if not task.base.repository or task.base.commit is None:
            raise UsageError(f"{task.id} has no base commit")
        return self.objects.keep(Path(task.base.repository), task.base.commit)

    def _make(self, key: str, tree: str, base: BaseTree) -> Template:
        path = self.folder / key
        remove_tree(path)
        self.objects.extract(tree, path)
        _remove_harness(path)
        for name, content in base.overlay.items():
            if not is_excluded(name):
                write(path, name, content)
        size = _set_mtimes(path)
        if size > self.max_bytes:
            remove_tree(path)
            raise MachineError(
                f"the base tree has {size >> 20} MB, the limit is {self.max_bytes >> 20} MB"
            )
        _commit(path, tree, self.objects.objects_folder(tree))
        return Template(path, size)

    def _evict(self) -> None:
        total = sum(template.size for template in self._templates.values())
        for key, template in tuple(self._templates.items()):
            if total <= self.max_bytes:
                return
            if template.users == 0:
                total -= template.size
                remove_tree(self._templates.pop(key).path)


def _digest(tree: str, base: BaseTree) -> str:
    return digest_value({"tree": tree, "overlay": base.overlay})


def _remove_harness(root: Path) -> None:
    for name in FOLDERS:
        _remove(root / name)
    for folder, _, names in os.walk(root):
        relative = Path(folder).relative_to(root)
        for name in names:
            if is_excluded((relative / name).as_posix()):
                (Path(folder) / name).unlink()


def _remove(path: Path) -> None:
    if path.is_file() and not path.is_symlink():
        path.unlink()
    else:
        remove_tree(path)


def _set_mtimes(root: Path) -> int:
    """Set the modification time of every file; return their total size in bytes."""
    size = 0
    for folder, _, files in os.walk(root):
        for name in files:
            path = Path(folder) / name
            os.utime(path, (_MTIME, _MTIME), follow_symlinks=False)
            size += path.lstat().st_size
    return size


def _commit(path: Path, tree: str, objects: Path) -> None:
    """Commit the files of `path` in a new, self-contained repository."""
    sha256 = len(tree) == _SHA256_LENGTH
    _init(path / ".git", sha256)
    alternates = {"GIT_ALTERNATE_OBJECT_DIRECTORIES": str(objects)}
    git("add", "--all", "--force", ".", cwd=path, env=alternates)
    git(
        "commit",
        "--quiet",
        "--allow-empty",
        "--no-verify",
        "-m",
        _SUBJECT,
        cwd=path,
        env=alternates,
    )
    git("repack", "-a", "-d", "-q", cwd=path, env=alternates)
    for folder in (path / ".git" / "objects").iterdir():
        if folder.name not in ("pack", "info"):
            shutil.rmtree(folder)


def _init(folder: Path, sha256: bool) -> None:
    for name in ("objects/pack", "objects/info", "refs/heads", "refs/tags", "info"):
        (folder / name).mkdir(parents=True)
    (folder / "HEAD").write_text("ref: refs/heads/main\n", "utf-8")
    config = _CONFIG.format(version=1 if sha256 else 0) + (_SHA256 if sha256 else "")
    (folder / "config").write_text(config, "utf-8")
    (folder / "info" / "exclude").write_text("".join(f"{name}\n" for name in EXCLUDED), "utf-8")
