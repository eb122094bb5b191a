"""How long `cortex --help`, `status`, `tasks`, `verdicts` and `inbox` take, as processes.

With the database of the demo, and with one of 100,000 sessions that is made from it.

python -m benchmarks.startup [--json] [--demo FOLDER]

FOLDER is what `cortex demo --keep FOLDER` left; without it the demo runs first, a minute.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.machine import commit, machine
from benchmarks.promises import promise, show
from cortex_store import Store

COMMANDS = ("--help", "status", "tasks", "verdicts", "inbox")
LIMITS_MS = dict.fromkeys(COMMANDS, 250) | {"--help": 120}
BASELINE = "python -c pass"
ROUNDS = 11
SESSIONS, PROJECTS = 100_000, 5
COPIES, CANDIDATE_COPIES = 200, 50
"""Of each task and correction, and of each candidate with its trials and verdicts."""

_NUMBERS = (
    "WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {last})"
)
_PROJECT = (
    f"CASE n % {PROJECTS} WHEN 0 THEN {{folder}} ELSE '/home/dev/project-' || n % {PROJECTS} END"
)
_COPIED = {
    "corrections": (
        COPIES,
        "id || '-' || n, session_id, {cwd}, at, dismissed,"
        " json_set(record, '$.id', id || '-' || n, '$.cwd', {cwd})",
    ),
    "tasks": (
        COPIES,
        "id || '-' || n, {repository}, status, reason, created_at,"
        " json_set(record, '$.id', id || '-' || n, '$.base.repository', {repository})",
    ),
    "candidates": (
        CANDIDATE_COPIES,
        "id || '-' || n, {repository}, status, created_at, json_set(record, '$.id', id || '-' || n,"
        " '$.artifact.path', '.claude/rules/measured-' || n || '.md')",
    ),
    "decisions": (CANDIDATE_COPIES, "candidate_id || '-' || n, at, decision"),
    "experiments": (
        CANDIDATE_COPIES,
        "id || '-' || n, candidate_id || '-' || n, lock, created_at",
    ),
    "trials": (
        CANDIDATE_COPIES,
        "id || '-' || n, experiment_id || '-' || n, started_at, cost_usd, json_set(record,"
        " '$.id', id || '-' || n, '$.experiment_id', experiment_id || '-' || n)",
    ),
    "verdicts": (
        CANDIDATE_COPIES,
        "id || '-' || n, {repository}, candidate_id || '-' || n, experiment_id || '-' || n, ruling,"
        " created_at, json_set(record, '$.id', id || '-' || n, '$.candidate_id',"
        " candidate_id || '-' || n, '$.experiment_id', experiment_id || '-' || n)",
    ),
}


def grow(database: Path) -> None:
    """Multiply the rows of the demo: the same rows at each call."""
    with Store.open(database) as store, store.transaction():
        rows = int(store.execute("SELECT count(*) FROM sessions WHERE own = 0").fetchone()[0])
        cwd = _PROJECT.format(folder="json_extract(record, '$.cwd')")
        store.execute(
            f"{_NUMBERS.format(last=SESSIONS // rows + 1)} INSERT INTO sessions SELECT"
            " id || '-' || n, own, started_at,"
            f" json_set(record, '$.id', id || '-' || n, '$.cwd', {cwd})"
            " FROM sessions, numbers WHERE own = 0 LIMIT ?",
            (SESSIONS - rows,),
        )
        for table, (copies, columns) in _COPIED.items():
            selected = columns.format(
                cwd=_PROJECT.format(folder="cwd"), repository=_PROJECT.format(folder="repository")
            )
            store.execute(
                f"{_NUMBERS.format(last=copies)} INSERT INTO {table} SELECT {selected}"
                f" FROM {table}, numbers"
            )


@contextmanager
def demo(kept: Path | None) -> Iterator[Path]:
    """Yield a copy of the folder that a demo leaves."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder).resolve() / "demo"
        if kept is None:
            command = [sys.executable, "-m", "cortex.cli.main", "demo", "--keep", str(copy)]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        else:
            shutil.copytree(kept, copy, symlinks=True)
        yield copy


def measure(folder: Path) -> dict[str, list[float]]:
    """Return the milliseconds of each command, run in turns, after a round that is not counted.

    That round compiles modules and brings the database up to date.
    """
    unbuffered = {key: value for key, value in os.environ.items() if "DONTWRITE" not in key}
    env = {**unbuffered, "CORTEX_HOME": str(folder / "cortex-home")}
    calls = {BASELINE: (sys.executable, "-c", "pass")} | {
        name: (sys.executable, "-m", "cortex.cli.main", name) for name in COMMANDS
    }
    times: dict[str, list[float]] = {name: [] for name in calls}
    for number in range(ROUNDS + 1):
        for name, command in calls.items():
            clock = time.perf_counter()
            subprocess.run(command, cwd=folder / "shop", env=env, check=True, capture_output=True)
            if number:
                times[name].append(1000 * (time.perf_counter() - clock))
    return times


def report(kept: Path | None = None) -> dict[str, Any]:
    """Measure all commands with both databases."""
    rows, must = [], []
    with demo(kept) as folder:
        for store in ("demo", f"{SESSIONS:,} sessions"):
            if store != "demo":
                grow(folder / "cortex-home" / "cortex.db")
            for name, times in measure(folder).items():
                median = round(statistics.median(times), 1)
                what = name if name == BASELINE else f"cortex {name}"
                spread = {"min_ms": round(min(times), 1), "max_ms": round(max(times), 1)}
                rows.append({"store": store, "what": what, "median_ms": median, **spread})
                if name in LIMITS_MS:
                    must.append(_promise(store, name, median))
    return {"benchmark": "startup", "commit": commit(), "machine": machine(), "rows": rows,
            "must": must}  # fmt: skip


def _promise(store: str, name: str, median: float) -> dict[str, Any]:
    what = f"`cortex {name}`, store: {store}, ms"
    return promise(f"startup-{name.lstrip('-')}-{store.split()[0]}", what, median, LIMITS_MS[name])


def main() -> int:
    """Print the figures; exit code 1 when a promise does not hold."""
    parser = argparse.ArgumentParser(prog="benchmarks.startup", description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--demo", type=Path, metavar="FOLDER")
    options = parser.parse_args()
    measured = report(options.demo)
    lines = (
        f"{row['store']:<17} {row['what']:<17} {row['median_ms']:>7} ms"
        f" ({row['min_ms']} to {row['max_ms']})"
        for row in measured["rows"]
    )
    return show(measured, lines, as_json=options.json)


if __name__ == "__main__":
    sys.exit(main())
