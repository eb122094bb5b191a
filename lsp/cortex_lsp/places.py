"""Where artifacts stand in a document."""

from collections.abc import Iterator
from dataclasses import dataclass

from lsprotocol import types

from cortex.artifacts import harness, sections
from cortex.model.artifacts import Artifact


@dataclass(frozen=True, slots=True)
class Placed:
    """One artifact of a document and its lines, from 0; `end` is behind the last one."""

    artifact: Artifact
    start: int
    end: int

    @property
    def range(self) -> types.Range:
        """The whole text."""
        return types.Range(types.Position(self.start, 0), types.Position(self.end, 0))

    @property
    def head(self) -> types.Range:
        """Its first line."""
        return types.Range(types.Position(self.start, 0), types.Position(self.start + 1, 0))


def placed(path: str, text: str) -> Iterator[Placed]:
    """Yield the artifacts of a file in order; `path` is relative to the repository."""
    if path not in harness.INSTRUCTIONS:
        for artifact in harness.parse({path: text}):
            yield Placed(artifact, 0, text.count("\n") + 1)
        return
    at = 0
    for piece in sections.split(text).pieces:
        position = text.find(piece.text, at) if piece.text else -1
        if position < 0:
            continue
        start, at = text.count("\n", 0, position), position + len(piece.text)
        end = start + piece.text.count("\n") + (not piece.text.endswith("\n"))
        yield Placed(harness.section(path, piece.heading, piece.text), start, end)
