import os
import signal
import sys
import threading
import time
from pathlib import Path

import pytest

from cortex_replay import processes
from cortex_replay.processes import ProgramMissingError, run

ENV = {"PATH": os.environ["PATH"]}
SLEEPER = "import os, sys, time; open(sys.argv[1], 'w').write(str(os.getpid())); time.sleep(60)"


def gone(pid: int, timeout_s: float = 5.0) -> bool:
    end = time.monotonic() + timeout_s
    while time.monotonic() < end:
        try:
            os.kill(pid, 0)
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (ProcessLookupError, FileNotFoundError):
            return True
        if state == "Z":
            return True
        time.sleep(0.01)
    return False


def wait_for(path: Path) -> int:
    end = time.monotonic() + 10
    while time.monotonic() < end:
        if path.exists() and path.read_text():
            return int(path.read_text())
        time.sleep(0.01)
    raise AssertionError(f"{path} was not written within 10 s")


def python(*arguments: str) -> list[str]:
    return [sys.executable, "-c", *arguments]


def test_a_program_runs_with_exactly_the_given_environment(tmp_path: Path) -> None:
    code = "import os, sys; print(os.getcwd(), sorted(os.environ)); sys.exit(int(sys.stdin.read()))"
    process = run(python(code), tmp_path, {**ENV, "LC_ALL": "C"}, 20, stdin="3")
    assert (process.returncode, process.timed_out) == (3, False)
    assert str(tmp_path) in process.stdout
    assert "HOME" not in process.stdout
    assert process.seconds < 20


def test_standard_input_is_closed(tmp_path: Path) -> None:
    assert run(python("import sys; print(repr(sys.stdin.read()))"), tmp_path, ENV, 20).stdout == (
        "''\n"
    )


def test_only_the_end_of_long_output_is_kept(tmp_path: Path) -> None:
    code = "import sys; sys.stdout.write('a' * 5_000_000 + 'end'); sys.stderr.write('\\xff')"
    process = run(python(code), tmp_path, ENV, 20)
    assert len(process.stdout) == processes.OUTPUT_LIMIT
    assert process.stdout.endswith("aend")


def test_unread_input_does_not_block(tmp_path: Path) -> None:
    assert run(python("pass"), tmp_path, ENV, 20, stdin="x" * 5_000_000).returncode == 0


def test_a_missing_program_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ProgramMissingError, match="cannot run no-such-program"):
        run(["no-such-program"], tmp_path, ENV, 5)


def test_the_whole_group_is_killed_on_timeout(tmp_path: Path) -> None:
    code = (
        "import subprocess, sys, signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
        f"subprocess.Popen([sys.executable, '-c', {SLEEPER!r}, sys.argv[1]]); time.sleep(60)"
    )
    started = time.monotonic()
    process = run(python(code, str(tmp_path / "pid")), tmp_path, ENV, 0.7)
    assert process.timed_out
    assert time.monotonic() - started < 8
    assert gone(wait_for(tmp_path / "pid"))


def test_children_that_outlive_their_parent_are_killed(tmp_path: Path) -> None:
    code = (
        "import os, subprocess, sys, time;"
        f"subprocess.Popen([sys.executable, '-c', {SLEEPER!r}, sys.argv[1]]);\n"
        "while not os.path.exists(sys.argv[1]): time.sleep(0.01)"
    )
    started = time.monotonic()
    assert run(python(code, str(tmp_path / "pid")), tmp_path, ENV, 30).returncode == 0
    assert time.monotonic() - started < 15
    assert gone(wait_for(tmp_path / "pid"))


def test_a_child_in_its_own_session_is_killed_by_its_mark(tmp_path: Path) -> None:
    code = (
        "import os, subprocess, sys, time;"
        f"subprocess.Popen([sys.executable, '-c', {SLEEPER!r}, sys.argv[1]],"
        " start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL);\n"
        "while not os.path.exists(sys.argv[1]): time.sleep(0.01)"
    )
    run(python(code, str(tmp_path / "pid")), tmp_path, ENV, 30, mark=str(tmp_path))
    assert gone(wait_for(tmp_path / "pid"))


@pytest.mark.parametrize("start", ["setsid setsid", "env -i setsid setsid", "env -i setsid"])
def test_processes_that_leave_their_parents_and_their_environment_are_killed(
    tmp_path: Path, start: str
) -> None:
    for _ in range(5):
        work = tmp_path / "work"
        work.mkdir(exist_ok=True)
        script = f"( {start} sh -c 'echo $$ > pid; exec sleep 60' & ) >/dev/null 2>&1"
        run(["sh", "-c", f"{script}; sleep 0.05"], work, ENV, 30, mark=str(work))
        if (work / "pid").exists():
            assert gone(int((work / "pid").read_text()))


def test_kill_all_from_another_thread(tmp_path: Path) -> None:
    results: list[processes.ProcessResult] = []

    def work(name: str) -> None:
        results.append(run(python(SLEEPER, str(tmp_path / name)), tmp_path, ENV, 60))

    threads = [threading.Thread(target=work, args=(name,)) for name in ("a", "b")]
    for thread in threads:
        thread.start()
    pids = [wait_for(tmp_path / name) for name in ("a", "b")]
    assert processes.kill_all() == 2
    for thread in threads:
        thread.join(10)
    assert [(result.returncode, result.timed_out) for result in results] == [
        (-signal.SIGKILL, False)
    ] * 2
    assert all(map(gone, pids))
    assert processes.kill_all() == 0


def test_an_interrupt_kills_the_group(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from cortex_replay.processes import run\n"
        f"run([sys.executable, '-c', {SLEEPER!r}, sys.argv[1]], Path('.'), {{}}, 60)"
    )
    outer: list[processes.ProcessResult] = []
    argv = python(code, str(tmp_path / "pid"))
    env = {**ENV, "PYTHONPATH": os.pathsep.join(sys.path)}
    thread = threading.Thread(target=lambda: outer.append(run(argv, tmp_path, env, 30)))
    thread.start()
    inner = wait_for(tmp_path / "pid")
    parent = int(Path(f"/proc/{inner}/stat").read_text().rpartition(")")[2].split()[1])
    os.kill(parent, signal.SIGINT)
    thread.join(15)
    assert "KeyboardInterrupt" in outer[0].stderr
    assert gone(inner)
