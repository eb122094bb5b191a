"""Time that the git hook adds to a commit in a repository with 200 rules with verdicts.

python -m benchmarks.hook [--json]
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.machine import commit, machine
from benchmarks.promises import promise, show
from cortex.artifacts import harness
from cortex.hook import __file__ as package_file

RULES, ROUNDS, LIMIT_MS = 200, 15, 150
HOOK = Path(package_file).with_name("__main__.py")
"""Started as the git hook starts it."""


def build(root: Path) -> None:
    """Create the repository and its ledger."""
    rules = root / ".claude" / "rules"
    rules.mkdir(parents=True)
    lines = []
    for number in range(RULES):
        file = rules / f"rule-{number:03}.md"
        file.write_text(f"---\npaths: src/part{number}/**\n---\nKeep to pattern {number}.\n" * 5)
        path = file.relative_to(root).as_posix()
        digest = harness.from_text(path, file.read_text()).digest
        verdict = ("retain", "retain", "keep", "unused")[number % 4]
        lines.append({"path": path, "digest": digest, "verdict": verdict, "reason": "measured"})
    (root / ".cortex").mkdir()
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (root / ".cortex" / "verdicts.jsonl").write_text(text)
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    subprocess.run(["git", "add", "-A"], cwd=root, check=True)


def time_ms(root: Path, *command: str) -> float:
    """Run a command and return its milliseconds."""
    clock = time.perf_counter()
    subprocess.run(command, cwd=root, check=True, capture_output=True)
    return 1000 * (time.perf_counter() - clock)


def report() -> dict[str, Any]:
    """Measure the hook and an empty Python, alternating."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        build(root)
        hook_times, python_times = [], []
        for _ in range(ROUNDS):
            hook_times.append(time_ms(root, sys.executable, "-I", str(HOOK)))
            python_times.append(time_ms(root, sys.executable, "-c", "pass"))
    rows = [
        {
            "what": name,
            "median_ms": round(statistics.median(times), 1),
            "max_ms": round(max(times), 1),
        }
        for name, times in (("hook", hook_times), ("python -c pass", python_times))
    ]
    measured = rows[0]["median_ms"]
    must = promise("hook", f"a commit with {RULES} artifacts, ms", float(str(measured)), LIMIT_MS)
    return {"benchmark": "hook", "commit": commit(), "machine": machine(), "rows": rows,
            "must": [must]}  # fmt: skip


def main() -> int:
    """Print the figures; exit code 1 when the promise does not hold."""
    measured = report()
    lines = (
        f"{row['what']:<16} {row['median_ms']:>7} ms (at most {row['max_ms']})"
        for row in measured["rows"]
    )
    return show(measured, lines, as_json="--json" in sys.argv)


if __name__ == "__main__":
    sys.exit(main())
