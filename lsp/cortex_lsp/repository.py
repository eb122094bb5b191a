"""A repository as the server reads it: feed, verdicts, and the tree for globs."""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from cortex.artifacts import disk, harness
from cortex.artifacts.shared import real
from cortex.commands.artifact_status import (
    ArtifactStatus,
    KnownVerdict,
    artifact_status,
    known_verdicts,
)
from cortex.commands.feed import Feed
from cortex.commands.proposals import tracked
from cortex.errors import CortexError
from cortex.findings.checks import Finding, Tree, check_one
from cortex.model.artifacts import Artifact
from cortex_lsp.places import Placed, placed

TREE_AGE_S = 5.0
"""How long a listing of the repository's files is good enough."""


class Repository:
    """Verdicts and findings about the harness of a repository. Not thread-safe."""

    def __init__(self, root: Path) -> None:
        """Open the feed; raises UsageError outside of a repository."""
        self.feed = Feed(root)
        self.root = self.feed.root
        self.error: str | None = None
        """Why the store cannot be read; None while it can."""
        self._known: dict[str, KnownVerdict] = {}
        self._model: str | None = None
        self._artifacts: tuple[Artifact, ...] = ()
        self._tree = Tree(())
        self._tree_at = 0.0

    def refresh(self) -> bool:
        """Read again when something changed; return whether it did. Raises no CortexError."""
        before = self.error
        try:
            changed = self.feed.changed()
            if changed or before is not None:
                self._read()
            elif time.monotonic() - self._tree_at > TREE_AGE_S:
                changed = self._list()
            self.error = None
        except CortexError as error:
            self.error, changed = str(error), False
        return changed or before != self.error

    def _read(self) -> None:
        context = self.feed.context()
        self._artifacts = harness.parse(disk.read_files(self.root))
        self._known = known_verdicts(context)
        self._model = context.config.agent.model
        self._list()

    def _list(self) -> bool:
        """List the files of the repository; return whether they are others now."""
        paths = tracked(self.root)
        self._tree_at = time.monotonic()
        if paths == self._tree.paths:
            return False
        self._tree = Tree(paths)
        return True

    def artifact_statuses(self, path: str, text: str) -> Iterator[tuple[Placed, ArtifactStatus]]:
        """Yield the artifacts of a document, as the editor holds it, with what is known."""
        listed = self._listed(path)
        for place in placed(path, text):
            artifact = replace(place.artifact, path=listed)
            status = artifact_status(artifact, self._known, self._model)
            yield replace(place, artifact=artifact), status

    def _listed(self, path: str) -> str:
        """Return the path that the harness has for a file, which `path` may be a link to."""
        paths = self._paths()
        if path in paths:
            return path
        place = real(self.root / path)
        return next((other for other in sorted(paths) if real(self.root / other) == place), path)

    def findings(self, path: str, text: str) -> tuple[Finding, ...]:
        """Return the static findings of a document."""
        place = real(self.root / path)
        same = {other for other in self._paths() if real(self.root / other) == place}
        others = [other for other in self._artifacts if other.path not in (path, *same)]
        return check_one(harness.parse({path: text}), others, self._tree, text)

    def _paths(self) -> set[str]:
        return {artifact.path for artifact in self._artifacts}

    def relative(self, file: Path) -> str | None:
        """Return the path of a file within the repository; None outside of it."""
        if not file.is_relative_to(self.root):
            return None
        return file.relative_to(self.root).as_posix()
