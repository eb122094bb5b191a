import pytest
from pydantic import ValidationError

from cortex.proposing import answers
from cortex.proposing.candidates import to_artifact
from cortex.proposing.draft import Draft, schema

GOOD = {
    "kind": "rule",
    "name": "use-clock",
    "paths": ["shop/**/*.py"],
    "description": "Use the clock",
    "body": "Write `clock.now()`.",
    "rationale": "asked twice",
}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("kind", "hook"),
        ("name", "../../evil"),
        ("name", "A b"),
        ("paths", ["../x"]),
        ("paths", ["a, b"]),
        ("paths", ["a\nb"]),
        ("paths", ['a"b']),
        ("paths", ["#x"]),
        ("paths", ["x" * 201]),
        ("paths", ["a"] * 9),
        ("description", " "),
        ("body", "```\n```"),
        ("body", "x" * 4001),
        ("extra", "x"),
    ],
)
def test_what_is_not_a_draft(field: str, value: object) -> None:
    with pytest.raises(ValidationError):
        Draft.model_validate({**GOOD, field: value})


def test_a_section_has_no_paths() -> None:
    with pytest.raises(ValidationError, match="make it a rule"):
        Draft.model_validate({**GOOD, "kind": "section"})


def test_the_schema_of_a_model_has_no_usage() -> None:
    form = schema()
    assert set(form["required"]) == set(form["properties"]) == set(GOOD)


def test_a_skill_is_rendered_with_its_offer() -> None:
    draft = Draft.model_validate({**GOOD, "kind": "skill", "description": 'When "time": matters'})
    artifact = to_artifact(draft)
    assert artifact.path == ".claude/skills/use-clock/SKILL.md"
    assert (artifact.description, artifact.paths) == ('When "time": matters', ("shop/**/*.py",))
    assert artifact.text.endswith("---\n# Use clock\n\nWrite `clock.now()`.\n")


def test_a_section_is_under_its_title() -> None:
    artifact = to_artifact(
        Draft.model_validate({**GOOD, "kind": "section", "paths": [], "description": "## Clock #"})
    )
    assert (artifact.heading, artifact.text) == ("Clock", "## Clock\n\nWrite `clock.now()`.\n")


def test_an_object_is_found_in_whatever_stands_around_it() -> None:
    assert answers.find_object('Sure {x}!\n```json\n{"a": {"b": 1}}\n```') == {"a": {"b": 1}}
    assert answers.find_object("no object { here") is None
