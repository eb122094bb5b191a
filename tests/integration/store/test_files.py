"""The database as a file: private, durable under SIGKILL, and never over something else."""

import os
import random
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cortex.errors import MachineError
from cortex_store import Store

WRITER = """
import sys
from pathlib import Path
from cortex_store import Store
store = Store.open(Path(sys.argv[1]))
name = sys.argv[2]
for number in range(int(sys.argv[3])):
    with store.transaction():
        store.key_values.set(f"{name} {number}", "x" * 200)
        store.key_values.set(f"last {name}", str(number))
    print(number, flush=True)
"""


def start(path: Path, name: str, count: int) -> "subprocess.Popen[str]":
    argv = [sys.executable, "-c", WRITER, str(path), name, str(count)]
    return subprocess.Popen(argv, stdout=subprocess.PIPE, text=True)


def test_the_database_is_private(tmp_path: Path) -> None:
    path = tmp_path / "home" / "cortex.db"
    with Store.open(path):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_nothing_acknowledged_is_lost_under_sigkill(tmp_path: Path) -> None:
    path = tmp_path / "cortex.db"
    draw = random.Random(7)
    for round_ in range(10):
        process = start(path, f"w{round_}", 100_000)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(draw.uniform(0.0, 0.05))
        os.kill(process.pid, signal.SIGKILL)
        acknowledged = [int(line) for line in process.stdout.read().split("\n") if line.isdigit()]
        process.wait()
        with Store.open(path) as store:
            assert store.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            last = int(store.key_values.get(f"last w{round_}") or -1)
            assert last >= max(acknowledged, default=0)
            assert store.key_values.get(f"w{round_} {last}") is not None
            assert store.key_values.get(f"w{round_} {last + 1}") is None


def test_two_writers_lose_no_rows_and_a_reader_sees_the_change(tmp_path: Path) -> None:
    path = tmp_path / "cortex.db"
    with Store.open(path):
        pass
    with Store.open(path, read_only=True) as reader:
        before = reader.data_version()
        writers = [start(path, name, 100) for name in ("a", "b")]
        for writer in writers:
            out, _ = writer.communicate(timeout=60)
            assert writer.returncode == 0
            assert out.count("\n") == 100
        assert reader.data_version() != before
        assert reader.execute("SELECT count(*) FROM meta").fetchone() == (202,)


def test_a_reader_of_nothing_sees_an_empty_store_and_makes_no_file(tmp_path: Path) -> None:
    path = tmp_path / "cortex.db"
    with Store.open(path, read_only=True) as store:
        assert store.sessions.all() == ()
    assert not path.exists()


def test_a_reader_cannot_write(tmp_path: Path) -> None:
    path = tmp_path / "cortex.db"
    with Store.open(path):
        pass
    with Store.open(path, read_only=True) as store, pytest.raises(MachineError, match="read-only"):
        store.key_values.set("a", "b")


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize("content", [b"not a database, just text" * 100, b"\x00" * 5000])
def test_a_damaged_file_is_named_and_left_alone(
    tmp_path: Path, content: bytes, read_only: bool
) -> None:
    path = tmp_path / "cortex.db"
    path.write_bytes(content)
    with pytest.raises(MachineError, match="damaged") as error:
        Store.open(path, read_only=read_only)
    assert "\n" not in str(error.value)
    assert path.read_bytes() == content


def test_a_folder_in_its_place_is_named(tmp_path: Path) -> None:
    (tmp_path / "cortex.db").mkdir()
    with pytest.raises(MachineError, match="is a folder"):
        Store.open(tmp_path / "cortex.db")


def test_a_newer_schema_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cortex.db"
    with Store.open(path):
        pass
    with sqlite3.connect(path) as raw:
        raw.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at)"
            " VALUES ('cortex', 'from_the_future', 'x')"
        )
    with pytest.raises(MachineError, match="newer Cortex"):
        Store.open(path)


def test_a_locked_database_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cortex_store.connection.BUSY_TIMEOUT_S", 0.1)
    path = tmp_path / "cortex.db"
    with Store.open(path) as store, sqlite3.connect(path, isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(MachineError, match="database is locked"):
            store.key_values.set("a", "b")
        other.execute("ROLLBACK")
        store.key_values.set("a", "b")
