"""Static findings about the harness of a repository: pure functions over its files."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

from cortex.artifacts import frontmatter, globs, harness
from cortex.findings.similarity import repeats
from cortex.model.artifacts import Artifact, ArtifactKind

MAX_DESCRIPTION = 1536
"""Characters of a skill's description that the listing shows (measured)."""


class FindingCode(StrEnum):
    """What is wrong."""

    DEAD_GLOB = "dead-glob"
    CLASH = "clash"
    DUPLICATE = "duplicate"
    FRONTMATTER_IGNORED = "frontmatter-ignored"
    DESCRIPTION_TOO_LONG = "description-too-long"
    NO_DESCRIPTION = "no-description"
    NEVER_READ = "never-read"


class Severity(StrEnum):
    """How bad it is."""

    ERROR = "error"
    """The text does not do what it was written for."""
    WARNING = "warning"
    """It probably does not."""
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something about a harness file that a person should know."""

    code: FindingCode
    severity: Severity
    path: str
    message: str
    hint: str
    """What to do next."""
    line: int = 0
    """Of the file, from 0."""


def check(files: Mapping[str, str], tree: Sequence[str]) -> tuple[Finding, ...]:
    """Return the findings about harness `files` (path -> text), sorted by path and code.

    `tree` has the relative paths of all files of the repository.
    """
    artifacts = harness.parse(files)
    repository = Tree(tree)
    findings = [
        *(finding for artifact in artifacts for finding in _about(artifact, repository)),
        *_clashes(artifacts, files),
        *_never_read(files),
    ]
    return tuple(
        sorted(findings, key=lambda finding: (finding.path, finding.code, finding.message))
    )


def check_one(
    artifacts: Sequence[Artifact], others: Sequence[Artifact], tree: "Tree", text: str = ""
) -> tuple[Finding, ...]:
    """Return the findings about the artifacts of a file beside all `others`: while one types.

    `text` is the whole file. Of two that clash it is the one whose path comes later, as in
    `check`.
    """
    findings = [finding for artifact in artifacts for finding in _about(artifact, tree)]
    findings += [
        finding
        for artifact in artifacts
        for other in others
        if other.path < artifact.path
        for finding in _clash(other, artifact, text)
    ]
    return tuple(sorted(findings, key=lambda finding: (finding.code, finding.message)))


class Tree:
    """The files of a repository, and which patterns select any of them."""

    def __init__(self, paths: Sequence[str]) -> None:
        self.paths = tuple(paths)
        self._selects: dict[str, bool] = {}

    def selects(self, pattern: str) -> bool:
        """Whether a pattern selects a file; worked out once for each."""
        if pattern not in self._selects:
            selects = any(globs.matches([pattern], path) for path in self.paths)
            self._selects[pattern] = selects
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
            FindingCode.DEAD_GLOB,
            Severity.WARNING,
            path,
            f"`{pattern}` matches no file of the repository",
            "correct the pattern or remove it",
            _line_of(artifact.text, pattern),
        )
    if artifact.kind is ArtifactKind.SECTION:
        return
    yield from _frontmatter(artifact)
    if artifact.kind is ArtifactKind.SKILL and not artifact.description:
        yield Finding(
            FindingCode.NO_DESCRIPTION,
            Severity.ERROR,
            path,
            "the skill has no description, so no agent can tell when to open it",
            "describe in `description:` when it is needed",
        )
    if len(artifact.description) > MAX_DESCRIPTION:
        yield Finding(
            FindingCode.DESCRIPTION_TOO_LONG,
            Severity.WARNING,
            path,
            f"the description has {len(artifact.description)} characters, the agent sees the "
            f"first {MAX_DESCRIPTION}",
            "move the details into the skill's text",
            _line_of(artifact.text, "description:"),
        )


def _frontmatter(artifact: Artifact) -> Iterator[Finding]:
    effect = "it loads at every start" if artifact.kind is ArtifactKind.RULE else "it is not scoped"
    problem = frontmatter.problem(artifact.text)
    if problem:
        yield Finding(
            FindingCode.FRONTMATTER_IGNORED,
            Severity.ERROR,
            artifact.path,
            f"{problem}: {effect}",
            "repair it, or remove it if that is intended",
        )
    fields, _ = frontmatter.split(artifact.text)
    ignored = [key for key in ("globs", "alwaysApply") if key in fields]
    if ignored and not artifact.paths:
        yield Finding(
            FindingCode.FRONTMATTER_IGNORED,
            Severity.ERROR,
            artifact.path,
            f"`{ignored[0]}:` has no meaning for the agent: {effect}",
            "write the patterns under `paths:`",
            _line_of(artifact.text, f"{ignored[0]}:"),
        )


def _clashes(artifacts: Sequence[Artifact], files: Mapping[str, str]) -> Iterator[Finding]:
    for first, second in combinations(artifacts, 2):
        yield from _clash(first, second, files[second.path])


def _clash(first: Artifact, second: Artifact, text: str) -> Iterator[Finding]:
    same_kind = first.kind is second.kind and first.kind is not ArtifactKind.SECTION
    if same_kind and first.name.lower() == second.name.lower():
        yield Finding(
            FindingCode.CLASH,
            Severity.WARNING,
            second.path,
            f"has the same name as {first.path}",
            "rename one of them",
        )
    elif repeats(first.text, second.text) and repeats(second.text, first.text):
        yield Finding(
            FindingCode.DUPLICATE,
            Severity.WARNING,
            second.path,
            f"has the same content as {first.key}",
            "keep one of them",
            _line_of(text, second.text),
        )


def _never_read(files: Mapping[str, str]) -> Iterator[Finding]:
    claude = [files[path] for path in ("CLAUDE.md", ".claude/CLAUDE.md") if path in files]
    if "AGENTS.md" in files and claude and not any("AGENTS.md" in text for text in claude):
        yield Finding(
            FindingCode.NEVER_READ,
            Severity.INFO,
            "AGENTS.md",
            "Claude Code does not read this file",
            "write `@AGENTS.md` into CLAUDE.md if it should",
        )


def _line_of(text: str, words: str) -> int:
    """Return the first line of `text`, from 0, that holds `words`; 0 when there is none."""
    offset = text.find(words)
    return text.count("\n", 0, offset) if offset >= 0 else 0
