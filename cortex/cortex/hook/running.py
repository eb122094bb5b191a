"""One commit: prunable text moves to the graveyard, unused text is reported."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cortex.artifacts import disk, harness, ledger
from cortex.artifacts.ledger import LedgerEntry
from cortex.digests import digest_text
from cortex.errors import CortexError
from cortex.hook import removing, settings
from cortex.hook.gitstate import Commit, commit_in
from cortex.hook.reporting import listed, say
from cortex.model.artifacts import Artifact, ArtifactKind
from cortex.timestamps import now

SKIP = "CORTEX_SKIP"

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
    """Remove what is prunable; return what was.

    Only verdicts that this person reached or accepted are acted upon; those of others are named.
    """
    texts = list(measured_texts(commit.root))
    if not texts:
        return []
    chosen = settings.read(commit)
    prunable, unused, waiting = [], [], []
    for measured in texts:
        name, verdict = measured.artifact.name, measured.entry.verdict
        removes = verdict == "prune" or chosen.unused == "archive"
        if removes and chosen.accepts(measured.entry):
            prunable.append(measured)
        elif verdict == "prune" and not chosen.knows(measured.entry):
            waiting.append(name)
        elif verdict == "unused" and chosen.unused != "ignore":
            unused.append(name)
    if unused:
        say(f"never used in any trial: {listed(unused)}")
    if waiting:
        say(f"verdicts of others that you have not accepted: prune {listed(waiting)}; "
            "`cortex inbox` shows them")  # fmt: skip
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
