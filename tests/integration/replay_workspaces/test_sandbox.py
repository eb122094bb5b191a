"""Commands of others: in the sandbox, or not at all. These tests need bubblewrap."""

import os
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from cortex.model.tasks import CheckResult, CommandCheck, Task, TaskStatus
from cortex_replay import sandbox
from cortex_replay.admission import admit
from cortex_replay.checking import run_command
from cortex_replay.objects import ObjectStore
from cortex_replay.toolchains import folders
from cortex_replay.workspace import Workspace, Workspaces

Run = Callable[[str], CheckResult]


@pytest.fixture
def confined(
    tmp_path: Path, objects: ObjectStore, make_task: Callable[..., Task]
) -> Iterator[Workspace]:
    assert sandbox.bubblewrap(), "install bubblewrap"
    with Workspaces(tmp_path / "trials", objects) as workspaces:
        yield workspaces.prepare(admit(make_task(), workspaces), {}, 1)


@pytest.fixture
def run(confined: Workspace) -> Run:
    return lambda script: run_command(CommandCheck(("sh", "-c", script), 20.0), confined)


@pytest.mark.slow
def test_the_workspace_can_be_written_and_nothing_else(
    run: Run, confined: Workspace, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    assert run("echo x > made && cat made").passed
    assert (confined.path / "made").read_text() == "x\n"
    run(f"mkdir -p {tmp_path}; echo x > {outside}")
    assert not outside.exists()
    assert not run("echo x > /usr/made").passed
    assert run('echo x > "$HOME/made" && echo x > /tmp/made').passed
    assert not Path("/tmp/made").exists()


@pytest.mark.slow
def test_settings_of_the_kernel_cannot_be_opened_to_write(run: Run) -> None:
    """Also not by root: a pattern for core dumps is a program that the kernel runs outside."""
    for name in ("sys/kernel/core_pattern", "sys/kernel/modprobe", "sysrq-trigger"):
        assert not run(f": >> /proc/{name}").passed, name


@pytest.mark.slow
def test_files_of_the_person_cannot_be_read(run: Run, tmp_path: Path) -> None:
    secret = tmp_path / "id_rsa"
    secret.write_text("secret")
    for place in (secret, Path.home(), Path("/etc/shadow"), Path("/root"), Path("/home")):
        assert not run(f"ls {place} && cat {place}/* {place}").passed, place
    assert not run("ls ~/.ssh").passed
    assert not run(f"cat /proc/{os.getpid()}/environ").passed


@pytest.mark.slow
def test_there_is_no_network(run: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        threading.Thread(target=lambda: server.accept(), daemon=True).start()
        code = f"import socket; socket.create_connection(('127.0.0.1', {port}), 2)"
        assert not run(f'python3 -c "{code}"').passed
        socket.create_connection(("127.0.0.1", port), 2).close()


@pytest.mark.slow
@pytest.mark.parametrize("start", ["", "setsid ", "setsid env -i "])
def test_nothing_outlives_a_command(run: Run, confined: Workspace, start: str) -> None:
    assert run(f"({start}sh -c 'sleep 2; echo late > late' &) ; true").passed
    threading.Event().wait(3)
    assert not (confined.path / "late").exists()


@pytest.mark.slow
def test_programs_of_the_person_are_there(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    assert run("python -c 'import pytest' && git --version").passed
    assert run("no-such-program").broken


@pytest.mark.slow
def test_a_missing_program_is_broken(confined: Workspace) -> None:
    result = run_command(CommandCheck(("no-such-program",), 5.0), confined)
    assert result.broken
    assert "no such program" in result.detail


@pytest.mark.parametrize("trusted", [True, False])
def test_without_a_sandbox_commands_wait_for_trust(
    tmp_path: Path,
    objects: ObjectStore,
    make_task: Callable[..., Task],
    monkeypatch: pytest.MonkeyPatch,
    trusted: bool,
) -> None:
    monkeypatch.setattr(sandbox, "bubblewrap", lambda: None)
    ran = tmp_path / "ran"
    check = CommandCheck(("sh", "-c", f"touch {ran}; grep -q fixed shop/orders.py"), 20.0)
    task = replace(
        make_task(), checks=(check,), attempt={}, corrected={"shop/orders.py": "fixed\n"}
    )
    with Workspaces(tmp_path / "trials", objects, trusts=lambda _: trusted) as workspaces:
        admitted = admit(task, workspaces)
    assert ran.exists() is trusted
    if not trusted:
        assert admitted.status is TaskStatus.SKIPPED
        assert "cortex trust" in admitted.reason
    else:
        assert admitted.status is TaskStatus.ADMITTED


def test_toolchains_are_never_a_home_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for folder in ("bin", "lib", ".local/bin", ".local/share", ".local/lib", ".cargo/bin"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / ".nvm/v20/bin").mkdir(parents=True)
    (tmp_path / ".nvm/v20/lib").mkdir()
    (tmp_path / ".pyenv/shims").mkdir(parents=True)
    for folder in ("project/bin", "project/lib", "project/.git"):
        (tmp_path / folder).mkdir(parents=True)
    names = ("project/bin", "bin", ".local/bin", ".nvm/v20/bin", ".pyenv/shims")
    env = {
        "PATH": ":".join(["relative", "/usr/bin", *(str(tmp_path / name) for name in names)]),
        "CARGO_HOME": str(tmp_path / ".cargo"),
    }
    reached = {Path(folder).relative_to(tmp_path).as_posix() for folder in folders(env, ("/usr",))}
    assert reached == {
        "project/bin", "bin", ".local/bin", ".local/lib", ".nvm/v20/bin", ".nvm/v20",
        ".pyenv/shims", ".pyenv", ".cargo/bin",
    }  # fmt: skip
