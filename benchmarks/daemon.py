"""The daemon: latency from a transcript line to a stored correction, and CPU use while idle.

python -m benchmarks.daemon [--lines N] [--idle SECONDS] [--json]
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests import growing

from benchmarks.machine import commit, machine
from benchmarks.promises import promise, show
from cortex.commands.context import DATABASE
from cortex_store import Store

LATENCY_S, IDLE_SHARE, START_S = 1.0, 0.005, 2.0


def launch(home: Path) -> "tuple[subprocess.Popen[bytes], float]":
    """Start a daemon; return it with the seconds until it was ready."""
    clock = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", "cortex.daemon"],
        env={**os.environ, "CORTEX_HOME": str(home)}, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    state = home / "daemon.json"
    while True:
        time.sleep(0.01)
        try:
            info = json.loads(state.read_text())
        except (OSError, ValueError):
            continue
        if info["pid"] == process.pid and info["ready"]:
            return process, time.monotonic() - clock


def latencies(home: Path, transcripts: Path, lines: int) -> list[float]:
    """Return the seconds of each line until its correction is in the store."""
    times = []
    with Store.open(home / DATABASE, read_only=True) as store:
        for number in range(lines):
            session = growing.session(transcripts / str(number % 10), number)
            session.grow(growing.REJECTION)
            time.sleep(0.3)
            clock = time.monotonic()
            session.grow(growing.REJECTION + 1)
            while store.execute("SELECT count(*) FROM corrections").fetchone()[0] <= number:
                time.sleep(0.005)
            times.append(time.monotonic() - clock)
    return sorted(times)


def idle_share(pid: int, seconds: float) -> float:
    """Return the share of a core that the daemon uses while idle."""

    def cpu_seconds() -> float:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    time.sleep(2)
    before = cpu_seconds()
    time.sleep(seconds)
    return (cpu_seconds() - before) / seconds


def report(lines: int, idle: float) -> dict[str, Any]:
    """Measure everything and compare with the promises."""
    started = commit()
    with tempfile.TemporaryDirectory() as folder:
        home, transcripts = Path(folder) / "home", Path(folder) / "transcripts"
        for created in (home, transcripts):
            created.mkdir()
        (home / "config.toml").write_text(f'transcripts = ["{transcripts}"]\n')
        process, start = launch(home)
        try:
            times = latencies(home, transcripts, lines)
            share = idle_share(process.pid, idle)
        finally:
            process.kill()
            process.wait()
        process, restart = launch(home)
        process.terminate()
        process.wait()
    p95 = times[int(0.95 * (len(times) - 1))]
    row = {"lines": lines, "median_s": round(statistics.median(times), 3), "p95_s": round(p95, 3),
           "idle_share": round(share, 4), "start_s": round(start, 2),
           "start_after_kill_s": round(restart, 2)}  # fmt: skip
    must = [
        ("latency", "95% of lines to corrections, s", row["p95_s"], LATENCY_S),
        ("idle", "share of a core while idle", row["idle_share"], IDLE_SHARE),
        ("start", "start after a kill, s", row["start_after_kill_s"], START_S),
    ]
    promised = [promise(*figure) for figure in must]
    return {"benchmark": "daemon", "commit": started, "machine": machine(), "rows": [row],
            "must": promised}  # fmt: skip


def main() -> int:
    """Print the figures; exit code 1 when a promise does not hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=200)
    parser.add_argument("--idle", type=float, default=60.0)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    measured = report(options.lines, options.idle)
    return show(measured, [str(measured["rows"][0])], as_json=options.json)


if __name__ == "__main__":
    sys.exit(main())
