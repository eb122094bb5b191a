import pytest

from cortex.findings import FindingCode, check

TREE = ("src/app.py", "docs/a.md")


def codes(files: dict[str, str]) -> list[tuple[str, str]]:
    return [(finding.code, finding.path) for finding in check(files, TREE)]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("---\npaths: api/**\n---\nBody", "dead-glob"),
        ("---\nglobs: src/**\n---\nBody", "frontmatter-ignored"),
        ('---\ndescription: "a" b\n---\nBody', "frontmatter-ignored"),
        ("---\npaths: ['!api/**', 'src/**']\n---\nBody", None),
        ("Body", None),
    ],
)
def test_one_rule(text: str, code: str | None) -> None:
    path = ".claude/rules/a.md"
    assert codes({path: text}) == ([(code, path)] if code else [])


def test_each_dead_pattern_is_named() -> None:
    text = "---\npaths:\n  - api/**\n  - src/**\n  - '*.go'\n---\nBody"
    findings = check({".claude/rules/a.md": text}, TREE)
    places = [(finding.message.split("`")[1], finding.line) for finding in findings]
    assert places == [("*.go", 4), ("api/**", 2)]


def test_a_finding_has_its_line() -> None:
    words = "Write short functions and test each of them."
    files = {
        ".claude/rules/a.md": f"---\nother: x\nglobs: src/**\n---\n{words}\n",
        "CLAUDE.md": f"# A\n\nIntro.\n\n## Style\n\n{words}\n",
    }
    places = {finding.code: finding.line for finding in check(files, TREE)}
    assert places == {FindingCode.FRONTMATTER_IGNORED: 2, FindingCode.DUPLICATE: 4}


def test_skills_need_a_description_that_fits() -> None:
    path = ".claude/skills/a/SKILL.md"
    assert codes({path: f"---\ndescription: {'x' * 1537}\n---\nBody"}) == [
        ("description-too-long", path)
    ]
    assert codes({path: f"---\ndescription: {'x' * 1536}\n---\nBody"}) == []
    assert codes({path: ""}) == [("no-description", path)]


def test_names_and_texts_that_clash() -> None:
    files = {
        ".claude/rules/a/style.md": "Write short functions and test each one of them.",
        ".claude/rules/b/Style.md": "Something else altogether, about documentation.",
        "CLAUDE.md": "## Style\n\nWrite short functions and test each one of them.\n",
    }
    assert codes(files) == [("clash", ".claude/rules/b/Style.md"), ("duplicate", "CLAUDE.md")]


def test_agents_md_is_not_read_by_claude_code_unless_imported() -> None:
    files = {"AGENTS.md": "## One\nwords here\n", "CLAUDE.md": "## Two\nother text\n"}
    assert codes(files) == [("never-read", "AGENTS.md")]
    assert codes({**files, "CLAUDE.md": "@AGENTS.md\n"}) == []
