import subprocess
import sys

import pytest

from cortex.artifacts import frontmatter, harness

RULE = ".claude/rules/x.md"


@pytest.mark.parametrize(
    ("head", "paths"),
    [
        ("paths: src/**/*.py", ("src/**/*.py",)),
        ("paths: **/*.{py,ts}", ("**/*.{py,ts}",)),
        ("paths: src/**/*.py, docs/**", ("src/**/*.py", "docs/**")),
        ("paths: ['!src/calc.py','src/**']", ("!src/calc.py", "src/**")),
        ('paths:\n  - "src/**"\n  - docs/*.md', ("src/**", "docs/*.md")),
        ("paths:\r\n  - src/**\r", ("src/**",)),
        ("paths: ['**']", ()),
        ("paths: [", ("[",)),
        ("paths: {a: [}\n- x", ()),
        ("globs: src/**", ()),
        ("description: house rules\nalwaysApply: false", ()),
        ('description: "a" b\npaths: src/**', ()),
        ("just words", ()),
        ("", ()),
    ],
)
def test_the_scope_of_a_rule_is_what_the_cli_makes_of_it(head: str, paths: tuple[str, ...]) -> None:
    assert harness.from_text(RULE, f"---\n{head}\n---\nBody\n").paths == paths


def test_body_starts_behind_the_block_and_its_blank_lines() -> None:
    assert frontmatter.split("---\npaths: a\n---\n\n\nBody\n") == ({"paths": "a"}, "Body\n")


def test_the_first_dashes_close_the_block_even_inside_a_line() -> None:
    fields, body = frontmatter.split("---\ndescription: before --- after\n---\nBody")
    assert fields == {"description": "before"}
    assert body.startswith("after")


@pytest.mark.parametrize(
    ("text", "trouble"),
    [
        ('---\ndescription: "a" b\n---\nBody', "not valid YAML"),
        ("---\npaths: src/**\nBody", "never closed"),
        ("---\n- a\n---\nBody", "no `key: value` lines"),
        ("\ufeff---\npaths: src/**\n---\nBody", "byte order mark"),
    ],
)
def test_ignored_frontmatter_is_named(text: str, trouble: str) -> None:
    assert trouble in str(frontmatter.problem(text))
    assert frontmatter.split(text)[0] == {}


@pytest.mark.parametrize("text", ["Body", "---\npaths: a\n---\nBody", "---\n\nA ruler above", ""])
def test_sound_files_have_no_problem(text: str) -> None:
    assert frontmatter.problem(text) is None


def test_rendered_frontmatter_is_read_without_the_yaml_library() -> None:
    text = frontmatter.render({"description": "When it: matters", "paths": ("a/**", "*.{b,c}")})
    code = (
        "import sys; from cortex.artifacts import frontmatter, harness, disk, edits, graveyard;"
        f"fields, _ = frontmatter.split({text!r}); assert fields['paths'] == ['a/**', '*.{{b,c}}'];"
        "heavy = {'yaml', 'pydantic', 'pathspec'} & set(sys.modules); assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_value_cannot_close_the_block_it_is_in() -> None:
    text = frontmatter.render({"description": "a --- b\n---\npaths: **"})
    fields, body = frontmatter.split(text + "Body")
    assert set(fields) == {"description"}
    assert body == "Body"
