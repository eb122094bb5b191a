"""Which agent reads which file."""

import pytest

from cortex.artifacts.readers import instructions_file, read_by

BOTH = ("CLAUDE.md", "AGENTS.md")


@pytest.mark.parametrize(
    ("agent", "path", "files", "reads"),
    [
        ("claude-code", "CLAUDE.md", BOTH, True),
        ("claude-code", "AGENTS.md", BOTH, False),
        ("claude-code", "AGENTS.md", ("AGENTS.md", ".claude/CLAUDE.md"), False),
        ("claude-code", "AGENTS.md", ("AGENTS.md", ".claude/rules/a.md"), True),
        ("claude-code", ".claude/rules/a.md", (), True),
        ("claude-code", ".claude/skills/a/SKILL.md", (), True),
        ("claude-code", ".agents/skills/a/SKILL.md", (), False),
        ("codex", "AGENTS.md", BOTH, True),
        ("codex", "CLAUDE.md", ("CLAUDE.md",), False),
        ("codex", ".claude/rules/a.md", (), False),
        ("codex", ".agents/skills/a/SKILL.md", (), True),
        ("opencode", "CLAUDE.md", BOTH, False),
        ("opencode", "CLAUDE.md", ("CLAUDE.md",), True),
        ("opencode", ".claude/skills/a/SKILL.md", (), True),
    ],
)
def test_who_reads(agent: str, path: str, files: tuple[str, ...], reads: bool) -> None:
    assert read_by(agent, path, files) is reads


@pytest.mark.parametrize(
    ("agent", "files", "file"),
    [
        ("claude-code", (), "CLAUDE.md"),
        ("claude-code", BOTH, "CLAUDE.md"),
        ("claude-code", ("AGENTS.md",), "AGENTS.md"),
        ("claude-code", (".claude/CLAUDE.md",), ".claude/CLAUDE.md"),
        ("codex", ("CLAUDE.md",), "AGENTS.md"),
    ],
)
def test_where_a_section_goes(agent: str, files: tuple[str, ...], file: str) -> None:
    assert instructions_file(agent, files) == file
