import pytest

from cortex.artifacts import harness, loading
from cortex.digests import digest_text
from cortex.model.artifacts import Artifact, ArtifactKind

FILES = {
    ".claude/rules/deep/http.md": "---\npaths: api/**/*.py\n---\n# HTTP\n",
    ".claude/rules/notes.txt": "not a rule",
    ".claude/skills/ship/SKILL.md": "---\ndescription: When shipping\nwhen_to_use: at release\n"
    "paths: ['deploy/**']\n---\nDo it",
    ".claude/skills/ship/run.sh": "echo",
    ".claude/skills/bare/SKILL.md": "\nFirst line\nSecond",
    ".claude/commands/x.md": "no",
    "AGENTS.md": "## Shared\nx\n",
    "CLAUDE.md": "# Title\n\n## Testing\nrun it\n",
    "docs/CLAUDE.md": "nested",
}


def test_parse_finds_rules_skills_and_sections() -> None:
    artifacts = {artifact.key: artifact for artifact in harness.parse(FILES)}
    assert list(artifacts) == [
        ".claude/rules/deep/http.md",
        ".claude/skills/bare/SKILL.md",
        ".claude/skills/ship/SKILL.md",
        "AGENTS.md#Shared",
        "CLAUDE.md#",
        "CLAUDE.md#Testing",
    ]
    rule, skill = artifacts[".claude/rules/deep/http.md"], artifacts[".claude/skills/ship/SKILL.md"]
    assert (rule.kind, rule.paths, rule.agent) == (
        ArtifactKind.RULE,
        ("api/**/*.py",),
        "claude-code",
    )
    assert (skill.name, skill.description) == ("ship", "When shipping - at release")
    assert artifacts[".claude/skills/bare/SKILL.md"].description == "First line"
    assert artifacts["AGENTS.md#Shared"].agent == "codex"
    assert artifacts["CLAUDE.md#Testing"].text == "## Testing\nrun it\n"
    assert all(artifact.digest == digest_text(artifact.text) for artifact in artifacts.values())


@pytest.mark.parametrize(
    ("path", "belongs"),
    [
        (".claude/rules/a/b.md", True),
        (".claude/rules/a.txt", False),
        (".claude/skills/x/SKILL.md", True),
        (".claude/skills/x/lib/util.py", True),
        (".claude/skills/README.md", False),
        (".claude/settings.json", False),
        (".claude/CLAUDE.md", True),
        ("sub/CLAUDE.md", False),
        ("src/app.py", False),
    ],
)
def test_what_counts_as_harness(path: str, belongs: bool) -> None:
    assert harness.is_harness(path) is belongs


def artifact(path: str, head: str = "") -> Artifact:
    return harness.from_text(path, f"---\n{head}\n---\nBody" if head else "Body")


SCOPED_RULE = artifact(".claude/rules/a.md", "paths: src/**/*.py")
SCOPED_SKILL = artifact(".claude/skills/a/SKILL.md", "paths: src/**/*.py")
RULE = artifact(".claude/rules/a.md")
SKILL = artifact(".claude/skills/a/SKILL.md", "description: x")


def test_rules_are_triggered_by_reading_only() -> None:
    assert loading.triggered(SCOPED_RULE, ["src/a.py"], [])
    assert not loading.triggered(SCOPED_RULE, ["README.md"], ["src/new.py"])


def test_skills_with_paths_are_triggered_by_any_touch() -> None:
    assert loading.triggered(SCOPED_SKILL, [], ["src/new.py"])
    assert loading.triggered(SCOPED_SKILL, ["src/a.py"], [])
    assert not loading.triggered(SCOPED_SKILL, ["README.md"], ["README.md"])


def test_unscoped_text_needs_no_file() -> None:
    assert loading.triggered(RULE, [], [])
    assert loading.triggered(SKILL, [], [])


def test_what_loads_at_start() -> None:
    section = harness.section("CLAUDE.md", "A", "## A\nx\n")
    assert [loading.loads_at_start(artifact) for artifact in (RULE, section)] == [True, True]
    assert [loading.loads_at_start(artifact) for artifact in (SCOPED_RULE, SKILL)] == [False, False]


def test_scoped_text_can_load_only_where_a_task_has_such_files() -> None:
    assert loading.could_load(SCOPED_RULE, ["docs/a.md", "src/a.py"])
    assert not loading.could_load(SCOPED_RULE, ["docs/a.md"])
    assert loading.could_load(SKILL, [])
