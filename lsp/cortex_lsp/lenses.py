"""What the editor shows above a piece of harness text: its verdict, from the shared ledger."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cortex.artifacts import harness, ledger
from cortex.model.artifacts import Artifact, ArtifactKind


@dataclass(frozen=True, slots=True)
class Lens:
    """One line above one artifact."""

    line: int
    """From 0."""
    title: str


def lenses(root: Path, path: str, text: str) -> tuple[Lens, ...]:
    """Return the verdicts of the artifacts in a file; none for text that has no verdict.

    `path` is relative to the repository at `root`, `text` what the editor holds.
    """
    known = {(line["path"], line.get("heading")): line for line in ledger.read(root)}
    found = []
    for line, artifact in _placed(path, text):
        verdict = known.get((artifact.path, artifact.heading))
        if verdict is not None:
            stale = "" if verdict.get("digest") == artifact.digest else " (stale: text changed)"
            shown = f"Cortex: {verdict.get('verdict')} · {verdict.get('pairs')} pairs{stale}"
            found.append(Lens(line, shown))
    return tuple(found)


def _placed(path: str, text: str) -> Iterator[tuple[int, Artifact]]:
    for artifact in harness.parse({path: text}):
        at = text.find(artifact.text) if artifact.kind is ArtifactKind.SECTION else 0
        yield text[: max(at, 0)].count("\n"), artifact
