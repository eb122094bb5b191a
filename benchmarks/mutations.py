"""Mutated input: lines of transcripts, ledgers, graveyard entries, configuration, instructions,
messages to the language server.

Nothing may raise, hang or take memory. Lines are mutated as text (bytes changed, doubled, cut) and
as JSON (values of other types, deep, long), then read, cleaned, put together and mined.

python -m benchmarks.mutations [--lines N] [--inputs N] [--messages N] [--seed S] [--json]
"""

import argparse
import json
import random
import resource
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

from benchmarks import mutated_messages
from benchmarks.machine import commit, machine
from benchmarks.promises import promise, show
from cortex.artifacts import entries, harness, ledger
from cortex.config import load_config
from cortex.errors import CortexError
from cortex.findings.checks import Tree, check_one
from cortex.mining import mine
from cortex.mining.contrast import Contrasts
from cortex.transcripts.claude_code import read
from cortex.transcripts.redaction import redact
from cortex.transcripts.turns import assemble

SAMPLES = Path(__file__).parents[1] / "tests" / "data" / "transcripts"
ODD: tuple[Any, ...] = (
    None, True, -1, 2**70, 1e308, "", " ", "\ud800", "\x00", "\u202e", "a" * 3000, [], {}, [[]],
    {"": ""}, [None], ["x"] * 50, {"type": "text", "text": 7}, "2026-99-99T99:99:99Z", "../../x",
    "sh -c '" * 40, "---\na: &a [*a]\n---\n", "**/" * 40, "[/]", "0" * 400,
)  # fmt: skip
SESSION_LINES = 60
SLOW_S = 5.0


def mutate(rng: random.Random, line: bytes) -> bytes:
    """Return another line: the JSON changed, or the bytes."""
    if rng.random() < 0.7:
        try:
            value = json.loads(line)
        except ValueError:
            return _bytes(rng, line)
        for _ in range(rng.randrange(1, 4)):
            _change(rng, value)
        return json.dumps(value).encode()
    return _bytes(rng, line)


def _bytes(rng: random.Random, line: bytes) -> bytes:
    content = bytearray(line)
    for _ in range(rng.randrange(1, 6)):
        at = rng.randrange(len(content) + 1)
        kind = rng.randrange(4)
        if kind == 0:
            content[at : at + 1] = rng.randbytes(1)
        elif kind == 1:
            content[at:at] = content[at : at + rng.randrange(40)]
        elif kind == 2:
            del content[at : at + rng.randrange(40)]
        else:
            content[at:at] = rng.choice((b'"', b"{", b"[", b"\\", b"\\ud800", b"\xff", b"[" * 900))
    return bytes(content).replace(b"\n", b" ")


def _change(rng: random.Random, value: Any) -> None:
    """Change a random place of nested lists and objects."""
    while isinstance(value, dict | list) and value:
        key = rng.choice(list(value)) if isinstance(value, dict) else rng.randrange(len(value))
        inner = value[key]
        if isinstance(inner, dict | list) and inner and rng.random() < 0.7:
            value = inner
            continue
        kind = rng.randrange(5)
        if kind == 0 and isinstance(value, dict):
            del value[key]
        elif kind == 1:
            value[key] = [inner]
        elif kind == 2 and isinstance(inner, str) and inner:
            at = rng.randrange(len(inner))
            value[key] = inner[:at] + str(rng.choice(ODD)) + inner[at:]
        else:
            value[key] = deepcopy(rng.choice(ODD))
        return


def transcripts(rng: random.Random, count: int, folder: Path) -> Iterator[Callable[[], None]]:
    """Yield a step for each session of mutated lines, until there were `count` lines."""
    samples = [path.read_bytes().splitlines() for path in sorted(SAMPLES.glob("*.jsonl"))]
    path = folder / "session.jsonl"
    for _ in range(0, count, SESSION_LINES):
        lines = list(rng.choice(samples))[: SESSION_LINES * 2]
        chosen = [mutate(rng, line) for line in rng.choices(lines, k=SESSION_LINES)]
        kept = [line for line in lines if rng.random() < 0.5]
        mixed = [line for pair in zip(kept, chosen, strict=False) for line in pair]
        path.write_bytes(b"\n".join([*mixed, *chosen[len(kept) :], b""]))
        yield lambda: _read(path)


def _read(path: Path) -> None:
    chunk = read(path)
    turns = assemble(redact(event) for _, event in chunk.events)
    if chunk.session is not None:
        mined = mine(chunk.session, turns, include_headless=True)
        contrasts = Contrasts(turns, mined)
        for correction in mined:
            contrasts.of(correction)


LEDGER = b'{"path":".claude/rules/a.md","heading":null,"digest":"d","verdict":"prune","reason":"r",\
"pairs":4,"lift":0.5,"e_value":2.0,"date":"2026-01-01"}'
ENTRY = b'{"path":".claude/skills/s/SKILL.md","name":"s","reason":"r","verdict":"prune","mode":420,\
"files":[{"path":"a.sh","digest":"d","mode":493}],"paths":["**/*.py"],"kind":"skill"}'
CONFIG = b'[hook]\nunused = "report"\n\n[hook.more]\nx = [1, 2]\n'
RULE = (
    b'---\nname: s\npaths:\n  - "src/**/*.{ts,tsx}"\ndescription: &d [a, *d]\n---\n# A\n\nUse x.\n'
)
GUIDE = (
    b"# Guide\n\nIntro.\n\n## Names\n\nShort. See @README.md\n\n```\n## no\n```\n\n## Names\n\nx\n"
)


def inputs(rng: random.Random, count: int, folder: Path) -> Iterator[Callable[[], None]]:
    """Yield a step for each mutated ledger, entry, configuration and document."""
    (folder / ".cortex").mkdir()
    tree = Tree(("src/a.ts", "README.md", "a/b/c/d.py"))

    def read_ledger(content: bytes) -> None:
        ledger.path_in(folder).write_bytes(content)
        ledger.read(folder)

    def read_config(content: bytes) -> None:
        (folder / ".cortex" / "config.toml").write_bytes(content)
        load_config(folder)

    def read_document(path: str, content: bytes) -> None:
        text = content.decode("utf-8", "replace")
        check_one(harness.parse({path: text}), (), tree, text)

    steps: tuple[tuple[bytes, Callable[[bytes], None]], ...] = (
        (LEDGER, read_ledger),
        (ENTRY, lambda content: _entry(content)),
        (CONFIG, read_config),
        (RULE, lambda content: read_document(".claude/rules/a.md", content)),
        (RULE, lambda content: read_document(".claude/skills/s/SKILL.md", content)),
        (GUIDE, lambda content: read_document("CLAUDE.md", content)),
    )
    for number in range(count):
        sample, step = steps[number % len(steps)]
        lines = sample.splitlines() if step is not read_ledger else [sample] * 3
        content = b"\n".join(mutate(rng, line) if rng.random() < 0.6 else line for line in lines)
        yield lambda step=step, content=content: step(content)  # type: ignore[misc]


def _entry(content: bytes) -> None:
    entries.from_json(content, "s-1", "text")


def run(steps: Iterator[Callable[[], None]]) -> tuple[int, float, Counter[str]]:
    """Return the number of steps, the seconds of the slowest, and what was raised where."""
    raised: Counter[str] = Counter()
    slowest, number = 0.0, 0
    for number, step in enumerate(steps, 1):  # noqa: B007 - the last number is the count
        start = time.perf_counter()
        try:
            step()
        except CortexError:
            pass
        except Exception as error:  # noqa: BLE001 - what is looked for
            place = traceback.extract_tb(error.__traceback__)[-1]
            raised[f"{type(error).__name__} at {Path(place.filename).name}:{place.lineno}"] += 1
        slowest = max(slowest, time.perf_counter() - start)
    return number, slowest, raised


def send_messages(rng: random.Random, count: int, folder: Path) -> mutated_messages.SentMessages:
    """Send `count` mutated messages to a running language server."""
    root = folder / "repo"
    mutated_messages.build(root)
    sent = mutated_messages.messages(rng, root, _change, _bytes)
    return mutated_messages.run(sent, count, folder, rng)


def measure(lines: int, count: int, seed: int, messages: int) -> dict[str, Any]:
    """Run all kinds: `messages` of the `count` inputs go to the language server."""
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        sessions, slow_session, session_faults = run(transcripts(rng, lines, Path(name)))
        others, slow_other, other_faults = run(inputs(rng, count - messages, Path(name)))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    with tempfile.TemporaryDirectory() as name:
        server = send_messages(rng, messages, Path(name))
    faults = session_faults + other_faults
    slowest = max(slow_session, slow_other)
    must = [
        ("mutations-raised", "mutated inputs that raised", sum(faults.values()), 0),
        ("mutations-slowest", "the slowest input, s", round(slowest, 2), SLOW_S),
        ("mutations-memory", "memory at most, MB", round(memory), 200),
        ("mutations-lsp", "messages the server did not survive, bugs", server.faults.total(), 0),
        ("mutations-lsp-slowest", "the slowest message, s", round(server.slowest_s, 2), 2.0),
        ("mutations-lsp-memory", "the server's memory at most, MB", round(server.memory_mb), 200),
    ]
    return {
        "benchmark": "mutations",
        "commit": commit(),
        "machine": machine(),
        "seed": seed,
        "rows": [
            {"what": "lines of transcripts", "count": sessions * SESSION_LINES},
            {"what": "ledgers, entries, configuration, documents", "count": others},
            {"what": "messages to the language server", "count": server.inputs},
        ],
        "raised": dict((faults + server.faults).most_common()),
        "must": [promise(*figure) for figure in must],
    }


def main() -> int:
    """Return 1 when a limit does not hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--messages", type=int, default=10_000, help="of the inputs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    measured = measure(options.lines, options.inputs, options.seed, options.messages)
    lines = [
        *(
            f"{each['what']}: {each['measured']} (limit {each['limit']})"
            for each in measured["must"]
        ),
        *(f"  {count} x {what}" for what, count in measured["raised"].items()),
    ]
    return show(measured, lines, as_json=options.json)


if __name__ == "__main__":
    sys.exit(main())
