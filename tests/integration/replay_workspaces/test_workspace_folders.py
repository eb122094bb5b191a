import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.integration.replay_workspaces.test_bounded_processes import gone

from cortex.errors import MachineError, UsageError
from cortex.model.tasks import BaseTree, Task
from cortex_replay.objects import ObjectStore
from cortex_replay.trial_dirs import clean_leftovers, default_root
from cortex_replay.workspace import Workspaces

Git = Callable[..., str]
MakeTask = Callable[..., Task]

HARNESS = {".claude/rules/http.md": "Use httpx.\n", "CLAUDE.md": "# Shop\n"}


def tree(path: Path) -> dict[str, tuple[bytes, int]]:
    """Return relative path -> content (or target) and mode of all files outside of .git."""
    contents = {}
    for file in sorted(path.rglob("*")):
        relative = file.relative_to(path)
        if relative.parts[0] == ".git" or (file.is_dir() and not file.is_symlink()):
            continue
        content = os.fsencode(file.readlink()) if file.is_symlink() else file.read_bytes()
        contents[relative.as_posix()] = (content, file.lstat().st_mode & 0o111)
    return contents


def test_the_base_is_a_single_neutral_commit(
    workspaces: Workspaces, make_task: MakeTask, git: Git, repository: Path
) -> None:
    workspace = workspaces.prepare(make_task(), HARNESS, 0)
    assert workspace.path.name == "shop"
    log = git(workspace.path, "log", "--all", "--format=%s|%an|%at")
    assert log == "Initial commit|Developer|1704067200"
    assert git(workspace.path, "remote") == ""
    assert git(workspace.path, "status", "--porcelain") == ""
    assert git(workspace.path, "fsck", "--full", "--strict") == ""
    git_bytes = b"".join(
        file.read_bytes() for file in (workspace.path / ".git").rglob("*") if file.is_file()
    )
    assert b"Secret" not in git_bytes
    assert os.fsencode(str(repository)) not in git_bytes
    assert not (workspace.path / ".git/objects/info/alternates").exists()


def test_files_are_complete_and_the_harness_is_that_of_the_arm(
    workspaces: Workspaces, make_task: MakeTask, repository: Path
) -> None:
    workspace = workspaces.prepare(make_task(), HARNESS, 0)
    expected = {
        name: entry
        for name, entry in tree(repository).items()
        if name.split("/")[0] not in ("CLAUDE.md", ".claude", ".cortex")
    }
    expected |= {name: (text.encode(), 0) for name, text in HARNESS.items()}
    assert tree(workspace.path) == expected


def test_the_uncommitted_state_is_part_of_the_base(
    workspaces: Workspaces, make_task: MakeTask, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    overlay: dict[str, str | None] = {
        "shop/orders.py": "changed\r\n",
        "new/deep.log": "ignored by the developer\n",
        "build/settings.ini": "ignored by the repository\n",
        "sub/README.md": None,
        "run.sh": "#!/bin/sh\necho other\n",
        "CLAUDE.md": "never",
        "../escaped": "x",
        "/abs": "x",
        ".git/hooks/pre-commit": "x",
        "link.py/below": "x",
        "absent": None,
        "data.bin/now-a-folder": "x",
    }
    workspace = workspaces.prepare(make_task(overlay), {}, 0)
    files = tree(workspace.path)
    assert files["shop/orders.py"][0] == b"changed\r\n"
    assert files["run.sh"] == (b"#!/bin/sh\necho other\n", 0o111)
    assert files["data.bin/now-a-folder"][0] == b"x"
    assert "sub/README.md" not in files
    assert "CLAUDE.md" not in files
    assert (workspace.path / "link.py").is_symlink()
    assert not (workspace.path / ".git/hooks/pre-commit").exists()
    assert not (workspace.path.parent / "escaped").exists()
    assert workspace.changed() == {}
    assert workspace.base("new/deep.log") == "ignored by the developer\n"
    (workspace.path / "build/settings.ini").write_text("x")
    assert workspace.changed() == {"build/settings.ini": "x"}


def test_a_link_out_of_the_repository_is_never_followed(
    workspaces: Workspaces, make_task: MakeTask, repository: Path, git: Git, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret").write_text("secret")
    (repository / "way").symlink_to(outside)
    git(repository, "add", "way")
    git(repository, "commit", "-q", "-m", "x")
    overlay: dict[str, str | None] = {"way/planted": "x", "way/secret": None}
    workspace = workspaces.prepare(make_task(overlay), {"way/rule": "x"}, 0)
    workspace.put({"way/more": "x"})
    assert sorted(path.name for path in outside.iterdir()) == ["secret"]
    assert workspace.base("way/secret") is None
    assert not workspace.exists("way/secret")


def test_both_arms_differ_in_the_harness_only(workspaces: Workspaces, make_task: MakeTask) -> None:
    task = make_task()
    snapshots = []
    for harness in ({}, HARNESS):
        workspace = workspaces.prepare(task, harness, 3)
        stats = {name: (workspace.path / name).lstat().st_mtime for name in tree(workspace.path)}
        git_files = {
            file.relative_to(workspace.path).as_posix(): file.read_bytes()
            for file in (workspace.path / ".git").rglob("*")
            if file.is_file()
        }
        snapshots.append((workspace.path, tree(workspace.path), stats, git_files))
        workspaces.discard(workspace)
        assert not workspace.path.exists()
    (path_a, files_a, stats_a, git_a), (path_b, files_b, stats_b, git_b) = snapshots
    assert path_a == path_b
    assert git_a == git_b
    assert set(files_b) - set(files_a) == set(HARNESS)
    assert {name: files_b[name] for name in files_a} == files_a
    assert {name: stats_b[name] for name in stats_a} == stats_a


def test_changes_are_detected_whatever_the_agent_does_to_git(
    workspaces: Workspaces, make_task: MakeTask, git: Git
) -> None:
    workspace = workspaces.prepare(make_task(), HARNESS, 0)
    path = workspace.path
    (path / "shop/orders.py").write_text("import time\n\ndef place():\n    return 2\n")
    (path / "shop/ü name.py").unlink()
    (path / "new file\twith tab.txt").write_text("n\n")
    (path / "picture.png").write_bytes(b"\0png")
    (path / "to-target").symlink_to("/etc/passwd")
    (path / "cache.pyc").write_bytes(b"ignored")
    (path / "CLAUDE.md").write_text("the agent wrote here")
    (path / "nested").mkdir()
    git(path / "nested", "init", "-q")
    (path / "nested/inner.py").write_text("i\n")
    expected = {
        "shop/orders.py": "import time\n\ndef place():\n    return 2\n",
        "shop/ü name.py": None,
        "new file\twith tab.txt": "n\n",
        "picture.png": "",
        "to-target": "/etc/passwd",
        "nested/inner.py": "i\n",
    }
    assert workspace.changed() == expected
    git(path, "rm", "-q", "-r", "--cached", ".")
    git(path, "commit", "-q", "-m", "hide")
    git(path, "config", "core.worktree", "/nowhere")
    assert workspace.changed() == expected
    subprocess.run(("rm", "-rf", ".git"), cwd=path, check=True)
    assert workspace.changed() == expected
    assert workspace.base("shop/ü name.py") == "x = 1\n"
    subprocess.run(("rm", "-rf", str(path)), check=True)
    assert set(workspace.changed().values()) == {None}
    assert "shop/orders.py" in workspace.changed()


def test_an_edit_that_keeps_the_size_is_detected(
    workspaces: Workspaces, make_task: MakeTask
) -> None:
    workspace = workspaces.prepare(make_task(), {}, 0)
    (workspace.path / "shop/ü name.py").write_text("x = 2\n")
    assert workspace.changed() == {"shop/ü name.py": "x = 2\n"}


def test_a_task_outlives_its_repository(
    workspaces: Workspaces, make_task: MakeTask, objects: ObjectStore, repository: Path
) -> None:
    task = make_task()
    tree_id = objects.keep(repository, str(task.base.commit))
    subprocess.run(("rm", "-rf", str(repository)), check=True)
    base = BaseTree(str(repository), task.base.commit, tree_id)
    workspace = workspaces.prepare(make_task_with(task, base), {}, 0)
    assert (workspace.path / "shop/orders.py").is_file()
    with pytest.raises(UsageError, match="repository not found"):
        workspaces.prepare(task, {}, 1)


def make_task_with(task: Task, base: BaseTree) -> Task:
    return Task(task.id, task.prompt, base, task.checks, task.paths)


def test_setup_runs_in_every_workspace_and_its_failure_is_an_error(
    workspaces: Workspaces, make_task: MakeTask
) -> None:
    task = make_task(setup=((sys.executable, "-c", "open('made.pyc', 'w').write('x')"),))
    assert (workspaces.prepare(task, {}, 0).path / "made.pyc").is_file()
    broken = make_task(setup=(("sh", "-c", "echo no such lock >&2; exit 3"),))
    with pytest.raises(MachineError, match="no such lock"):
        workspaces.prepare(broken, {}, 1)


def test_a_setup_that_times_out_is_an_error(
    workspaces: Workspaces, make_task: MakeTask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cortex_replay.workspace._SETUP_TIMEOUT_S", 0.3)
    with pytest.raises(MachineError, match=r"setup of task-1 failed: sleep 60: timed out after"):
        workspaces.prepare(make_task(setup=(("sleep", "60"),)), {}, 0)


def test_concurrent_slots_do_not_mix(workspaces: Workspaces, make_task: MakeTask) -> None:
    task = make_task()

    def work(slot: int) -> list[dict[str, str | None]]:
        changes = []
        for _ in range(4):
            workspace = workspaces.prepare(task, HARNESS, slot)
            (workspace.path / "own.txt").write_text(str(slot))
            changes.append(workspace.changed())
            workspaces.discard(workspace)
        return changes

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(work, range(4)))
    assert results == [[{"own.txt": str(slot)}] * 4 for slot in range(4)]


def test_templates_are_bounded(tmp_path: Path, make_task: MakeTask, objects: ObjectStore) -> None:
    with Workspaces(tmp_path / "small", objects, max_bytes=1500) as workspaces:
        for number in range(4):
            task = make_task({"pad.txt": "x" * 700}, id=f"task-{number}")
            workspaces.discard(workspaces.prepare(task, {}, 0))
        assert len(list((workspaces.folder / "templates").iterdir())) == 1
        with pytest.raises(MachineError, match="the limit is"):
            workspaces.prepare(make_task({"pad.txt": "x" * 5000}), {}, 0)


def test_leftovers_of_dead_processes_are_removed(
    tmp_path: Path, make_task: MakeTask, objects: ObjectStore
) -> None:
    root = tmp_path / "trials"
    program = (
        "import sys; from pathlib import Path; from cortex_replay.workspace import Workspaces;"
        "from cortex_replay.objects import ObjectStore; import os, signal;"
        f"w = Workspaces(Path({str(root)!r}), ObjectStore(Path({str(tmp_path / 'o')!r})));"
        "(w.folder / 'left').mkdir(); print(w.folder, flush=True);"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    process = subprocess.run((sys.executable, "-c", program), capture_output=True, text=True)
    dead = Path(process.stdout.strip())
    assert (dead / "left").is_dir()
    with Workspaces(root, objects) as alive:
        assert not dead.exists()
        alive.prepare(make_task(), {}, 0)
        assert clean_leftovers(alive.root) == 0
        assert alive.folder.is_dir()
    assert list(alive.root.iterdir()) == []


def test_a_running_process_keeps_its_folder(tmp_path: Path, objects: ObjectStore) -> None:
    """Its lock is respected without waiting, and released with it however it ends."""
    root = tmp_path / "trials"
    program = (
        "import sys; from pathlib import Path; from cortex_replay.workspace import Workspaces;"
        "from cortex_replay.objects import ObjectStore;"
        f"w = Workspaces(Path({str(root)!r}), ObjectStore(Path({str(tmp_path / 'o')!r})));"
        "print(w.folder, flush=True); sys.stdin.read()"
    )
    process = subprocess.Popen(
        (sys.executable, "-c", program), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    folder = Path(process.stdout.readline().strip())
    with Workspaces(root, objects) as workspaces, Workspaces(root, objects) as others:
        assert clean_leftovers(workspaces.root) == 0
        assert folder.is_dir()
        assert len({folder, workspaces.folder, others.folder}) == 3
        process.kill()
        process.communicate()
        assert clean_leftovers(workspaces.root) == 1
        assert not folder.exists()


def test_another_thread_can_close_the_workspaces(tmp_path: Path, objects: ObjectStore) -> None:
    workspaces = Workspaces(tmp_path / "trials", objects)
    thread = threading.Thread(target=workspaces.close)
    thread.start()
    thread.join()
    assert list(workspaces.root.iterdir()) == []
    with Workspaces(tmp_path / "trials", objects) as reopened:
        assert reopened.folder == workspaces.folder


def test_a_trial_of_a_dead_cortex_process_is_killed(tmp_path: Path, objects: ObjectStore) -> None:
    """It would spend money that no budget accounts for."""
    root = tmp_path / "trials"
    program = f"""
import os, threading, time
from pathlib import Path
from cortex_replay.objects import ObjectStore
from cortex_replay.processes import run
from cortex_replay.workspace import Workspaces

spaces = Workspaces(Path({str(root)!r}), ObjectStore(Path({str(tmp_path / "o")!r})))
folder = spaces.folder / "shop"
folder.mkdir()
script = "echo $$ > pid.new; mv pid.new pid; exec sleep 60"
started = (["sh", "-c", script], folder, dict(os.environ), 60)
threading.Thread(target=run, args=started, kwargs={{"mark": str(folder)}}).start()
while not (folder / "pid").exists():
    time.sleep(0.01)
print((folder / "pid").read_text(), flush=True)
os.kill(os.getpid(), 9)
"""
    process = subprocess.run((sys.executable, "-c", program), capture_output=True, text=True)
    orphan = int(process.stdout)
    os.kill(orphan, 0)
    with Workspaces(root, objects):
        assert gone(orphan)


def test_read_only_leftovers_are_removed(workspaces: Workspaces, make_task: MakeTask) -> None:
    workspace = workspaces.prepare(make_task(), {}, 0)
    (workspace.path / "locked").mkdir()
    (workspace.path / "locked/file").write_text("x")
    (workspace.path / "locked").chmod(0o500)
    workspaces.discard(workspace)
    assert not workspace.path.exists()


def test_a_link_in_the_place_of_the_workspace_is_not_followed(
    workspaces: Workspaces, make_task: MakeTask, tmp_path: Path
) -> None:
    private = tmp_path / "private"
    (private / "repository").mkdir(parents=True)
    (private / "secret").write_text("secret")
    (private / "repository" / "secret").write_text("secret")
    for level in (0, 1):
        workspace = workspaces.prepare(make_task(), {}, level)
        place = (workspace.path, workspace.path.parent)[level]
        shutil.rmtree(place)
        place.symlink_to(private)
        with pytest.raises(MachineError, match="put a link in the place"):
            workspace.changed()
        workspaces.discard(workspace)
    assert (private / "secret").exists()


def test_paths_mark_our_own_sessions(
    tmp_path: Path, workspaces: Workspaces, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert any(part.startswith("cortex-trials") for part in workspaces.folder.parts)
    monkeypatch.delenv("CORTEX_TRIALS", raising=False)
    assert default_root().name.startswith("cortex-trials")
    monkeypatch.setenv("CORTEX_TRIALS", str(tmp_path / "mine"))
    assert default_root() == tmp_path / "mine"


def test_the_root_from_the_environment_is_absolute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("CORTEX_TRIALS", "relative/trials")
    assert default_root() == tmp_path / "relative/trials"
    monkeypatch.setenv("CORTEX_TRIALS", "~/trials")
    assert default_root() == tmp_path / "home/trials"
    monkeypatch.setenv("CORTEX_TRIALS", "~no-such-user/trials")
    with pytest.raises(UsageError, match="no such user"):
        default_root()
    for blank in ("", "  "):
        monkeypatch.setenv("CORTEX_TRIALS", blank)
        assert default_root().name.startswith("cortex-trials-")


@pytest.mark.parametrize("name", ["CLAUDE.md", ".claude", "CLAUDE.local.md", "AGENTS.md"])
def test_no_trials_below_harness(tmp_path: Path, objects: ObjectStore, name: str) -> None:
    (tmp_path / name).mkdir()
    with pytest.raises(UsageError, match="set CORTEX_TRIALS"):
        Workspaces(tmp_path / "deep" / "trials", objects)


def test_harness_files_added_above_the_root_later_stop_the_next_trial(
    tmp_path: Path, workspaces: Workspaces, make_task: MakeTask
) -> None:
    (tmp_path / "CLAUDE.md").write_text("x")
    with pytest.raises(UsageError, match="agents would load"):
        workspaces.prepare(make_task(), {}, 0)


def test_a_root_that_others_can_write_is_rejected(tmp_path: Path, objects: ObjectStore) -> None:
    shared = tmp_path / "cortex-trials-shared"
    shared.mkdir()
    shared.chmod(0o777)
    with pytest.raises(UsageError, match="only you can write"):
        Workspaces(shared, objects)
    (tmp_path / "cortex-trials-link").symlink_to(tmp_path / "home-of-another")
    (tmp_path / "home-of-another").mkdir()
    with pytest.raises(UsageError, match="only you can write"):
        Workspaces(tmp_path / "cortex-trials-link", objects)
