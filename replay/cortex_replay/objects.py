"""Cortex's own git object store: base trees that outlive the developer's commits."""

import io
import tempfile
from collections.abc import Iterator, Set
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock

from cortex.errors import MachineError, UsageError
from cortex.git import GitError, ask, git
from cortex.timestamps import parse
from cortex_replay.files import remove_tree

_SHA256_LENGTH = 64
_MAX_TARGET = 4096
"""Bytes; `PATH_MAX`."""
_lock = Lock()


class ObjectStore:
    """Bare repositories under `path`, per object format, with a ref for each tree."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def keep(self, repository: Path, commit: str) -> str:
        """Copy the tree of `commit` here and return its id; the repository is only read.

        Nothing is fetched. Raises UsageError when the repository or the commit does not exist,
        MachineError when a shallow or partial clone lacks it, with the command that fetches it.
        """
        if not repository.is_dir():
            raise UsageError(f"repository not found: {repository}")
        tree = ask("rev-parse", "--verify", "--quiet", f"{commit}^{{tree}}", cwd=repository)
        if tree is None:
            if ask("rev-parse", "--git-dir", cwd=repository) is None:
                raise UsageError(f"not a git repository: {repository}")
            problem = _incomplete(repository, commit)
            if problem is not None:
                raise MachineError(problem)
            raise UsageError(f"commit {commit[:12]} no longer exists in {repository}")
        with _lock, self._exclusive():
            if not self.has(tree):
                try:
                    self._copy(repository, tree)
                except GitError:
                    problem = _incomplete(repository, commit)
                    if problem is None:
                        raise
                    raise MachineError(problem) from None
        return tree

    def trees(self) -> frozenset[str]:
        """Return the ids of all trees that are stored here."""
        return frozenset(
            line.rpartition("/")[2]
            for store in self._stores()
            for line in _refs(store).splitlines()
        )

    def forget(self, needed: Set[str]) -> int:
        """Give up all trees but the `needed` ones, and return how many; `prune` removes them."""
        count = 0
        for store in self._stores():
            gone = [
                ref for ref in _refs(store).splitlines() if ref.rpartition("/")[2] not in needed
            ]
            commands = "".join(f"delete {ref}\n" for ref in gone)
            if commands:
                git(f"--git-dir={store}", "update-ref", "--stdin", stdin=commands.encode())
            count += len(gone)
        return count

    def prune(self) -> None:
        """Remove the objects of trees that were given up, loose and packed, and unfinished files.

        Raises GitError when git fails; then nothing that is needed was removed.
        """
        for store in self._stores():
            with self._exclusive():
                # Temporary packs of a process that was killed; only this command makes them.
                for stale in (store / "objects" / "pack").glob(".tmp-*"):
                    with suppress(OSError):
                        stale.unlink()
                git(f"--git-dir={store}", "repack", "-a", "-d", "-q", "--no-write-bitmap-index")
                git(f"--git-dir={store}", "prune", "--expire=now")

    def _stores(self) -> tuple[Path, ...]:
        places = (self.path / "sha1.git", self.path / "sha256.git")
        return tuple(place for place in places if place.is_dir())

    @contextmanager
    def _exclusive(self) -> Iterator[None]:
        """Let a single process at a time add objects or remove them."""
        from filelock import FileLock  # 50 ms, and most commands store no tree

        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with FileLock(self.path.with_name(f"{self.path.name}.lock"), mode=0o600):
            yield

    def has(self, tree: str) -> bool:
        """Whether `tree` is stored here."""
        store = self._store(tree)
        if not store.is_dir():
            return False
        ref = ("rev-parse", "--verify", "--quiet", _ref(tree))
        return ask(f"--git-dir={store}", *ref) == tree

    def extract(self, tree: str, dest: Path) -> None:
        """Write all files of `tree` under `dest`; submodules become empty folders.

        Raises GitError when the tree is not stored here.
        """
        dest.mkdir(parents=True, exist_ok=True)
        store = self._store(tree)
        with tempfile.TemporaryDirectory(prefix="index-") as folder:
            env = {"GIT_DIR": str(store), "GIT_INDEX_FILE": str(Path(folder) / "index")}
            git("read-tree", tree, env=env)
            env["GIT_WORK_TREE"] = str(dest)
            git("checkout-index", "--all", "--force", cwd=dest, env=env)

    def read(self, tree: str, path: str) -> bytes | None:
        """Return the content of a file of `tree`, None when there is no such file."""
        try:
            return git(f"--git-dir={self._store(tree)}", "cat-file", "blob", f"{tree}:{path}")
        except GitError:
            return None

    def links(self, tree: str) -> dict[str, str]:
        """Return relative path -> target of every symbolic link in `tree`.

        A target that is too long for a link is given as `/`. Raises GitError when the tree is not
        stored here.
        """
        store = f"--git-dir={self._store(tree)}"
        listed = git(store, "ls-tree", "-r", "-l", "-z", "--full-tree", tree).split(b"\0")
        targets: dict[str, str] = {}
        paths: list[str] = []
        ids: list[bytes] = []
        for entry in listed:
            head, _, path = entry.partition(b"\t")
            if not head.startswith(b"120000 "):
                continue
            if int(head.split()[3]) > _MAX_TARGET:
                targets[_text(path)] = "/"
            else:
                paths.append(_text(path))
                ids.append(head.split()[2] + b"\n")
        output = io.BytesIO(git(store, "cat-file", "--batch", stdin=b"".join(ids)) if ids else b"")
        for name in paths:
            size = int(output.readline().split()[2])
            targets[name] = _text(output.read(size))
            output.read(1)
        return targets

    def objects_folder(self, tree: str) -> Path:
        """Return the folder with the objects of `tree`, for git's alternates."""
        return self._store(tree) / "objects"

    def _store(self, tree: str) -> Path:
        return self.path / ("sha256.git" if len(tree) == _SHA256_LENGTH else "sha1.git")

    def _copy(self, repository: Path, tree: str) -> None:
        store = self._store(tree)
        if not store.is_dir():
            _make_store(store)
        # Through a file of ours: git writes temporary packs into the repository otherwise.
        with tempfile.TemporaryFile() as pack:
            arguments = ("pack-objects", "--revs", "--stdout", "-q")
            git(*arguments, cwd=repository, stdin=tree.encode(), stdout=pack)
            pack.seek(0)
            git(f"--git-dir={store}", "index-pack", "--stdin", stdin=pack)
        try:
            git(f"--git-dir={store}", "update-ref", _ref(tree), tree)
        except GitError:
            # Another process may hold the ref's lock because it stores the same tree.
            if not self.has(tree):
                raise


def _incomplete(repository: Path, commit: str) -> str | None:
    """Return that a clone lacks a commit or files of it, and what fetches them; else None."""
    if ask("rev-parse", "--is-shallow-repository", cwd=repository) == "true":
        return (
            f"commit {commit[:12]} is not in {repository}, which is a shallow clone: "
            "fetch it with `git fetch --unshallow`"
        )
    if ask("config", "--get-regexp", r"^remote\..*\.promisor$", "true", cwd=repository):
        return (
            f"files of commit {commit[:12]} are not in {repository}, which is a partial clone: "
            "fetch them with `git fetch --refetch --no-filter`"
        )
    return None


def _refs(store: Path) -> str:
    listed = git(f"--git-dir={store}", "for-each-ref", "--format=%(refname)", "refs/trees")
    return listed.decode("ascii", "replace")


def _make_store(store: Path) -> None:
    """Create an empty store atomically: another process may create it at the same time."""
    store.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = Path(tempfile.mkdtemp(prefix="new-", dir=store.parent))
    git("init", "--quiet", "--bare", "--template=", f"--object-format={store.stem}", str(fresh))
    try:
        fresh.rename(store)
    except OSError:
        remove_tree(fresh)
        if not store.is_dir():
            raise


def commit_at(repository: Path, branch: str | None, iso_time: str) -> str | None:
    """Return the commit that was checked out in `repository` at `iso_time`.

    Exact from the reflog of HEAD; before the reflog begins, the newest first-parent commit of
    `branch` (else HEAD) that is not younger. None without such a commit or without a repository.
    """
    try:
        seconds = int(parse(iso_time).timestamp())
    except ValueError:
        return None
    if not repository.is_dir():
        return None
    return _from_reflog(repository, seconds) or _from_log(repository, branch, seconds)


def _from_reflog(repository: Path, seconds: int) -> str | None:
    reflog = ask("log", "-g", "--date=unix", "--format=%H %gd", "HEAD", cwd=repository)
    for line in (reflog or "").splitlines():
        commit, _, selector = line.partition(" ")
        when = selector.rpartition("@{")[2].removesuffix("}")
        if when.isdigit() and int(when) <= seconds:
            return commit
    return None


def _from_log(repository: Path, branch: str | None, seconds: int) -> str | None:
    for start in (branch, "HEAD"):
        if start is None or start.startswith("-"):
            continue
        commit = ask(
            "rev-list", "-1", "--first-parent", f"--before={seconds}", start, "--", cwd=repository
        )
        if commit:
            return commit
    return None


def _text(name: bytes) -> str:
    return name.decode("utf-8", "surrogateescape")


def _ref(tree: str) -> str:
    return f"refs/trees/{tree}"
