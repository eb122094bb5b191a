"""Static findings about the harness of a repository: pure functions over its files."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from cortex.artifacts import frontmatter, globs, harness
from cortex.findings.similarity import repeats
from cortex.model.artifacts import Artifact, ArtifactKind

MAX_DESCRIPTION = 1536
"""Characters of a skill's description that the listing shows (measured)."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something about one harness file that a person should know."""

    code: str
    """`dead-glob`, `clash`, `duplicate`, `frontmatter-ignored`, `description-too-long`,
    `no-description` or `never-read`."""
    severity: str
    """`error`: it does not do what it says; `warning`: it probably does not; `info`."""
    path: str
    message: str
    hint: str
    """What to do next."""


def check(files: Mapping[str, str], tree: Sequence[str]) -> tuple[Finding, ...]:
    """Return the findings about harness `files` (path -> text), sorted by path and code.

    `tree` has the relative paths of all files of the repository.
    """
    artifacts = harness.parse(files)
    known = Tree(tree)
    found = [
        *(finding for one in artifacts for finding in _about(one, known)),
        *_clashes(artifacts),
        *_never_read(files),
    ]
    return tuple(sorted(found, key=lambda finding: (finding.path, finding.code, finding.message)))


def check_one(
    artifacts: Sequence[Artifact], others: Sequence[Artifact], tree: "Tree"
) -> tuple[Finding, ...]:
    """Return the findings about the artifacts of one file beside all `others`: while one types.

    Of two that clash it is the one whose path comes later, as in `check`.
    """
    found = [finding for one in artifacts for finding in _about(one, tree)]
    found += [
        finding
        for mine in artifacts
        for other in others
        if other.path < mine.path
        for finding in _clash(other, mine)
    ]
    return tuple(sorted(found, key=lambda finding: (finding.code, finding.message)))


class Tree:
    """The files of a repository, and which patterns select any of them."""

    def __init__(self, paths: Sequence[str]) -> None:
        self.paths = tuple(paths)
        self._selects: dict[str, bool] = {}

    def selects(self, pattern: str) -> bool:
        """Whether a pattern selects a file; worked out once for each."""
        if pattern not in self._selects:
            found = any(globs.matches([pattern], path) for path in self.paths)
            self._selects[pattern] = found
        return self._selects[pattern]


def dead_globs(artifact: Artifact, tree: "Sequence[str] | Tree") -> tuple[str, ...]:
    """Return the patterns of an artifact that select no file of `tree`; `!` patterns are exempt."""
    files = tree if isinstance(tree, Tree) else Tree(tree)
    return tuple(
        pattern
        for pattern in artifact.paths
        if not pattern.startswith("!") and not files.selects(pattern)
    )


def _about(artifact: Artifact, tree: "Tree") -> Iterator[Finding]:
    path = artifact.path
    for pattern in dead_globs(artifact, tree):
        yield Finding(
            "dead-glob",
            "warning",
            path,
            f"`{pattern}` matches no file of the repository",
            "correct the pattern or take it out",
        )
    if artifact.kind is ArtifactKind.SECTION:
        return
    yield from _frontmatter(artifact)
    if artifact.kind is ArtifactKind.SKILL and not artifact.description:
        yield Finding(
            "no-description",
            "error",
            path,
            "the skill has no description, so no agent can tell when to open it",
            "say in `description:` when it is needed",
        )
    if len(artifact.description) > MAX_DESCRIPTION:
        yield Finding(
            "description-too-long",
            "warning",
            path,
            f"the description has {len(artifact.description)} characters, the agent sees the "
            f"first {MAX_DESCRIPTION}",
            "move the details into the skill's text",
        )


def _frontmatter(artifact: Artifact) -> Iterator[Finding]:
    effect = "it loads at every start" if artifact.kind is ArtifactKind.RULE else "it is not scoped"
    trouble = frontmatter.problem(artifact.text)
    if trouble:
        yield Finding(
            "frontmatter-ignored",
            "error",
            artifact.path,
            f"{trouble}: {effect}",
            "repair it, or remove it if that is meant",
        )
    fields, _ = frontmatter.split(artifact.text)
    ignored = [key for key in ("globs", "alwaysApply") if key in fields]
    if ignored and not artifact.paths:
        yield Finding(
            "frontmatter-ignored",
            "error",
            artifact.path,
            f"`{ignored[0]}:` means nothing to the agent: {effect}",
            "write the patterns under `paths:`",
        )


def _clashes(artifacts: Sequence[Artifact]) -> Iterator[Finding]:
    for first, second in combinations(artifacts, 2):
        yield from _clash(first, second)


def _clash(first: Artifact, second: Artifact) -> Iterator[Finding]:
    same_kind = first.kind is second.kind and first.kind is not ArtifactKind.SECTION
    if same_kind and first.name.lower() == second.name.lower():
        yield Finding(
            "clash",
            "warning",
            second.path,
            f"has the same name as {first.path}",
            "rename one of them",
        )
    elif repeats(first.text, second.text) and repeats(second.text, first.text):
        yield Finding(
            "duplicate",
            "warning",
            second.path,
            f"says the same as {first.key}",
            "keep one of them",
        )


def _never_read(files: Mapping[str, str]) -> Iterator[Finding]:
    claude = [files[path] for path in ("CLAUDE.md", ".claude/CLAUDE.md") if path in files]
    if "AGENTS.md" in files and claude and not any("AGENTS.md" in text for text in claude):
        yield Finding(
            "never-read",
            "info",
            "AGENTS.md",
            "Claude Code does not read this file",
            "write `@AGENTS.md` into CLAUDE.md if it should",
        )
