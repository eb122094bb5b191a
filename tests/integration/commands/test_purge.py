"""`cortex purge`: what was copied from sessions goes without a trace, everything else stays."""

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.integration.commands.conftest import Shell, init

from cortex.demo import playbook, story, world
from cortex.demo.recording import Recorder
from cortex.demo.world import DemoPaths

MARKER = "zzmarker"
QUOTED = "don't use float() for amounts, use Money.parse()"
"""The correction that the template writer quotes in its rule."""
TABLES = (
    "sessions", "events", "session_events", "corrections", "tasks", "candidates", "experiments",
    "trials", "verdicts", "jobs", "decisions", "previous", "meta", "blobs", "files", "expenses",
)  # fmt: skip


@dataclass
class Marked:
    """A world in which one session holds a marker wherever its text goes."""

    paths: DemoPaths
    shell: Shell
    session: str
    candidate: str

    @property
    def home(self) -> Path:
        return self.shell.home

    def rows(self, table: str) -> list[tuple[Any, ...]]:
        with sqlite3.connect(f"file:{self.home / 'cortex.db'}?mode=ro", uri=True) as db:
            return db.execute(f"SELECT * FROM {table}").fetchall()

    def marked_tables(self) -> set[str]:
        return {table for table in TABLES if MARKER in repr(self.rows(table))}


def mark(transcript: Path) -> None:
    """Put the marker into prompt, code, output and correction of a transcript."""
    text = transcript.read_text("utf-8")
    name = re.search(r"Add `(\w+)_\w+` to", text)
    assert name is not None
    text = text.replace(f"{name[1]}_", f"{MARKER}_").replace("for amounts", f"for {MARKER}")
    transcript.write_text(text, "utf-8")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Marked:
    """Sessions read, a rule proposed, gated and accepted, another one pruned."""
    paths = DemoPaths(tmp_path_factory.mktemp("marked"))
    recorder = Recorder(paths, 1)
    world.build(paths, recorder.now())
    paths.sessions.mkdir()
    paths.playbook.write_text(json.dumps(playbook.playbook()), "utf-8")
    early, late = story.recorded_sessions(1)
    recorder.record(early, lambda: None)
    recorder.write_rule()
    recorder.record(late, lambda: None)
    transcripts = list(paths.sessions.rglob("*.jsonl"))
    (quoted,) = [path for path in transcripts if QUOTED in path.read_text("utf-8")]
    mark(quoted)
    config = f'[agent]\nname = "scripted"\nplaybook = {json.dumps(str(paths.playbook))}\n'
    paths.home.mkdir(exist_ok=True)
    (paths.home / "config.toml").write_text(config, "utf-8")
    shell = Shell(paths.repository, paths.home)
    shell.json("ingest", str(paths.sessions))
    for _ in range(3):
        shell.json("evolve")
    (candidate,) = [
        each["id"]
        for each in shell.json("status")["candidates"]
        if MARKER in each["artifact"]["text"]
    ]
    shell.run("prune", "naming", "--yes")
    log = f"2026-12-03T10:00:00.000Z {quoted.stem}: internal error: {MARKER}; log: x\n{MARKER}\n"
    (paths.home / "daemon.log").write_text(f"{log}2026-12-03T10:00:01.000Z stopped\n", "utf-8")
    (paths.home / "crashes").mkdir()
    (paths.home / "crashes" / "1.log").write_text(f"ValueError: {MARKER}\n", "utf-8")
    return Marked(paths, shell, quoted.stem, candidate)


@pytest.fixture
def marked(built: Marked, tmp_path: Path) -> Iterator[Marked]:
    home = shutil.copytree(built.home, tmp_path / "home", symlinks=True)
    repository = shutil.copytree(built.paths.repository, tmp_path / "shop", symlinks=True)
    yield Marked(built.paths, Shell(built.paths.repository, home), built.session, built.candidate)
    shutil.rmtree(built.paths.repository)
    shutil.copytree(repository, built.paths.repository, symlinks=True)


def traces(home: Path, marker: str = MARKER) -> list[str]:
    """Return the files of Cortex's folder that hold the marker, git objects decompressed."""
    wanted = marker.encode()
    places = [
        str(path)
        for path in home.rglob("*")
        if path.is_file() and (wanted in path.read_bytes() or marker in str(path))
    ]
    for store in (home / "objects").glob("*.git"):
        content = subprocess.run(
            ["git", f"--git-dir={store}", "cat-file", "--batch", "--batch-all-objects"],
            check=True,
            capture_output=True,
        ).stdout
        places += [str(store)] if wanted in content else []
    return places


def intact(home: Path) -> bool:
    with sqlite3.connect(home / "cortex.db") as db:
        return db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_the_marker_is_everywhere_before(marked: Marked) -> None:
    expected = {"events", "corrections", "tasks", "candidates", "trials"}
    assert marked.marked_tables() >= expected
    assert len(traces(marked.home)) >= 3


def test_a_session_is_purged_without_a_trace(marked: Marked) -> None:
    before = {table: marked.rows(table) for table in TABLES}
    done = marked.shell.run("purge", "--session", marked.session[:8], "--yes")
    assert done.returncode == 0, done.stderr
    assert traces(marked.home) == []
    assert traces(marked.home, marked.session) == []
    assert (marked.home / "daemon.log").read_text("utf-8").endswith("stopped\n")
    after = {table: marked.rows(table) for table in TABLES}
    for table in ("sessions", "events", "corrections", "tasks", "session_events", "files"):
        kept = [row for row in before[table] if MARKER not in repr(row)]
        kept = [row for row in kept if marked.session not in repr(row)]
        same = [row for row in after[table] if row in kept]
        assert len(after["events"]) < len(before["events"])
        if table == "events":
            assert set(after[table]) <= set(before[table])
        else:
            assert same == kept, table
    assert [row[0] for row in before["trials"]] == [row[0] for row in after["trials"]]
    assert before["verdicts"] == after["verdicts"]
    verified = marked.shell.run("verify")
    assert verified.returncode == 0, verified.stdout
    assert "1 task purged" in verified.stdout


def test_a_purged_task_and_candidate_are_not_used(marked: Marked) -> None:
    assert marked.shell.run("purge", "--session", marked.session, "--yes").returncode == 0
    (task,) = marked.shell.json("tasks", "--status", "purged")["tasks"]
    assert "was purged" in marked.shell.refuses("tasks", "check", task["id"])
    for command in ("gate", "accept", "bury"):
        assert "was purged" in marked.shell.refuses(command, marked.candidate)
    assert marked.shell.json("inbox")["inbox"] == []
    shown = marked.shell.run("verdicts", "show", marked.candidate)
    assert shown.returncode == 0, shown.stderr


def test_a_purged_session_stays_away_until_it_is_asked_for(marked: Marked) -> None:
    shell, transcripts = marked.shell, str(marked.paths.sessions)
    shell.run("purge", "--session", marked.session, "--yes")
    again = shell.json("ingest", transcripts)
    assert (again["purged"], again["corrections"], again["events"]) == (1, [], 0)
    assert "cortex ingest --purged" in shell.run("ingest", transcripts).stdout
    assert traces(marked.home) == []
    back = shell.json("ingest", transcripts, "--purged")
    assert [each["session_id"] for each in back["corrections"]] == [marked.session]
    assert [task["status"] for task in back["tasks"]] == ["admitted"]
    assert shell.json("ingest", transcripts)["purged"] == 0


def test_a_repository_is_purged_with_its_verdicts(marked: Marked) -> None:
    spent = marked.shell.json("status")["spent_usd"]
    assert spent > 0
    marked.shell.run("trust")
    assert list((marked.home / "decisions").iterdir())
    done = marked.shell.run("purge", "--repo", "--yes")
    assert done.returncode == 0, done.stderr
    assert not list((marked.home / "decisions").iterdir())
    kept = {table: marked.rows(table) for table in TABLES}
    filled = {table for table, rows in kept.items() if rows}
    assert filled == {"meta", "expenses"}
    assert {key.split()[0] for key, _ in kept["meta"]} == {"purged", "purge-salt"}
    assert traces(marked.home) == []
    assert traces(marked.home, str(marked.paths.repository)) == []
    assert traces(marked.home, "clock.now") == []
    assert marked.shell.json("status")["spent_usd"] == pytest.approx(spent)
    assert (marked.paths.repository / ".claude" / "rules" / "use-money-parse.md").is_file()


def test_sessions_before_a_day(marked: Marked) -> None:
    none = marked.shell.json("purge", "--before", "2020-01-01", "--dry-run")
    assert none["amounts"] == []
    done = marked.shell.json("purge", "--before", "2100-01-01", "--yes")
    assert done["compacted"]
    assert marked.rows("sessions") == marked.rows("events") == marked.rows("corrections") == []
    assert traces(marked.home) == []
    assert marked.shell.run("verify").returncode == 0


def test_trees_that_no_task_needs_are_pruned(marked: Marked) -> None:
    marked.shell.run("purge", "--session", marked.session, "--yes")
    needed = {
        json.loads(row[-1])["base"]["tree"] for row in marked.rows("tasks") if row[2] == "admitted"
    }
    (store,) = (marked.home / "objects").glob("*.git")
    git = ("git", f"--git-dir={store}")
    refs = subprocess.run([*git, "for-each-ref"], capture_output=True, text=True, check=True).stdout
    assert {line.split()[0] for line in refs.splitlines()} == needed
    missing = subprocess.run(
        [*git, "rev-list", "--objects", "--all", "--missing=print"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    reachable = {line.split()[0] for line in missing.splitlines()}
    everything = subprocess.run(
        [*git, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert set(everything) == reachable
    assert list(store.rglob("logs")) == []


def test_a_dry_run_changes_nothing(marked: Marked) -> None:
    before = {table: marked.rows(table) for table in TABLES}
    shown = marked.shell.json("purge", "--session", marked.session, "--dry-run")
    amounts = {each["kind"]: each for each in shown["amounts"]}
    assert (amounts["sessions"]["deleted"], amounts["tasks"]["emptied"]) == (1, 1)
    assert amounts["trials"]["emptied"] > 0
    assert before == {table: marked.rows(table) for table in TABLES}
    assert traces(marked.home) != []


def test_wrong_use(marked: Marked) -> None:
    shell = marked.shell
    assert shell.refuses("purge").startswith("2 ")
    assert shell.refuses("purge", "--repo", "--before", "2026-01-01").startswith("2 ")
    assert "no such session" in shell.refuses("purge", "--session", "nope", "--yes")
    assert "no such session" in shell.refuses("purge", "--session", "", "--yes")
    assert "sessions begin so" in shell.refuses("purge", "--session", prefix(marked), "--yes")
    assert "not a date" in shell.refuses("purge", "--before", "soon", "--yes")
    assert "--yes" in shell.refuses("purge", "--session", marked.session)
    assert "Nothing is stored" in shell.run("purge", "--repo", "/nowhere", "--yes").stdout


def prefix(marked: Marked) -> str:
    """Return a letter with which several sessions begin."""
    letters = [str(row[0])[0] for row in marked.rows("sessions")]
    return max(letters, key=letters.count)


def test_another_repository_is_left_alone(marked: Marked, tmp_path: Path) -> None:
    other = init(tmp_path / "other")
    before = {table: marked.rows(table) for table in TABLES}
    done = marked.shell.run("purge", "--repo", str(other), "--yes")
    assert "Nothing is stored" in done.stdout
    assert before == {table: marked.rows(table) for table in TABLES}


def test_a_reader_delays_the_compaction_and_the_same_command_finishes_it(marked: Marked) -> None:
    reader = sqlite3.connect(marked.home / "cortex.db", isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM events").fetchone()
    done = marked.shell.run("purge", "--session", marked.session[:8], "--yes")
    assert done.returncode == 3
    assert "not compacted yet" in done.stderr
    assert done.stderr.count("\n") == 1
    reader.execute("COMMIT")
    reader.close()
    again = marked.shell.run("purge", "--session", marked.session[:8], "--yes")
    assert again.returncode == 0, again.stderr
    assert traces(marked.home) == []


def test_an_idle_reader_is_no_obstacle(marked: Marked) -> None:
    reader = sqlite3.connect(f"file:{marked.home / 'cortex.db'}?mode=ro", uri=True)
    assert reader.execute("SELECT count(*) FROM events").fetchone()[0]
    done = marked.shell.run("purge", "--session", marked.session, "--yes")
    assert done.returncode == 0, done.stderr
    assert traces(marked.home) == []
    reader.close()


def test_a_running_experiment_is_not_pulled_from_under(marked: Marked) -> None:
    from cortex.commands.context import Context
    from cortex.commands.locks import alone
    from cortex.config import Config
    from cortex_store import Store

    experiment = str(marked.rows("experiments")[0][0])
    before = {table: marked.rows(table) for table in TABLES}
    with (
        Store.open(marked.home / "cortex.db") as store,
        alone(Context(store, Config(), marked.home), experiment, ""),
    ):
        refused = marked.shell.refuses("purge", "--session", marked.session, "--yes")
    assert refused.startswith("3 ")
    assert "cortex daemon stop" in refused
    assert before == {table: marked.rows(table) for table in TABLES}
    assert (marked.home / "crashes" / "1.log").exists()


KILLED = """
import os, signal, sys
from importlib import import_module
module, name, when, *arguments = sys.argv[1:]
owner = import_module(module)
*path, last = name.split(".")
for part in path:
    owner = getattr(owner, part)
original = getattr(owner, last)

def killed(*positional, **named):
    if when == "after":
        original(*positional, **named)
    os.kill(os.getpid(), signal.SIGKILL)

setattr(owner, last, killed)
from cortex.cli.main import main
sys.exit(main(arguments))
"""
"""Runs a command that kills itself before or after it calls a function."""


@pytest.mark.parametrize(
    ("module", "name", "when", "deleted"),
    [
        ("cortex.commands.purge", "purge_logs.remove_lines", "after", False),
        ("cortex_store.purge_rows", "_delete_rows", "after", False),
        ("cortex.commands.purge", "delete", "after", False),
        ("cortex.commands.purge", "_finish", "before", True),
        ("cortex_replay.objects", "ObjectStore.forget", "after", True),
        ("cortex_replay.objects", "ObjectStore.prune", "after", True),
        ("cortex_store.compaction", "_check_room", "after", True),
        ("cortex_store.compaction", "_retried", "after", True),
        ("cortex.commands.purge", "compact", "after", True),
        ("cortex.commands.purge", "empty_log", "before", True),
    ],
)
def test_a_kill_leaves_a_whole_database_and_the_same_command_finishes(
    marked: Marked, module: str, name: str, when: str, deleted: bool
) -> None:
    arguments = ("purge", "--session", marked.session, "--yes")
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, module, name, when, *arguments],
        cwd=marked.shell.cwd,
        env={**os.environ, "CORTEX_HOME": str(marked.home)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert intact(marked.home)
    assert (marked.session not in repr(marked.rows("sessions"))) is deleted
    assert marked.shell.run("verify").returncode == 0
    again = marked.shell.run("purge", "--session", marked.session, "--yes")
    assert again.returncode == 0, again.stderr
    assert traces(marked.home) == []
    assert "purge-pending" not in dict(marked.rows("meta"))
    assert marked.shell.run("verify").returncode == 0
    with sqlite3.connect(marked.home / "cortex.db") as db, pytest.raises(sqlite3.Error):
        db.execute("DELETE FROM trials")


def test_a_repack_that_was_killed_leaves_nothing_behind(marked: Marked) -> None:
    (store,) = (marked.home / "objects").glob("*.git")
    stale = store / "objects" / "pack" / ".tmp-77-pack-0123.pack"
    stale.write_bytes(MARKER.encode())
    (stale.parent / "tmp_pack_Ab12").write_bytes(MARKER.encode())
    marked.shell.run("purge", "--session", marked.session, "--yes")
    assert traces(marked.home) == []


def test_a_hand_edit_goes_with_the_session_that_shows_it(marked: Marked) -> None:
    edit = next(
        json.loads(row[-1]) for row in marked.rows("corrections") if marked.session not in repr(row)
    )
    later = json.dumps({**edit, "later_session_id": marked.session})
    with sqlite3.connect(marked.home / "cortex.db") as db:
        db.execute("UPDATE corrections SET record = ? WHERE id = ?", (later, edit["id"]))
    marked.shell.run("purge", "--session", marked.session, "--yes")
    assert edit["id"] not in {row[0] for row in marked.rows("corrections")}
    assert edit["session_id"] in {row[0] for row in marked.rows("sessions")}
    assert f"built {edit['id']}" not in dict(marked.rows("meta"))
    assert len(marked.shell.json("tasks", "--status", "purged")["tasks"]) == 2
    assert marked.shell.run("verify").returncode == 0


def test_lines_of_a_fork_stay_with_the_fork(marked: Marked, tmp_path: Path) -> None:
    (transcript,) = marked.paths.sessions.rglob(f"{marked.session}.jsonl")
    fork = "11111111-2222-4333-8444-555555555555"
    copy = tmp_path / "projects" / f"{fork}.jsonl"
    copy.parent.mkdir()
    copy.write_text(transcript.read_text("utf-8").replace(marked.session, fork), "utf-8")
    marked.shell.json("ingest", str(copy))
    shown = marked.shell.json("purge", "--session", marked.session, "--yes")
    assert shown["shared_with"] == [fork]
    assert traces(marked.home, marked.session) == []
    assert MARKER in repr(marked.rows("events"))
    assert marked.shell.run("verify").returncode == 0
    assert marked.shell.json("purge", "--session", fork, "--yes")["shared_with"] == []
    assert traces(marked.home) == []


def test_sub_agents_go_with_their_session(marked: Marked, tmp_path: Path) -> None:
    (transcript,) = marked.paths.sessions.rglob(f"{marked.session}.jsonl")
    inner = tmp_path / "projects" / "subagents" / "agent-a1.jsonl"
    inner.parent.mkdir(parents=True)
    text = transcript.read_text("utf-8")
    for uuid in set(re.findall(r'"uuid": ?"([^"]+)"', text)):
        text = text.replace(uuid, f"sub-{uuid}")
    inner.write_text(text, "utf-8")
    marked.shell.json("ingest", str(inner))
    assert f"{marked.session}/agent-a1" in repr(marked.rows("sessions"))
    marked.shell.run("purge", "--session", marked.session, "--yes")
    assert traces(marked.home) == []
    assert marked.shell.json("ingest", str(inner))["purged"] == 1
    assert traces(marked.home) == []


def test_the_note_about_an_unreadable_transcript_goes(marked: Marked, tmp_path: Path) -> None:
    session = "99999999-2222-4333-8444-555555555555"
    (transcript,) = marked.paths.sessions.rglob(f"{marked.session}.jsonl")
    unread = tmp_path / f"{session}.jsonl"
    unread.write_text(transcript.read_text("utf-8").replace(marked.session, session), "utf-8")
    with sqlite3.connect(marked.home / "cortex.db") as db:
        db.execute("INSERT INTO meta VALUES (?, '0 x')", (f"quarantined {unread}",))
    done = marked.shell.run("purge", "--session", "99999999", "--yes")
    assert done.returncode == 0, done.stderr
    assert traces(marked.home, session) == []
    assert marked.shell.json("ingest", str(unread))["purged"] == 1


def test_too_little_room_is_named_and_the_rows_are_gone(marked: Marked) -> None:
    program = (
        "import sys; from cortex_store import compaction; compaction.SPARE_BYTES = 1 << 60;"
        "from cortex.cli.main import main; sys.exit(main(sys.argv[1:]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "purge", "--session", marked.session, "--yes"],
        cwd=marked.shell.cwd,
        env={**os.environ, "CORTEX_HOME": str(marked.home)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3
    assert "free disk space" in done.stderr
    assert MARKER not in repr([marked.rows(table) for table in TABLES])
    report = marked.shell.json("privacy", "report")
    assert report["purge_pending"]
    assert marked.shell.run("purge", "--session", marked.session, "--yes").returncode == 0
    assert not marked.shell.json("privacy", "report")["purge_pending"]
    assert traces(marked.home) == []


def test_a_running_daemon_does_not_read_a_purged_session_again(marked: Marked) -> None:
    config = marked.home / "config.toml"
    folder = marked.paths.sessions / "projects"
    config.write_text(f"transcripts = [{json.dumps(str(folder))}]\n{config.read_text()}", "utf-8")
    (transcript,) = folder.rglob(f"{marked.session}.jsonl")
    before = transcript.read_text("utf-8")
    started = marked.shell.run("daemon", "start")
    assert started.returncode == 0, started.stderr
    try:
        done = marked.shell.run("purge", "--session", marked.session, "--yes")
        assert done.returncode == 0, done.stderr
        lines = before.splitlines(keepends=True)
        transcript.write_text(before + lines[0].replace("uuid", "other"), "utf-8")
        time.sleep(2)
        assert traces(marked.home) == []
        assert traces(marked.home, marked.session) == []
    finally:
        transcript.write_text(before, "utf-8")
        assert marked.shell.run("daemon", "stop").returncode == 0


RACING = """
import subprocess, sys
from importlib import import_module
module, name, *arguments = sys.argv[1:]
owner = import_module(module)
original, purged = getattr(owner, name), []

def raced(*positional, **named):
    result = original(*positional, **named)
    if not purged:
        command = (sys.executable, "-m", "cortex.cli.main", "purge", "--before", "2100-01-01")
        purged.append(subprocess.run((*command, "--yes"), check=True, capture_output=True))
    return result

setattr(owner, name, raced)
from cortex.cli.main import main
sys.exit(main(arguments))
"""
"""Runs a command during which everything is purged, just after it called a function."""


def race(marked: Marked, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", RACING, *arguments],
        cwd=marked.shell.cwd,
        env={**os.environ, "CORTEX_HOME": str(marked.home)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("module", "name"), [("cortex.commands.ingest", "mine"), ("cortex.commands.building", "admit")]
)
def test_what_an_ingestion_has_in_memory_does_not_come_back(
    marked: Marked, module: str, name: str
) -> None:
    for file in marked.home.glob("cortex.db*"):
        file.unlink()
    shutil.rmtree(marked.home / "crashes")
    (marked.home / "daemon.log").unlink()
    done = race(marked, module, name, "ingest", str(marked.paths.sessions))
    assert done.returncode == 0, done.stderr
    for table in ("sessions", "events", "corrections", "tasks"):
        assert marked.rows(table) == [], table
    assert {row[0].split()[0] for row in marked.rows("meta")} <= {"purged", "purge-salt"}
    assert traces(marked.home) == []


def test_an_experiment_does_not_begin_with_purged_tasks(marked: Marked, tmp_path: Path) -> None:
    rule = tmp_path / "lists.md"
    rule.write_text("Keep every list in the order of its names, also in tests.\n", "utf-8")
    candidate = marked.shell.json("propose", "--from", str(rule))["candidate"]["id"]
    before = marked.rows("experiments")
    done = race(marked, "cortex.commands.experiments", "prepare", "gate", candidate)
    assert done.returncode == 2
    assert "was purged" in done.stderr
    assert marked.rows("experiments") == before
    assert traces(marked.home) == []


def test_what_verdicts_and_jobs_quote_of_a_trial_goes(marked: Marked) -> None:
    note = f"Stopped: the agent could not be run: {MARKER}."
    with sqlite3.connect(marked.home / "cortex.db") as db:
        db.execute("DROP TRIGGER verdicts_no_update")
        rows = db.execute("SELECT id, record, repository, candidate_id FROM verdicts").fetchall()
        for key, record, repository, candidate in rows:
            verdict = json.loads(record)
            verdict["reason"] += f" {note}"
            db.execute("UPDATE verdicts SET record = ? WHERE id = ?", (json.dumps(verdict), key))
            db.execute(
                "INSERT INTO jobs (repository, candidate_id, status, note, created_at)"
                " VALUES (?, ?, 'done', ?, '')",
                (repository, candidate, f"undecided: {note}"),
            )
    # Trials of every experiment ran the tasks of these sessions.
    marked.shell.run("purge", "--before", "2100-01-01", "--yes")
    assert traces(marked.home) == []
    assert marked.shell.run("verify").returncode == 0
