"""Latency from a change to the language server's diagnostics, in a repository with 200 rules.

python -m benchmarks.lsp [--json]
"""

import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.client import LanguageClient

from benchmarks.machine import commit, machine
from benchmarks.promises import promise, show

RULES, ROUNDS, LIMIT_MS = 200, 200, 100


def build(root: Path) -> None:
    """Create the repository."""
    rules = root / ".claude" / "rules"
    rules.mkdir(parents=True)
    for number in range(RULES):
        text = f"---\npaths: src/part{number}/**\n---\nIn part {number} keep to pattern {number}.\n"
        (rules / f"rule-{number:03}.md").write_text(text)
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)


async def measure(root: Path) -> list[float]:
    """Return the milliseconds of each change until its diagnostics arrive."""
    client = LanguageClient("benchmark", "1")
    arrived = asyncio.Event()

    @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
    def published(_: Any) -> None:
        arrived.set()

    @client.feature(types.WINDOW_SHOW_MESSAGE)  # type: ignore[untyped-decorator]
    def ignore_message(_: Any) -> None:
        """Discard messages to the user."""

    env = {**os.environ, "CORTEX_HOME": str(root / "home")}
    await client.start_io(sys.executable, "-m", "benchmarks.lsp", "--serve", env=env)
    await client.initialize_async(
        types.InitializeParams(types.ClientCapabilities(), root_uri=root.as_uri())
    )
    client.initialized(types.InitializedParams())
    uri = (root / ".claude/rules/rule-100.md").as_uri()
    client.text_document_did_open(
        types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "markdown", 1, "Words.\n"))
    )
    await arrived.wait()
    times = []
    for version in range(2, ROUNDS + 2):
        await asyncio.sleep(0.02)
        arrived.clear()
        text = f"---\npaths: src/part{version}/**\n---\nWords of version {version}.\n"
        clock = time.perf_counter()
        client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(version, uri),
                [types.TextDocumentContentChangeWholeDocument(text)],
            )
        )
        await arrived.wait()
        times.append(1000 * (time.perf_counter() - clock))
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()  # type: ignore[no-untyped-call]
    return times


def report() -> dict[str, Any]:
    """Measure everything and compare with the promise."""
    started = commit()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        build(root)
        times = sorted(asyncio.run(asyncio.wait_for(measure(root), 300)))
    p95 = round(times[int(0.95 * (len(times) - 1))], 1)
    row = {"artifacts": RULES, "changes": ROUNDS, "p95_ms": p95,
           "median_ms": round(statistics.median(times), 1)}  # fmt: skip
    what = f"95% of changes to diagnostics with {RULES} artifacts, ms"
    must = promise("lsp", what, p95, LIMIT_MS)
    return {"benchmark": "lsp", "commit": started, "machine": machine(), "rows": [row],
            "must": [must]}  # fmt: skip


def main() -> int:
    """Print the figures; exit code 1 when the promise does not hold."""
    if "--serve" in sys.argv:
        from cortex_lsp.server import run

        run()
        return 0
    measured = report()
    return show(measured, [str(measured["rows"][0])], as_json="--json" in sys.argv)


if __name__ == "__main__":
    sys.exit(main())
