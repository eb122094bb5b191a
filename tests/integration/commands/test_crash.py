"""A bug ends with exit code 70, one line, and a log that can be pasted."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TOKEN = "ghp_" + "a1B2" * 9
BUG = (
    "import cortex.cli.status as module\n"
    "def fail(*_, **__): raise RuntimeError('bad \\x1b[31m value\\nsecond line')\n"
    "module.status.callback = fail\n"
    "from cortex.cli.main import main\n"
    "raise SystemExit(main(['status', '-C', {folder!r}]))\n"
)


def crash(home: Path, folder: Path) -> "subprocess.CompletedProcess[str]":
    env = {**os.environ, "CORTEX_HOME": str(home), "HOME": str(home.parent)}
    code = BUG.format(folder=str(folder))
    return subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False
    )


def test_a_bug_ends_with_70_one_line_and_a_log(tmp_path: Path) -> None:
    home, folder = tmp_path / "home", tmp_path / TOKEN
    folder.mkdir()
    finished = crash(home, folder)
    assert finished.returncode == 70, finished.stderr
    (log,) = (home / "crashes").iterdir()
    assert finished.stdout == ""
    assert finished.stderr == (
        "cortex: internal error: RuntimeError: bad \ufffd[31m value second line; "
        f"log: ~/home/crashes/{log.name}\n"
    )
    text = log.read_text("utf-8")
    assert log.stat().st_mode & 0o777 == 0o600
    assert "Traceback" in text
    assert "in fail" in text
    assert "command  cortex status -C ~/" in text
    assert TOKEN not in text
    assert str(tmp_path) not in text
    assert "\x1b" not in text


def test_ten_logs_are_kept(tmp_path: Path) -> None:
    logs = tmp_path / "home" / "crashes"
    logs.mkdir(parents=True)
    for number in range(15):
        (logs / f"2020-01-{number + 1:02}.log").write_text("old")
    crash(tmp_path / "home", tmp_path)
    names = sorted(path.name for path in logs.iterdir())
    assert len(names) == 10
    assert names[0] == "2020-01-07.log"


@pytest.mark.parametrize("home", ["file", "~nobody-here"])
def test_a_log_that_cannot_be_written_goes_to_standard_error(tmp_path: Path, home: str) -> None:
    (tmp_path / "file").write_text("")
    place = Path(home) if home.startswith("~") else tmp_path / home
    finished = crash(place, tmp_path)
    assert finished.returncode == 70
    assert "Traceback" in finished.stderr
    assert finished.stderr.splitlines()[-1].startswith("cortex: internal error: RuntimeError: bad")
