"""What of the harness reaches the agent, and when: the conditions measured of Claude Code."""

from pathlib import Path

from cortex.artifacts import disk, frontmatter, loading
from cortex.artifacts import harness as parsing
from cortex.model.artifacts import Artifact, ArtifactKind

AGENT = "claude-code"


class Harness:
    """The harness of one workspace and what of it is in the context already."""

    def __init__(self, workspace: Path) -> None:
        files = disk.read_files(workspace)
        own = [one for one in parsing.parse(files) if one.agent == AGENT]
        self._files = files
        self._artifacts = tuple(own)
        self._present: set[str] = set()
        self._listed: set[str] = set()

    def at_start(self) -> tuple[tuple[str, str], ...]:
        """Return (path, text) of all that the first request holds; never twice."""
        paths = dict.fromkeys(one.path for one in self._artifacts if loading.loads_at_start(one))
        self._present.update(paths)
        return tuple((path, frontmatter.split(self._files[path])[1]) for path in paths)

    def on_read(self, path: str) -> tuple[Artifact, ...]:
        """Return the scoped rules that a successful read of `path` (relative) brings, once each."""
        rules = [one for one in self._artifacts if one.kind is ArtifactKind.RULE and one.paths]
        new = [
            one
            for one in rules
            if one.path not in self._present and loading.triggered(one, [path], [path])
        ]
        self._present.update(one.path for one in new)
        return tuple(new)

    def listed(self, touched: str | None = None) -> tuple[Artifact, ...]:
        """Return skills that are offered now and were not before.

        Those without `paths` at the start, the others once a matching file was touched.
        """
        skills = [one for one in self._artifacts if one.kind is ArtifactKind.SKILL]
        new = []
        for skill in skills:
            due = not skill.paths if touched is None else loading.triggered(skill, [], [touched])
            if due and skill.path not in self._listed:
                new.append(skill)
        self._listed.update(one.path for one in new)
        return tuple(new)
