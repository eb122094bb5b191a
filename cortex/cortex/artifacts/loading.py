"""When harness text reaches the model (measured; see `globs` for the patterns)."""

from collections.abc import Iterable

from cortex.artifacts import globs
from cortex.model.artifacts import Artifact, ArtifactKind


def loads_at_start(artifact: Artifact) -> bool:
    """Whether the text is in the very first request: a section, or a rule without `paths`."""
    return artifact.kind is not ArtifactKind.SKILL and not artifact.paths


def triggered(
    artifact: Artifact, read_paths: Iterable[str], touched_paths: Iterable[str] = ()
) -> bool:
    """Whether the load condition was met, given relative paths of the trial.

    `read_paths` are files that were read with success; `touched_paths` files that were read
    (even a missing one), edited or written. A rule looks at the first only, a skill with `paths`
    at both; everything else needs no file.
    """
    if not artifact.paths:
        return True
    seen = list(read_paths)
    if artifact.kind is ArtifactKind.SKILL:
        seen.extend(touched_paths)
    return any(globs.matches(artifact.paths, path) for path in seen)


def could_load(artifact: Artifact, task_paths: Iterable[str]) -> bool:
    """Whether work on `task_paths` can meet the load condition at all."""
    return not artifact.paths or bool(globs.covers(artifact.paths, task_paths))
