"""Mutated messages to a running `cortex-lsp`: framing, JSON, parameters, URIs, texts, commands.

After every input the server has to answer a valid request. Used by `benchmarks.mutations`.
"""

import json
import os
import random
import re
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HANG_S = 10.0
"""A request that waits longer counts as not answered."""
INTERNAL_ERROR = -32603
SERVE = "from cortex_lsp.server import run; run()"
RULE = "---\npaths: src/**/*.py\n---\nTake the time from `clock.now()`.\n"
LINE, RANGE = {"line": 0, "character": 3}, "range"


@dataclass
class SentMessages:
    """What happened."""

    inputs: int = 0
    slowest_s: float = 0.0
    memory_mb: float = 0.0
    faults: Counter[str] = field(default_factory=Counter)


def build(root: Path) -> None:
    """Create a repository with harness files that are no files, and odd ones."""
    rules = root / ".claude" / "rules"
    rules.mkdir(parents=True)
    (rules / "use-clock.md").write_text(RULE)
    (rules / "folder.md").mkdir()
    os.mkfifo(rules / "pipe.md")
    (rules / "zero.md").symlink_to("/dev/zero")
    (rules / "loop.md").symlink_to("loop.md")
    (rules / "outside.md").symlink_to("/etc/passwd")
    (rules / "long.md").write_text("x" * 3_000_000)
    (rules / "bytes.md").write_bytes(b"\xff\xfe\x00" * 100)
    (root / "CLAUDE.md").write_text("# Guide\n\n## Names\n\nShort.\n")
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)


def uris(root: Path) -> tuple[str, ...]:
    """Return URIs of every kind."""
    rules = f"{root.as_uri()}/.claude/rules"
    names = ("pipe", "folder", "zero", "loop", "outside", "long", "bytes", "gone", "use-clock")
    return (
        *(f"{rules}/{name}.md" for name in names),
        f"{rules}/use%2Dclock.md", f"{rules}/%2e%2e/%2e%2e/CLAUDE.md", f"{rules}/a%00b.md",
        f"{rules}/{'n' * 300}.md", f"{rules}/%ff%fe.md", f"{rules}/%ED%A0%80.md", f"{rules}/%.md",
        f"{root.as_uri()}/CLAUDE.md", root.as_uri(), "file:///", "file://", "file:", "file:a.md",
        "file://host/x/CLAUDE.md", "file://[::1/CLAUDE.md", "file:///../../etc/CLAUDE.md",
        "file:///dev/zero/CLAUDE.md", "file:///dev/stdin", "file:///proc/self/mem.md",
        "file:///c:/CLAUDE.md", "untitled:Untitled-1", "untitled:CLAUDE.md", "git:/a/CLAUDE.md?x",
        "vscode-remote://ssh+x/CLAUDE.md", "http://[", "//", "", "\ud800", "a" * 20_000, "\x00",
    )  # fmt: skip


def requests(root: Path) -> tuple[dict[str, Any], ...]:
    """Return valid messages to be mutated: method, parameters and whether they have an id."""
    document = {"uri": f"{root.as_uri()}/.claude/rules/use-clock.md"}
    opened = {**document, "languageId": "markdown", "version": 1, "text": RULE}
    span = {"start": LINE, "end": {"line": 2, "character": 1}}
    version = {**document, "version": 2}
    change = {RANGE: span, "text": "x\n"}
    commands = ("prune", "restore", "testNow", "showEvidence", "none")
    folders = {"event": {"added": [{"uri": root.as_uri(), "name": "a"}], "removed": []}}
    notifications: dict[str, Any] = {
        "textDocument/didOpen": {"textDocument": opened},
        "textDocument/didClose": {"textDocument": document},
        "workspace/didChangeWorkspaceFolders": folders,
        "$/cancelRequest": {"id": 5},
        "$/setTrace": {"value": "verbose"},
        "initialized": {},
        "notebookDocument/didClose": {"notebookDocument": document, "cellTextDocuments": []},
        "window/workDoneProgress/cancel": {"token": 4},
        "unknown/notification": [],
    }
    questions: tuple[tuple[str, Any], ...] = (
        ("textDocument/codeLens", {"textDocument": document}),
        ("textDocument/hover", {"textDocument": document, "position": LINE}),
        ("textDocument/codeAction", {"textDocument": document, RANGE: span,
                                     "context": {"diagnostics": []}}),
        *(("workspace/executeCommand", {"command": f"cortex.{name}", "arguments": ["none"]})
          for name in commands),
        ("cortex/state", None), ("cortex/entry", {"id": "cand-none"}),
        ("cortex/act", {"action": "bury", "id": "none"}), ("unknown/request", {}),
        ("initialize", {"processId": None, "capabilities": {}, "rootUri": root.as_uri()}),
    )  # fmt: skip
    return (
        *({"method": method, "params": params} for method, params in notifications.items()),
        *({"method": "textDocument/didChange",
           "params": {"textDocument": version, "contentChanges": [each]}}
          for each in (change, {"text": RULE})),
        *({"id": 7, "method": method, "params": params} for method, params in questions),
        {"id": "none", "result": None}, {"id": 3, "error": {"code": 1, "message": "x"}},
    )  # fmt: skip


def frame(body: bytes) -> bytes:
    """Return a message as it is sent."""
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


def misframed(rng: random.Random, body: bytes) -> bytes:
    """Return a message with a wrong header, or none."""
    length = len(body)
    headers = (
        b"Content-Length: %d\r\n\r\n" % (length + rng.randrange(1, 60)),
        b"Content-Length: %d\r\n\r\n" % rng.randrange(length),
        b"Content-Length: %d\r\n\r\n" % 10**11, b"Content-Length: %d\r\n\r\n" % 10**40,
        b"Content-Length: -%d\r\n\r\n" % length, b"Content-Length: \r\n\r\n", b"", b"\r\n\r\n",
        b"Content-Length: 0\r\n\r\n", b"Content-Length: %d\n\n" % length,
        b"content-length:%d\r\n\r\n" % length, b"X: y\r\nContent-Length: %d\r\n\r\n" % length,
        b"Content-Length: %d\r\nContent-Length: 3\r\n\r\n" % length,
        b"Content-Length: %d\r\nContent-Type: a; charset=utf-7\r\n\r\n" % length,
        b"Content-Length: %d\r\n" % length, b"A" * 9000, rng.randbytes(40) + b"\r\n\r\n",
    )  # fmt: skip
    return rng.choice(headers) + body


def messages(
    rng: random.Random, root: Path, change: Callable[[random.Random, Any], None],
    cut: Callable[[random.Random, bytes], bytes],
) -> Iterator[bytes]:  # fmt: skip
    """Yield mutated messages without end; `change` alters JSON, `cut` bytes."""
    samples, places = requests(root), uris(root)
    while True:
        value = {"jsonrpc": "2.0", **deepcopy(rng.choice(samples))}
        for _ in range(rng.randrange(3)):
            change(rng, value)
        if rng.random() < 0.4:
            _set_uri(value, rng.choice(places))
        if rng.random() < 0.1:
            value["params"] = rng.choice((None, 7, [], "x", {}, [[[]]]))
        body = json.dumps(value).encode()
        kind = rng.random()
        if kind < 0.15:
            yield frame(cut(rng, body))
        elif kind < 0.3:
            yield misframed(rng, body)
        elif kind < 0.33:
            depth = rng.choice((50, 200, 5000, 100_000))
            yield frame(b'{"jsonrpc":"2.0","id":1,"method":"x","params":' + b"[" * depth + b"]" *
                        depth + b"}")  # fmt: skip
        elif kind < 0.36:
            number = rng.choice((b"NaN", b"-Infinity", b"1e999", b"9" * 5000, b"-1", b"1.5"))
            yield frame(re.sub(rb"(?<=: )\d+", number, body))
        else:
            yield frame(body)


def _set_uri(value: Any, uri: str) -> None:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in ("uri", "rootUri"):
                value[key] = uri
            else:
                _set_uri(inner, uri)
    elif isinstance(value, list):
        for inner in value:
            _set_uri(inner, uri)


class Server:
    """The process, with a thread that reads its answers."""

    def __init__(self, root: Path, home: Path, log: Path) -> None:
        env = {**os.environ, "CORTEX_HOME": str(home)}
        with log.open("ab") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-c", SERVE], env=env, cwd=root, stderr=errors,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            )  # fmt: skip
        self.answers: dict[Any, Any] = {}
        self.internal: list[str] = []
        self._changed = threading.Condition()
        self._number = 0
        threading.Thread(target=self._read, daemon=True).start()
        start: dict[str, Any] = {"processId": None, "capabilities": {}, "rootUri": root.as_uri()}
        self.ask("initialize", start)
        self.send(frame(b'{"jsonrpc":"2.0","method":"initialized","params":{}}'))

    def send(self, content: bytes) -> None:
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):
            self.process.stdin.write(content)
            self.process.stdin.flush()

    def ask(self, method: str, params: Any) -> float | None:
        """Return the seconds until a request is answered with a result; None when it is not."""
        self._number += 1
        identifier = f"probe-{self._number}"
        value = {"jsonrpc": "2.0", "id": identifier, "method": method, "params": params}
        start = time.perf_counter()
        self.send(frame(json.dumps(value).encode()))
        with self._changed:
            self._changed.wait_for(lambda: identifier in self.answers, HANG_S)
            answer = self.answers.pop(identifier, {})
        return time.perf_counter() - start if "result" in answer else None

    def _read(self) -> None:
        assert self.process.stdout is not None
        while header := self.process.stdout.readline():
            length = int(header.split(b":")[1])
            while self.process.stdout.readline().strip():
                pass
            value = json.loads(self.process.stdout.read(length))
            error = value.get("error") or {}
            with self._changed:
                if error.get("code") == INTERNAL_ERROR:
                    self.internal.append(str(error.get("message")))
                if str(value.get("id")).startswith("probe-"):
                    self.answers[value["id"]] = value
                    self._changed.notify_all()

    def memory_mb(self) -> float:
        """Return the most memory that it had; 0 where the system does not tell."""
        try:
            status = Path(f"/proc/{self.process.pid}/status").read_text()
        except OSError:
            return 0.0
        sizes = re.findall(r"Vm(?:HWM|RSS):\s+(\d+)", status)
        return max(map(int, sizes), default=0) / 1024

    def end(self) -> int | None:
        """Close its input in the middle of a message; return its exit code."""
        assert self.process.stdin is not None
        self.send(b'Content-Length: 500\r\n\r\n{"jsonrpc":')
        with suppress(BrokenPipeError):
            self.process.stdin.close()
        try:
            return self.process.wait(HANG_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return None


def run(inputs: Iterator[bytes], count: int, folder: Path, rng: random.Random) -> SentMessages:
    """Send `count` inputs to a server for the repository at `folder`/repo."""
    sent, log, home = SentMessages(), folder / "server.log", folder / "home"
    root = folder / "repo"
    server = Server(root, home, log)
    probe = {"textDocument": {"uri": f"{root.as_uri()}/CLAUDE.md"}, "position": LINE}
    try:
        for content in inputs:
            start = time.perf_counter()
            cut = rng.randrange(len(content)) if rng.random() < 0.3 else 0
            for piece in (content[:cut], content[cut:]):
                server.send(piece)
            answered = server.ask("textDocument/hover", probe)
            sent.inputs += 1
            sent.slowest_s = max(sent.slowest_s, time.perf_counter() - start)
            if answered is None or server.process.poll() is not None:
                sent.faults[f"no answer after {content[:200]!r}"] += 1
                break
            if sent.inputs == count:
                break
        sent.memory_mb = server.memory_mb()
        sent.faults.update(f"internal error: {message}" for message in server.internal)
        if (code := server.end()) != 0:
            sent.faults[f"ended with {code} at the end of its input"] += 1
    finally:
        server.process.kill()
        server.process.wait()
    _look_at_logs(sent, log, home)
    return sent


def _look_at_logs(sent: SentMessages, log: Path, home: Path) -> None:
    if "Traceback" in log.read_text("utf-8", "replace"):
        sent.faults["a traceback on standard error"] += 1
    for crash in (home / "crashes").glob("*"):
        sent.faults[f"a crash log: {crash.read_text().strip().splitlines()[-1]}"] += 1
