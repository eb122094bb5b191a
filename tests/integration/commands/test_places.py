"""Faults of disks, folders and the clock: a line, nothing lost, all works when they are gone."""

import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.integration.commands.conftest import Shell

from cortex.commands.context import DATABASE
from cortex.daemon import info
from cortex.demo.world import DemoPaths


def limited(shell: Shell, size: int, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run `cortex` where no file may grow beyond `size` bytes, as on a full disk."""

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return subprocess.run(
        [sys.executable, "-m", "cortex.cli.main", *arguments], cwd=shell.cwd, preexec_fn=limit,
        env={**os.environ, "CORTEX_HOME": str(shell.home)}, capture_output=True, text=True,
        timeout=100, check=False,
    )  # fmt: skip


def fresh(shop: Shell, home: Path) -> Shell:
    home.mkdir()
    shutil.copy2(shop.home / "config.toml", home / "config.toml")
    return Shell(shop.cwd, home)


def assert_line(ended: "subprocess.CompletedProcess[str]", code: int = 3) -> None:
    assert ended.returncode == code, (ended.returncode, ended.stderr)
    lines = ended.stderr.strip().splitlines()
    assert "Traceback" not in ended.stderr
    assert lines[-1].startswith("cortex: ")
    assert "; " in lines[-1], "it says what to do"


@pytest.mark.parametrize("size", [1, 20_000, 200_000])
def test_a_full_disk_loses_nothing(
    shop: Shell, recorded: DemoPaths, tmp_path: Path, size: int
) -> None:
    shell = fresh(shop, tmp_path / "home")
    assert_line(limited(shell, size, "ingest", str(recorded.sessions)))
    done = shell.json("ingest", str(recorded.sessions))
    assert len(shell.json("corrections")["corrections"]) >= 12
    assert done["tasks"] or shell.json("tasks")["tasks"]
    assert shell.run("verify").returncode == 0


def test_a_disk_that_fills_during_a_gate(shop: Shell, proposed: str) -> None:
    before = (shop.home / DATABASE).stat().st_size
    ended = limited(shop, before + 8192, "gate", proposed)
    assert "Traceback" not in ended.stderr
    assert shop.json("gate", proposed)["verdict"]["ruling"] == "keep"
    assert shop.run("verify").returncode == 0


@pytest.mark.parametrize("place", ["/proc/cortex-home", "/dev/null/home"])
@pytest.mark.parametrize("command", ["ingest", "daemon"])
def test_a_home_that_cannot_be_made(shop: Shell, place: str, command: str) -> None:
    """Nobody can write there, whoever runs the test."""
    more = {"ingest": [str(shop.cwd)], "daemon": ["start"]}[command]
    assert_line(Shell(shop.cwd, Path(place)).run(command, *more))


def truncate(database: Path) -> None:
    os.truncate(database, database.stat().st_size // 2)


def overwrite(database: Path) -> None:
    database.write_bytes(b"-- SQL\n" * 4000)


def newer(database: Path) -> None:
    db = sqlite3.connect(database)
    db.execute(
        "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) "
        "SELECT migration_set, '9999_future', applied_at FROM _sqlite_migrations LIMIT 1"
    )
    db.commit()
    db.close()


def folder(database: Path) -> None:
    database.unlink()
    database.mkdir()


@pytest.mark.parametrize("damage", [truncate, overwrite, newer, folder])
def test_a_database_that_cannot_be_used(shop: Shell, damage: Callable[[Path], None]) -> None:
    database = shop.home / DATABASE
    kept = database.with_suffix(".kept")
    shutil.copy2(database, kept)
    damage(database)
    content = database.read_bytes() if database.is_file() else None
    for arguments in (("tasks",), ("propose",), ("ingest", str(shop.cwd))):
        assert_line(shop.run(*arguments))
    assert content is None or database.read_bytes() == content
    shutil.rmtree(database) if database.is_dir() else database.unlink()
    kept.rename(database)
    assert shop.json("propose")["candidate"]["id"]


def test_an_empty_file_is_a_new_database(shop: Shell, recorded: DemoPaths, tmp_path: Path) -> None:
    shell = fresh(shop, tmp_path / "home")
    (shell.home / DATABASE).touch()
    assert shell.json("ingest", str(recorded.sessions))["corrections"]


@pytest.mark.parametrize("keep", [0, 1000])
def test_a_log_of_writes_that_is_gone_or_cut(shop: Shell, keep: int) -> None:
    """SQLite may leave its log after a kill; without it, the last complete state is what holds."""
    database = shop.home / DATABASE
    db = sqlite3.connect(database)
    db.execute("PRAGMA wal_autocheckpoint = 0")
    db.execute("CREATE TABLE kept_in_the_log (x)")
    for suffix in ("", "-wal"):
        shutil.copy2(f"{database}{suffix}", f"{database}{suffix}.copy")
    db.close()
    for suffix in ("-wal", "-shm"):
        Path(f"{database}{suffix}").unlink(missing_ok=True)
    Path(f"{database}.copy").rename(database)
    log = Path(f"{database}-wal.copy")
    if keep:
        os.truncate(log, keep)
        log.rename(f"{database}-wal")
    assert shop.json("tasks")["tasks"]
    assert shop.run("verify").returncode == 0
    assert shop.json("propose")["candidate"]["id"]


def test_a_database_locked_for_long(shop: Shell) -> None:
    db = sqlite3.connect(shop.home / DATABASE, isolation_level=None)
    db.execute("BEGIN IMMEDIATE")
    ended = shop.run("propose")
    assert_line(ended)
    assert "locked by another process" in ended.stderr
    db.execute("ROLLBACK")
    db.close()
    assert shop.json("propose")["candidate"]["id"]


def block_graveyard(root: Path) -> Path:
    return root / ".cortex" / "graveyard"


def block_ledger(root: Path) -> Path:
    return root / ".cortex" / "verdicts.jsonl"


def block_rules(root: Path) -> Path:
    return root / ".claude" / "rules"


@pytest.mark.parametrize("blocked", [block_ledger, block_rules])
def test_an_accept_that_cannot_finish(
    shop: Shell, gated: str, blocked: Callable[[Path], Path]
) -> None:
    """Something else lies in the place of what is to be written."""
    place = blocked(shop.cwd)
    before = harness_of(shop.cwd)
    aside = place.with_name("aside")
    if os.path.lexists(place):
        place.rename(aside)
    place.parent.mkdir(exist_ok=True)
    if blocked is block_ledger:
        place.mkdir()
        (place / "x").write_text("x")
    else:
        place.write_text("in the way\n")
    ended = shop.run("accept", gated)
    assert ended.returncode in (2, 3)
    assert "Traceback" not in ended.stderr
    shutil.rmtree(place) if place.is_dir() else place.unlink()
    if aside.exists():
        aside.rename(place)
    if blocked is block_rules:
        assert harness_of(shop.cwd) == before
    assert shop.run("accept", gated).returncode == 0
    assert len(harness_of(shop.cwd)) == len(before) + 1
    assert block_ledger(shop.cwd).is_file()


def harness_of(root: Path) -> dict[str, bytes]:
    files = (root / ".claude" / "rules").rglob("*.md")
    return {str(path.relative_to(root)): path.read_bytes() for path in files}


def test_a_prune_whose_graveyard_cannot_be_written(shop: Shell) -> None:
    place = block_graveyard(shop.cwd)
    place.parent.mkdir(exist_ok=True)
    place.write_text("in the way\n")
    before = harness_of(shop.cwd)
    ended = shop.run("prune", "naming", "--yes")
    assert "Traceback" not in ended.stderr
    assert harness_of(shop.cwd) == before
    assert place.read_text() == "in the way\n"
    place.unlink()
    assert shop.run("prune", "naming", "--yes").returncode == 0
    assert "prune" in shop.run("restore").stdout


def test_a_heartbeat_of_the_future(tmp_path: Path) -> None:
    info.announce(tmp_path, info.DaemonInfo(1, "2099-01-01T00:00:00Z"))
    os.utime(tmp_path / info.STATE, (4e9, 4e9))
    assert info.silent_for_s(tmp_path) == 0.0
