"""From files to artifacts: rules, skills and sections of instructions files."""

from collections.abc import Mapping

from cortex.artifacts import frontmatter, globs, sections
from cortex.digests import digest_text
from cortex.model.artifacts import Artifact, ArtifactKind

RULES = ".claude/rules/"
SKILLS = ".claude/skills/"
INSTRUCTIONS = {
    "CLAUDE.md": "claude-code",
    ".claude/CLAUDE.md": "claude-code",
    "AGENTS.md": "codex",
}
"""Instructions files and the agent that reads them at its start."""


def is_harness(path: str) -> bool:
    """Whether a file of this relative path is harness text (or in a skill's folder)."""
    if path.startswith(SKILLS):
        return path.count("/") >= 3
    return path in INSTRUCTIONS or is_rule(path)


def is_rule(path: str) -> bool:
    """Whether a file of this relative path is a rule."""
    return path.startswith(RULES) and path.endswith(".md")


def is_skill(path: str) -> bool:
    """Whether a file of this relative path is the text of a skill."""
    return path.startswith(SKILLS) and path.endswith("/SKILL.md") and path.count("/") == 3


def parse(files: Mapping[str, str]) -> tuple[Artifact, ...]:
    """Return the artifacts in `files` (relative path -> text), by path, then by place.

    Other files are skipped.
    """
    artifacts: list[Artifact] = []
    for path in sorted(files):
        if path in INSTRUCTIONS:
            artifacts.extend(_sections(path, files[path]))
        elif is_rule(path) or is_skill(path):
            artifacts.append(from_text(path, files[path]))
    return tuple(artifacts)


def from_text(path: str, text: str) -> Artifact:
    """Return the rule or skill that a file of this path and text is."""
    fields, body = frontmatter.split(text)
    kind = ArtifactKind.SKILL if is_skill(path) else ArtifactKind.RULE
    return Artifact(
        agent="claude-code",
        kind=kind,
        path=path,
        text=text,
        digest=digest_text(text),
        paths=scope(fields.get("paths")),
        description=_description(fields, body) if kind is ArtifactKind.SKILL else "",
    )


def section(path: str, heading: str, text: str) -> Artifact:
    """Return the section of an instructions file with this heading and text."""
    return Artifact(
        agent=INSTRUCTIONS.get(path, "claude-code"),
        kind=ArtifactKind.SECTION,
        path=path,
        text=text,
        digest=digest_text(text),
        heading=heading,
    )


def scope(value: object) -> tuple[str, ...]:
    """Return the patterns of a `paths:` value; none when it says `**`, which loads every time."""
    patterns = globs.normalise(value)
    return () if globs.unscoped(patterns) else patterns


def _sections(path: str, text: str) -> list[Artifact]:
    return [section(path, piece.heading, piece.text) for piece in sections.split(text).pieces]


def _description(fields: dict[str, object], body: str) -> str:
    """Return what the listing shows: `description - when_to_use`, else the body's first line."""
    parts = [str(fields.get(key) or "").strip() for key in ("description", "when_to_use")]
    if isinstance(fields.get("description"), str | int | float) and parts[0]:
        return " - ".join(filter(None, parts))
    return next((line.strip() for line in body.splitlines() if line.strip()), "")
