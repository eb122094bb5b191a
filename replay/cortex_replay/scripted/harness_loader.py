"""Loads harness text into the agent's context, under the conditions measured with Claude Code."""

from pathlib import Path

from cortex.artifacts import disk, frontmatter, harness, loading
from cortex.artifacts.readers import AGENTS_FILE, read_by
from cortex.model.artifacts import Artifact, ArtifactKind


def _is_claude(path: str) -> bool:
    return read_by("scripted", path, ())


class HarnessLoader:
    """The harness of a workspace, and which of it has been loaded or listed."""

    def __init__(self, workspace: Path, reads_agents_file: bool = False) -> None:
        files = disk.read_files(workspace)
        self._files = files
        self._artifacts = tuple(
            artifact
            for artifact in harness.parse(files)
            if (reads_agents_file if artifact.path == AGENTS_FILE else _is_claude(artifact.path))
        )
        self._loaded: set[str] = set()
        self._listed: set[str] = set()

    def load_at_start(self) -> tuple[tuple[str, str], ...]:
        """Return (path, text) of everything in the first request, each file once."""
        paths = dict.fromkeys(
            artifact.path for artifact in self._artifacts if loading.loads_at_start(artifact)
        )
        self._loaded.update(paths)
        return tuple((path, frontmatter.split(self._files[path])[1]) for path in paths)

    def load_on_read(self, path: str) -> tuple[Artifact, ...]:
        """Return the scoped rules that a successful read of `path` (relative) loads, each once."""
        new_rules = [
            artifact
            for artifact in self._artifacts
            if artifact.kind is ArtifactKind.RULE
            and artifact.paths
            and artifact.path not in self._loaded
            and loading.triggered(artifact, [path], [path])
        ]
        self._loaded.update(rule.path for rule in new_rules)
        return tuple(new_rules)

    def list_skills(self, touched: str | None = None) -> tuple[Artifact, ...]:
        """Return skills that are newly offered.

        Those without `paths` at the start, the others once a matching file was touched.
        """
        new_skills = []
        for skill in self._artifacts:
            if skill.kind is not ArtifactKind.SKILL or skill.path in self._listed:
                continue
            if not skill.paths if touched is None else loading.triggered(skill, [], [touched]):
                new_skills.append(skill)
        self._listed.update(skill.path for skill in new_skills)
        return tuple(new_skills)
