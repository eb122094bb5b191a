"""Kills at any moment of ingest, gate, accept, restore and a commit with the hook.

After each kill the database must be whole, the next start quick, and the same work done again must
end as if nothing had happened: nothing lost, nothing doubled.

python -m benchmarks.crash [--kills N] [--seed S] [--json]
"""

import argparse
import json
import os
import random
import shutil
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.machine import commit, machine
from benchmarks.promises import promise, show

START_S = 2.0
RULE = "Keep every list in the order of its names, also in tests and in the documents.\n"
IDENTITY = ("-c", "user.name=Sam", "-c", "user.email=sam@shop.example")
NAMING = ".claude/rules/naming.md"


@dataclass
class World:
    """The demo's repository with a prune that waits, as it was and as it is."""

    folder: Path
    naming: bytes = b""
    prune: str = ""
    candidate: str = ""

    @property
    def shop(self) -> Path:
        """The repository."""
        return self.folder / "demo" / "shop"

    @property
    def home(self) -> Path:
        """Cortex's folder."""
        return self.folder / "demo" / "cortex-home"

    @property
    def env(self) -> dict[str, str]:
        """The environment of every command."""
        return {
            **os.environ,
            "CORTEX_HOME": str(self.home),
            "CORTEX_TRIALS": str(self.folder / "trials"),
        }

    def cortex(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """Run a command to its end."""
        return subprocess.run(
            [sys.executable, "-P", "-m", "cortex.cli.main", *arguments],
            cwd=self.shop if self.shop.is_dir() else self.folder,
            env=self.env,
            capture_output=True,
            text=True,
            check=False,
        )

    def done(self, *arguments: str) -> Any:
        """Run a command that must succeed; return its JSON."""
        ended = self.cortex(*arguments, "--json")
        assert ended.returncode == 0, (arguments, ended.stderr)
        return json.loads(ended.stdout)

    def fresh(self) -> None:
        """Bring repository and database back to how they were."""
        for name in ("shop", "cortex-home"):
            shutil.rmtree(self.folder / "demo" / name, ignore_errors=True)
            shutil.copytree(
                self.folder / "clean" / name, self.folder / "demo" / name, symlinks=True
            )
        if not self.home.is_dir():
            self.home.mkdir()

    def count(self, table: str) -> int:
        """Return the number of rows of a table; 0 when there is none yet."""
        try:
            with sqlite3.connect(f"file:{self.home / 'cortex.db'}?mode=ro", uri=True) as db:
                return int(db.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
        except sqlite3.OperationalError:
            return 0

    def graves(self) -> list[bytes]:
        """Return the texts of the entries about the prune that waits."""
        places = (self.shop / ".cortex" / "graveyard").glob("naming-*/text.md")
        return [place.read_bytes() for place in places]

    def texts(self) -> list[bytes]:
        """Return the rule that is to be pruned, wherever it is."""
        rule = self.shop / NAMING
        return [*self.graves(), *([rule.read_bytes()] if rule.exists() else [])]


def build(folder: Path) -> World:
    """Run the demo, and leave a prune and a proposal that wait."""
    world = World(folder)
    demo = world.cortex("demo", "--keep", str(folder / "demo"))
    assert demo.returncode == 0, demo.stderr
    (grave,) = (world.shop / ".cortex" / "graveyard").glob("naming-*")
    assert world.cortex("restore", grave.name).returncode == 0
    verdicts = world.done("verdicts")["verdicts"]
    prune = [each for each in verdicts if each["verdict"]["ruling"] == "prune"][-1]
    world.prune = prune["candidate"]["id"]
    assert world.cortex("gate", world.prune).returncode == 0
    rule = folder / "lists.md"
    rule.write_text(RULE, "utf-8")
    world.candidate = world.done("propose", "--from", str(rule))["candidate"]["id"]
    for arguments in (("add", "-A"), ("commit", "-q", "--no-verify", "-m", "Rules")):
        subprocess.run(["git", *IDENTITY, *arguments], cwd=world.shop, check=True, env=world.env)
    world.naming = (world.shop / NAMING).read_bytes()
    for name in ("shop", "cortex-home"):
        shutil.copytree(folder / "demo" / name, folder / "clean" / name, symlinks=True)
    return world


@dataclass(frozen=True)
class Work:
    """Something that is killed and then done again."""

    command: Callable[[World], list[str]]
    prepare: Callable[[World], None]
    look: Callable[[World], dict[str, Any]]
    """What is there in the end; the same as after an undisturbed run."""


def _cli(*arguments: str) -> list[str]:
    return [sys.executable, "-P", "-m", "cortex.cli.main", *arguments]


def _nothing(_: World) -> None:
    pass


def _empty_home(world: World) -> None:
    for name in ("cortex.db", "cortex.db-wal", "cortex.db-shm"):
        (world.home / name).unlink(missing_ok=True)


def _accepted(world: World) -> None:
    assert world.cortex("accept", world.prune).returncode == 0


def _hooked(world: World) -> None:
    assert world.cortex("hook", "install").returncode == 0


def _grave(world: World) -> str:
    places = sorted((world.shop / ".cortex" / "graveyard").glob("naming-*"))
    return places[0].name if places else "naming-none"


def _ingested(world: World) -> dict[str, Any]:
    return {table: world.count(table) for table in ("corrections", "tasks", "events", "sessions")}


def _gated(world: World) -> dict[str, Any]:
    with sqlite3.connect(f"file:{world.home / 'cortex.db'}?mode=ro", uri=True) as db:
        rows = db.execute(
            "SELECT json_extract(trials.record, '$.task_id'), json_extract(trials.record, '$.arm'),"
            " json_extract(trials.record, '$.pair') FROM trials"
            " JOIN experiments ON experiments.id = experiment_id WHERE candidate_id = ?",
            (world.candidate,),
        ).fetchall()
        rulings = db.execute(
            "SELECT DISTINCT ruling FROM verdicts WHERE candidate_id = ?", (world.candidate,)
        ).fetchall()
    # The number of trials may differ: an arm that was killed is run again.
    return {"rulings": rulings, "doubled": len(rows) - len(set(rows))}


def _pruned(world: World) -> dict[str, Any]:
    return {
        "rule": (world.shop / NAMING).exists(),
        "texts": [text == world.naming for text in world.texts()],
        "left": [path.name for path in (world.shop / ".cortex" / "graveyard").glob(".*")],
    }


WORKS = {
    "ingest": Work(
        lambda world: _cli("ingest", str(world.folder / "demo" / "agent" / "projects")),
        _empty_home,
        _ingested,
    ),
    "gate": Work(lambda world: _cli("gate", world.candidate), _nothing, _gated),
    "accept": Work(lambda world: _cli("accept", world.prune), _nothing, _pruned),
    "restore": Work(lambda world: _cli("restore", _grave(world)), _accepted, _pruned),
    "hook": Work(
        lambda _: ["git", *IDENTITY, "commit", "-q", "--allow-empty", "-m", "Work"],
        _hooked,
        _pruned,
    ),
}


def play(world: World, work: Work, kill_after_s: float | None) -> tuple[float, bool]:
    """Run the work, kill its whole group after a time; return its seconds and whether it ended."""
    start = time.monotonic()
    process = subprocess.Popen(
        work.command(world),
        cwd=world.shop,
        env=world.env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        process.wait(kill_after_s)
        ended = True
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        ended = False
    return time.monotonic() - start, ended


def undisturbed(world: World, work: Work) -> tuple[float, dict[str, Any]]:
    """Return the seconds of the work and what it leaves."""
    world.fresh()
    work.prepare(world)
    seconds, _ = play(world, work, None)
    return seconds, work.look(world)


def killed(world: World, work: Work, after_s: float, expected: dict[str, Any]) -> list[str]:
    """Return what is wrong after a kill and the same work again."""
    world.fresh()
    work.prepare(world)
    play(world, work, after_s)
    faults = []
    if not all(text == world.naming for text in world.texts()) or not world.texts():
        faults.append("lost")
    start = time.monotonic()
    if world.cortex("status").returncode != 0:
        faults.append("no start")
    if time.monotonic() - start > START_S:
        faults.append("slow start")
    with sqlite3.connect(world.home / "cortex.db") as db:
        if db.execute("PRAGMA integrity_check").fetchone()[0] != "ok":
            faults.append("damaged")
    lock = world.shop / ".git" / "index.lock"
    lock.unlink(missing_ok=True)  # Git's own, after a kill of git: git says to remove it.
    play(world, work, None)
    seen = work.look(world)
    if seen != expected:
        faults.append(f"differs: {seen} instead of {expected}")
    if world.cortex("verify").returncode != 0:
        faults.append("verify")
    return faults


def measure(kills: int, seed: int) -> dict[str, Any]:
    """Kill each kind of work equally often."""
    rng = random.Random(seed)
    faults: Counter[str] = Counter()
    rows = []
    # A git that a killed process had started may still write for a moment.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        world = build(Path(name))
        for kind, work in WORKS.items():
            runs = [undisturbed(world, work) for _ in range(2)]
            seconds, expected = statistics.mean(run[0] for run in runs), runs[0][1]
            assert runs[1][1] == expected, (kind, runs)
            count = kills // len(WORKS)
            for _ in range(count):
                for fault in killed(world, work, rng.uniform(0.02, seconds), expected):
                    faults[f"{kind}: {fault}"] += 1
            rows.append({"what": kind, "kills": count, "seconds": round(seconds, 2)})
    harm = "kills that lost, doubled, damaged or slowed something"
    must = promise("crash-faults", harm, sum(faults.values()), 0)
    return {
        "benchmark": "crash",
        "commit": commit(),
        "machine": machine(),
        "seed": seed,
        "rows": rows,
        "faults": dict(faults.most_common()),
        "must": [must],
    }


def main() -> int:
    """Return 1 when a kill did harm."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    measured = measure(options.kills, options.seed)
    lines = [
        *(f"{row['what']}: {row['kills']} kills in {row['seconds']} s" for row in measured["rows"]),
        *(f"  {count} x {fault}" for fault, count in measured["faults"].items()),
    ]
    return show(measured, lines, as_json=options.json)


if __name__ == "__main__":
    sys.exit(main())
