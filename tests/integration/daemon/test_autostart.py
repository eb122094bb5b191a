"""Service files for systemd and launchd: what they run, and that nobody's file is overwritten."""

import json
import os
import plistlib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.integration.daemon.conftest import DaemonHome, until

from cortex.daemon import unit_files
from cortex.errors import UsageError

ODD = "a b%c\"d$e'f \\x ünï %h ${HOME}"
UNIT = ".config/systemd/user/cortex.service"
AGENT = "Library/LaunchAgents/cortex-harness.daemon.plist"


def unit_words(value: str) -> list[str]:
    """Read quoted words as systemd does: quotes, backslashes, then specifiers."""
    words, word, quoted, rest = [], "", False, iter(value)
    for char in rest:
        if char == "\\":
            word += next(rest)
        elif char == '"':
            quoted = not quoted
        elif char == " " and not quoted:
            words.append(word)
            word = ""
        else:
            word += char
    assert "%" not in [word, *words][0].replace("%%", "")
    return [word.replace("%%", "%") for word in [*words, word]]


def unit_values(content: bytes, key: str) -> list[list[str]]:
    lines = content.decode().splitlines()
    return [unit_words(line.partition("=")[2]) for line in lines if line.startswith(f"{key}=")]


def test_a_unit_holds_odd_paths_as_they_are() -> None:
    program = f"/opt/{ODD}/python"
    content = unit_files.systemd([program, "-m", f"x{ODD}"], {"CORTEX_HOME": f"/srv/{ODD}"})
    ((shell, *words),) = unit_values(content, "ExecStart")
    arguments = [word.replace("$$", "$") for word in words]
    assert [shell, *arguments] == ["/bin/sh", "-c", 'exec "$0" "$@"', program, "-m", f"x{ODD}"]
    plain = unit_files.systemd(["/opt/a b%c$d/python", "a$b"], {})
    assert unit_values(plain, "ExecStart") == [["/opt/a b%c$d/python", "a$$b"]]
    assert unit_values(content, "Environment") == [[f"CORTEX_HOME=/srv/{ODD}"]]
    assert b"NoNewPrivileges" not in content


def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    """With systemd's own parser where there is one; else its form is tested above only."""
    program = tmp_path / ODD.replace("/", "") / "run"
    program.parent.mkdir()
    shutil.copy2("/bin/true", program)
    plain = tmp_path / "a b%c$d"
    shutil.copy2("/bin/true", plain)
    checker = shutil.which("systemd-analyze")
    if checker is None:
        return
    unit = tmp_path / "cortex.service"
    for path in (program, plain):
        unit.write_bytes(unit_files.systemd([str(path), "a$b"], {"CORTEX_HOME": f"/srv/{ODD}"}))
        ended = subprocess.run(
            [checker, "--user", "verify", str(unit)],
            capture_output=True, text=True, check=False,
            env={**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)},
        )  # fmt: skip
        assert (ended.returncode, ended.stderr) == (0, "")


def test_an_agent_holds_odd_paths_as_they_are() -> None:
    content = unit_files.launchd([f"/opt/{ODD}<&>", "x"], {"CORTEX_HOME": f"/srv/{ODD}"})
    read = plistlib.loads(content)
    assert read["ProgramArguments"] == [f"/opt/{ODD}<&>", "x"]
    assert read["EnvironmentVariables"] == {"CORTEX_HOME": f"/srv/{ODD}"}
    assert read["KeepAlive"] == {"SuccessfulExit": False}
    assert read["RunAtLoad"] is True


@pytest.mark.parametrize("text", ["/a\nExecStartPre=/bin/false", "/a\x1b", "/a\udcff"])
def test_what_a_file_cannot_hold_is_refused(text: str) -> None:
    for render in (unit_files.systemd, unit_files.launchd):
        with pytest.raises(UsageError, match="cannot hold"):
            render(["/bin/true"], {"CORTEX_HOME": text})


@pytest.mark.parametrize(("manager", "place"), [("systemd", UNIT), ("launchd", AGENT)])
def test_it_is_written_left_alone_and_removed(house: DaemonHome, manager: str, place: str) -> None:
    file = house.home / place

    def call(command: str, *more: str) -> dict[str, object]:
        ended = house.cortex("daemon", command, "--for", manager, *more, "--json")
        assert ended.returncode == 0, ended.stderr
        return dict(json.loads(ended.stdout))

    assert call("install", "--print")["state"] == "planned"
    assert not file.exists()
    assert call("install")["state"] == "written"
    content = file.read_bytes()
    assert unit_files.is_unchanged(content)
    assert str(house.home).encode() in content
    before = file.stat()
    assert call("install")["state"] == "unchanged"
    assert (file.stat().st_ino, file.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert call("uninstall")["state"] == "removed"
    assert not file.exists()
    assert call("uninstall")["state"] == "missing"


def test_what_enabled_the_unit_is_removed_with_it(house: DaemonHome) -> None:
    assert house.cortex("daemon", "install", "--for", "systemd").returncode == 0
    wanted = house.home / UNIT.replace("cortex.service", "default.target.wants/cortex.service")
    wanted.parent.mkdir()
    wanted.symlink_to(house.home / UNIT)
    assert house.cortex("daemon", "uninstall", "--for", "systemd").returncode == 0
    assert not wanted.parent.exists()


def test_files_of_others_are_refused(house: DaemonHome) -> None:
    file = house.home / UNIT
    file.parent.mkdir(parents=True)
    assert house.cortex("daemon", "install", "--for", "systemd").returncode == 0
    edited = file.read_bytes().replace(b"RestartSec=10", b"RestartSec=99")
    for content in (b"", b"[Service]\nExecStart=/bin/mine\n", edited, b"\xff" * 9):
        file.write_bytes(content)
        for command in ("install", "uninstall"):
            ended = house.cortex("daemon", command, "--for", "systemd")
            assert ended.returncode == 2
            assert "was not written by Cortex" in ended.stderr
            assert file.read_bytes() == content
    file.unlink()
    file.symlink_to(os.devnull)
    assert house.cortex("daemon", "install", "--for", "systemd").returncode == 2
    assert file.is_symlink()
    file.unlink()
    os.mkfifo(file)
    assert house.cortex("daemon", "uninstall", "--for", "systemd").returncode == 2


def test_the_unit_starts_the_only_daemon(house: DaemonHome) -> None:
    """The unit's own command line in its own environment, beside `cortex daemon start`."""
    assert house.cortex("daemon", "install", "--for", "systemd").returncode == 0
    content = (house.home / UNIT).read_bytes()
    (command,) = unit_values(content, "ExecStart")
    env = dict(words[0].split("=", 1) for words in unit_values(content, "Environment"))
    process = subprocess.Popen(command, env={**env, "HOME": str(house.home)}, cwd="/")
    house.processes.append(process)
    house.ready(process)
    assert oct((house.home / "daemon.log").stat().st_mode & 0o777) == "0o600"
    again = house.cortex("daemon", "start")
    assert (again.returncode, "already running" in again.stderr) == (3, True)
    second = subprocess.run(command, env=env, cwd="/", check=False, timeout=30)
    assert second.returncode == 0
    assert "already running" in (house.home / "daemon.log").read_text()
    assert "A daemon is running" in house.cortex("daemon", "install", "--for", "systemd").stdout
    assert house.cortex("daemon", "stop").returncode == 0
    assert process.wait(10) == 0
    started = house.cortex("daemon", "start")
    assert started.returncode == 0, started.stderr
    assert subprocess.run(command, env=env, cwd="/", check=False, timeout=30).returncode == 0
    until(lambda: house.cortex("daemon", "status").returncode == 0, 5)
    assert sys.executable == command[0]
