"""One commit: prunable text moves to the graveyard, unused text is reported."""

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cortex.artifacts import disk, harness, ledger
from cortex.artifacts.ledger import LedgerEntry
from cortex.digests import digest_text
from cortex.errors import CortexError
from cortex.hook import removing
from cortex.hook.gitstate import Commit, commit_in
from cortex.model.artifacts import Artifact, ArtifactKind
from cortex.presenting.plain import plain
from cortex.timestamps import now

UNUSED = ("report", "archive", "ignore")
SKIP = "CORTEX_SKIP"

NAMED = 3
"""Unused texts that are named in the report."""

FRAMEWORK = "PRE_COMMIT"
"""Set by the pre-commit framework, which has put unstaged changes aside meanwhile and takes a
hook's work back when it conflicts with them: only the disk is changed then, never the index."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Text on the disk with a verdict in the ledger that still holds."""

    artifact: Artifact
    entry: LedgerEntry


def main(arguments: Sequence[str]) -> int:
    """Return 0: a commit is never stopped; 1 with `--changes-fail` when text was removed."""
    if os.environ.get(SKIP) == "1":
        return 0
    commit = commit_in(Path.cwd())
    if commit.replays:
        return 0
    removed = run(commit)
    return 1 if removed and "--changes-fail" in arguments else 0


def run(commit: Commit) -> list[Artifact]:
    """Remove what is prunable; return what was."""
    unused = _unused_setting(commit.root)
    prunable, unused_names = [], []
    for measured in measured_texts(commit.root):
        verdict = measured.entry.verdict
        if verdict == "prune" or (verdict == "unused" and unused == "archive"):
            prunable.append(measured)
        elif verdict == "unused" and unused == "report":
            unused_names.append(measured.artifact.name)
    if unused_names:
        rest = len(unused_names) - NAMED
        more = f" and {rest} more" if rest > 0 else ""
        say(f"never used in any trial: {', '.join(unused_names[:NAMED])}{more}")
    return [measured.artifact for measured in prunable if _remove(commit, measured)]


def measured_texts(root: Path) -> Iterator[Measured]:
    """Yield text with a verdict that is about exactly what is on the disk."""
    for entry in ledger.read(root):
        if entry.verdict not in ("prune", "unused") or not harness.is_harness(entry.path):
            continue
        file = root / entry.path
        if file.is_file():
            artifact = _artifact(entry, disk.read_text(file))
            if artifact is not None:
                yield Measured(artifact, entry)


def _artifact(entry: LedgerEntry, text: str) -> Artifact | None:
    """Return the artifact that an entry is about; None when its text has changed since.

    Frontmatter is not read: that would take longer than everything else.
    """
    path = entry.path
    if entry.heading is not None:
        for artifact in harness.parse({path: text}) if path in harness.INSTRUCTIONS else ():
            if (artifact.heading, artifact.digest) == (entry.heading, entry.digest):
                return artifact
        return None
    if path in harness.INSTRUCTIONS or digest_text(text) != entry.digest:
        return None
    if not harness.is_rule(path) and not harness.is_skill(path):
        return None
    kind = ArtifactKind.SKILL if harness.is_skill(path) else ArtifactKind.RULE
    return Artifact("claude-code", kind, path, text, entry.digest)


def _remove(commit: Commit, measured: Measured) -> bool:
    """Remove an artifact with the commit, and report it; False when it stays, and why."""
    artifact, entry = measured.artifact, measured.entry
    if artifact.heading is None:
        artifact = harness.from_text(artifact.path, artifact.text)
    refusal = removing.refusal(commit, artifact)
    if refusal:
        say(f"{artifact.name} is to be pruned, but {refusal}")
        return False
    at = now()
    stages = FRAMEWORK not in os.environ
    try:
        grave = removing.remove(commit, artifact, entry.verdict, entry.reason, at, stages=stages)
    except (CortexError, OSError) as error:
        say(f"{artifact.name} is to be pruned, but stays; skipped: {error}")
        return False
    what = f"removed {artifact.name} ({entry.verdict})"
    how = f"{what}; `cortex restore {grave.id}` brings it back, "
    if stages:
        say(f"{how}{SKIP}=1 before git commit would have kept it")
    else:
        add = f"git add -A -- {artifact.path} {grave.places}"
        say(f"{how}`{add}` and commit again, or SKIP=cortex-prune")
    return True


def _unused_setting(root: Path) -> str:
    file = root / ".cortex" / "config.toml"
    if not file.exists():
        return "report"
    import tomllib

    try:
        settings: dict[str, Any] = tomllib.loads(file.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        say(f".cortex/config.toml cannot be read ({error}); unused text is reported")
        return "report"
    hook = settings.get("hook")
    chosen = hook.get("unused", "report") if isinstance(hook, dict) else "report"
    if chosen in UNUSED:
        return str(chosen)
    say(f"[hook] unused = {chosen!r} is none of {', '.join(UNUSED)}; unused text is reported")
    return "report"


def say(message: str) -> None:
    """Print a line where git shows it; names in it may be anybody's."""
    sys.stderr.write(f"cortex: {plain(message)}\n")
