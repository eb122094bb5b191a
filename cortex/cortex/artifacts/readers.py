"""Which agent reads which harness file (measured with each command line)."""

from collections.abc import Collection

from cortex.artifacts import harness

CLAUDE_FILES = ("CLAUDE.md", ".claude/CLAUDE.md")
AGENTS_FILE = "AGENTS.md"
CLAUDE_LIKE = frozenset({"claude-code", "scripted", "messages"})
"""Agents that load harness text under the conditions of Claude Code."""
_SKILLS = {
    "codex": (".agents/skills/", ".codex/skills/"),
    "opencode": (".opencode/skills/", ".claude/skills/", ".agents/skills/"),
}


def falls_back_to_agents_file(files: Collection[str]) -> bool:
    """Whether Claude Code reads `AGENTS.md` of a repository with these harness files.

    It does where there is no `CLAUDE.md` (since 2.1.2xx; older versions never read it).
    """
    return not any(path in files for path in CLAUDE_FILES)


def read_by(agent: str, path: str, files: Collection[str]) -> bool:
    """Whether an agent reads the harness file at the relative `path`.

    `files` are the relative paths of all harness files of the repository.
    """
    claude = path in CLAUDE_FILES
    if agent in CLAUDE_LIKE:
        if path == AGENTS_FILE:
            return falls_back_to_agents_file(files)
        return claude or path.startswith((harness.RULES, harness.SKILLS))
    if claude:
        return agent == "opencode" and AGENTS_FILE not in files
    return path == AGENTS_FILE or path.startswith(_SKILLS.get(agent, ()))


def instructions_file(agent: str, files: Collection[str]) -> str:
    """Return the instructions file that a new section for this agent belongs into."""
    if agent not in CLAUDE_LIKE:
        return AGENTS_FILE
    present = next((path for path in CLAUDE_FILES if path in files), None)
    if present is None and AGENTS_FILE in files:
        return AGENTS_FILE
    return present or CLAUDE_FILES[0]
