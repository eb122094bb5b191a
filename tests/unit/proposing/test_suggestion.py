from pathlib import Path

import pytest

from cortex.errors import UsageError
from cortex.model.artifacts import ArtifactKind
from cortex.proposing import suggestion

SKILL = "---\nname: ship-it\ndescription: When shipping\n---\nDo it\n"


def write(root: Path, path: str, content: str | bytes) -> Path:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return file


@pytest.mark.parametrize(
    ("path", "text", "place"),
    [
        ("clock.md", "---\npaths: a/**\n---\nBody", ".claude/rules/clock.md"),
        (".claude/rules/deep/clock.md", "Body", ".claude/rules/deep/clock.md"),
        ("drafts/ship/SKILL.md", SKILL, ".claude/skills/ship/SKILL.md"),
        ("whatever.md", SKILL, ".claude/skills/ship-it/SKILL.md"),
    ],
)
def test_the_file_says_what_it_is(tmp_path: Path, path: str, text: str, place: str) -> None:
    artifact = suggestion.from_file(write(tmp_path, path, text))
    assert (artifact.path, artifact.text) == (place, text)
    assert (artifact.kind is ArtifactKind.SKILL) is ("skills" in place)


@pytest.mark.parametrize(
    ("path", "content", "complaint"),
    [
        ("a.txt", "Body", "Markdown"),
        ("a.md", "---\npaths: a\n---\n\n", "empty"),
        ("a.md", b"\xff\xfe", "UTF-8"),
        ("a.md", "---\nname: ../../x\ndescription: y\n---\nBody", "cannot be the name"),
    ],
)
def test_other_files_are_refused_in_one_line(
    tmp_path: Path, path: str, content: str | bytes, complaint: str
) -> None:
    with pytest.raises(UsageError, match=complaint):
        suggestion.from_file(write(tmp_path, path, content))


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        suggestion.from_file(tmp_path / "a.md")
