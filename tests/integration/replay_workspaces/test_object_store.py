import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cortex.errors import MachineError, UsageError
from cortex.git import GitError
from cortex_replay.objects import ObjectStore, commit_at

Git = Callable[..., str]


def test_a_tree_is_kept_without_history(objects: ObjectStore, repository: Path, git: Git) -> None:
    (repository / "later.py").write_text("answer = 42\n")
    before = git(repository, "rev-parse", "HEAD")
    git(repository, "add", "later.py")
    git(repository, "commit", "-q", "-m", "Later")
    tree = objects.keep(repository, before)
    assert tree == git(repository, "rev-parse", f"{before}^{{tree}}")
    assert objects.has(tree)
    assert objects.read(tree, "shop/ü name.py") == b"x = 1\n"
    assert objects.read(tree, "later.py") is None
    store = objects.path / "sha1.git"
    assert "later" not in git(store, "cat-file", "--batch-all-objects", "--batch-check")
    assert b"commit" not in subprocess.check_output(
        ("git", "cat-file", "--batch-all-objects", "--batch-check"), cwd=store
    )
    git(store, "gc", "-q", "--prune=now")
    assert objects.has(tree)


def test_keeping_twice_adds_nothing(objects: ObjectStore, repository: Path) -> None:
    tree = objects.keep(repository, "HEAD")
    packs = sorted((objects.path / "sha1.git/objects/pack").iterdir())
    assert objects.keep(repository, "HEAD") == tree
    assert sorted((objects.path / "sha1.git/objects/pack").iterdir()) == packs


def test_several_processes_create_and_fill_the_same_store(tmp_path: Path, repository: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from cortex_replay.objects import ObjectStore;"
        "print(ObjectStore(Path(sys.argv[1])).keep(Path(sys.argv[2]), 'HEAD'))"
    )
    argv = (sys.executable, "-c", program, str(tmp_path / "o"), str(repository))
    running = [subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    trees = {process.communicate()[0] for process in running}
    assert [process.returncode for process in running] == [0, 0, 0]
    assert len(trees) == 1
    assert [path.name for path in (tmp_path / "o").iterdir()] == ["sha1.git"]


def test_extracting(objects: ObjectStore, repository: Path, tmp_path: Path) -> None:
    tree = objects.keep(repository, "HEAD")
    objects.extract(tree, tmp_path / "out")
    assert (tmp_path / "out/run.sh").stat().st_mode & 0o111
    assert (tmp_path / "out/link.py").readlink() == Path("shop/orders.py")
    assert (tmp_path / "out/data.bin").read_bytes() == b"\0\1\2"
    with pytest.raises(GitError):
        objects.extract("0" * 40, tmp_path / "none")


def test_submodules_worktrees_and_packed_repositories(
    objects: ObjectStore, repository: Path, git: Git, tmp_path: Path
) -> None:
    commit = git(repository, "rev-parse", "HEAD")
    git(repository, "update-index", "--add", "--cacheinfo", f"160000,{commit},vendored")
    git(repository, "commit", "-q", "-m", "Add a submodule")
    git(repository, "gc", "-q")
    git(repository, "worktree", "add", "-q", str(tmp_path / "tree"), "-b", "other")
    tree = objects.keep(tmp_path / "tree", "HEAD")
    objects.extract(tree, tmp_path / "out")
    assert list((tmp_path / "out/vendored").iterdir()) == []


def test_sha256_repositories(objects: ObjectStore, git: Git, tmp_path: Path) -> None:
    path = tmp_path / "new"
    path.mkdir()
    git(path, "init", "-q", "--object-format=sha256")
    (path / "a").write_text("a\n")
    git(path, "add", "a")
    git(path, "commit", "-q", "-m", "x")
    tree = objects.keep(path, "HEAD")
    assert len(tree) == 64
    assert objects.read(tree, "a") == b"a\n"


def test_missing_repositories_and_commits_are_errors(
    objects: ObjectStore, repository: Path, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="repository not found"):
        objects.keep(tmp_path / "nowhere", "HEAD")
    with pytest.raises(UsageError, match="not a git repository"):
        objects.keep(tmp_path, "HEAD")
    with pytest.raises(UsageError, match="commit abcdefabcdef no longer exists"):
        objects.keep(repository, "abcdef" * 6 + "abcd")


def commit(git: Git, path: Path, name: str, when: str) -> str:
    (path / name).write_text(name)
    git(path, "add", name)
    git(path, "commit", "-q", "-m", name, GIT_COMMITTER_DATE=when, GIT_AUTHOR_DATE=when)
    return git(path, "rev-parse", "HEAD")


@pytest.fixture
def dated(tmp_path: Path, git: Git) -> tuple[Path, str, str]:
    path = tmp_path / "dated"
    path.mkdir()
    git(path, "init", "-q")
    first = commit(git, path, "first", "2026-01-01T10:00:00Z")
    return path, first, commit(git, path, "second", "2026-01-03T10:00:00Z")


def test_the_commit_at_a_time(dated: tuple[Path, str, str]) -> None:
    path, first, second = dated
    assert commit_at(path, None, "2025-12-31T00:00:00Z") is None
    assert commit_at(path, None, "2026-01-02T00:00:00.123Z") == first
    assert commit_at(path, "gone", "2026-01-03T11:00:00+01:00") == second
    assert commit_at(path, None, "2026-01-03T10:30:00+01:00") == first
    assert commit_at(path, None, "not a time") is None
    assert commit_at(path / "nowhere", None, "2026-01-02T00:00:00Z") is None


def test_the_reflog_knows_which_branch_was_checked_out(
    dated: tuple[Path, str, str], git: Git
) -> None:
    path, first, second = dated
    git(path, "checkout", "-q", "-b", "side", first, GIT_COMMITTER_DATE="2026-01-04T10:00:00Z")
    git(path, "checkout", "-q", "trunk", GIT_COMMITTER_DATE="2026-01-05T10:00:00Z")
    assert commit_at(path, "trunk", "2026-01-04T12:00:00Z") == first
    assert commit_at(path, "trunk", "2026-01-05T12:00:00Z") == second


def test_before_the_reflog_the_first_parents_count(
    dated: tuple[Path, str, str], git: Git, tmp_path: Path
) -> None:
    path, first, _ = dated
    git(tmp_path, "clone", "-q", str(path), "copy")
    assert commit_at(tmp_path / "copy", "trunk", "2026-01-02T00:00:00Z") == first
    assert commit_at(tmp_path / "copy", "--all", "2026-01-02T00:00:00Z") == first


@pytest.mark.parametrize(
    ("clone", "fetch", "reason"),
    [
        ("--depth=1", "--unshallow", "which is a shallow clone"),
        ("--filter=blob:none", "--refetch --no-filter", "which is a partial clone"),
        ("--filter=tree:0", "--refetch --no-filter", "which is a partial clone"),
    ],
)
def test_an_incomplete_clone_says_what_fetches_the_commit(
    objects: ObjectStore, repository: Path, git: Git, clone: str, fetch: str, reason: str
) -> None:
    """And what it says works; nothing is fetched before."""
    old = git(repository, "rev-parse", "HEAD")
    git(repository, "config", "uploadpack.allowFilter", "true")
    (repository / "shop/orders.py").write_text("import time\n")
    git(repository, "commit", "-q", "-a", "-m", "Later")
    clones = repository.parent / "clones"
    git(repository, "clone", "-q", clone, "--no-checkout", repository.as_uri(), str(clones))
    with pytest.raises(MachineError, match=reason) as caught:
        objects.keep(clones, old)
    assert f"`git fetch {fetch}`" in str(caught.value)
    with pytest.raises(MachineError, match=reason):
        objects.keep(clones, old)
    git(clones, "fetch", "-q", *fetch.split())
    assert objects.read(objects.keep(clones, old), "shop/ü name.py") == b"x = 1\n"
