"""Harness text and proposed changes of it."""

from dataclasses import dataclass
from enum import StrEnum


class ArtifactKind(StrEnum):
    """What a piece of harness text is."""

    SKILL = "skill"
    RULE = "rule"
    SECTION = "section"


@dataclass(frozen=True, slots=True)
class Artifact:
    """One piece of harness text, identified by agent, path (+ heading) and content digest."""

    agent: str
    kind: ArtifactKind
    path: str
    """Relative to the repository, with forward slashes: `.claude/rules/http.md`,
    `.claude/skills/foo/SKILL.md`, `CLAUDE.md`."""
    text: str
    """The whole file; for a section its heading line and body."""
    digest: str
    heading: str | None = None
    """For a section: its heading text."""
    paths: tuple[str, ...] = ()
    """Globs that scope it; empty means every turn (rule, section) or on opening (skill)."""
    description: str = ""

    @property
    def name(self) -> str:
        """What a person calls it: `http`, `foo`, `CLAUDE.md § Testing`."""
        parts = self.path.split("/")
        if self.kind is ArtifactKind.SKILL:
            return parts[-2]
        if self.kind is ArtifactKind.SECTION:
            return f"{self.path} § {self.heading}"
        return parts[-1].removesuffix(".md")

    @property
    def key(self) -> str:
        """Identity without the content: survives an edit of the text."""
        return f"{self.path}#{self.heading}" if self.heading is not None else self.path


class ChangeKind(StrEnum):
    """What a candidate does to the harness."""

    ADD = "add"
    REMOVE = "remove"


class CandidateStatus(StrEnum):
    """What has become of a candidate."""

    PROPOSED = "proposed"
    REFUSED = "refused"
    """By the checks before any trial."""
    KEPT = "kept"
    BURIED = "buried"
    PRUNED = "pruned"
    RETAINED = "retained"
    UNUSED = "unused"
    UNDECIDED = "undecided"
    PURGED = "purged"
    """Its texts were removed; the row stays because a verdict rests on it."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A proposed change of exactly one artifact."""

    id: str
    change: ChangeKind
    artifact: Artifact
    title: str
    rationale: str = ""
    theme_id: str | None = None
    task_ids: tuple[str, ...] = ()
    """Theme tasks that it is about; empty for text that was not made from a theme."""
    seen_task_ids: tuple[str, ...] = ()
    """Tasks that the writer saw; the theme's other tasks are held out."""
    writer: str = ""
    created_at: str = ""
    status: CandidateStatus = CandidateStatus.PROPOSED
