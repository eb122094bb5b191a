import pytest

from cortex.artifacts import edits, harness
from cortex.errors import UsageError
from cortex.model.artifacts import Artifact

CLAUDE = "# Title\n\nIntro\n\n## One\na\n\n## Two\nb\n"


def section(heading: str, text: str) -> Artifact:
    return harness.section("CLAUDE.md", heading, text)


def test_a_new_section_goes_to_the_end_and_leaves_its_neighbours_digests_alone() -> None:
    before = {artifact.key: artifact.digest for artifact in harness.parse({"CLAUDE.md": CLAUDE})}
    new = section("Three", "## Three\nc\n")
    files = edits.with_artifact({"CLAUDE.md": CLAUDE}, new)
    assert files["CLAUDE.md"] == CLAUDE + "\n## Three\nc\n"
    after = {artifact.key: artifact.digest for artifact in harness.parse(files)}
    assert after == {**before, new.key: new.digest}
    assert edits.without_artifact(files, new) == {"CLAUDE.md": CLAUDE}


def test_a_section_is_replaced_where_it_stands() -> None:
    files = edits.with_artifact({"CLAUDE.md": CLAUDE}, section("One", "## One\nnew\n"))
    assert files["CLAUDE.md"] == CLAUDE.replace("\na\n", "\nnew\n")


def test_a_file_without_a_last_newline_gets_one_in_front_of_a_new_section() -> None:
    files = edits.with_artifact({"CLAUDE.md": "Intro"}, section("A", "## A\nx\n"))
    assert files["CLAUDE.md"] == "Intro\n\n## A\nx\n"


def test_line_endings_of_the_file_are_followed() -> None:
    files = edits.with_artifact({"CLAUDE.md": "## A\r\nx\r\n"}, section("B", "## B\r\ny\r\n"))
    assert files["CLAUDE.md"] == "## A\r\nx\r\n\r\n## B\r\ny\r\n"


def test_the_first_section_makes_the_file_and_the_last_one_takes_it_away() -> None:
    new = section("A", "## A\nx\n")
    files = edits.with_artifact({"README.md": "r"}, new)
    assert files == {"README.md": "r", "CLAUDE.md": "## A\nx\n"}
    assert edits.without_artifact(files, new) == {"README.md": "r"}


def test_a_section_behind_an_open_fence_is_refused() -> None:
    with pytest.raises(UsageError, match="fence"):
        edits.with_artifact({"CLAUDE.md": "```\ncode\n"}, section("A", "## A\nx\n"))


def test_removing_a_skill_takes_its_whole_folder_and_no_other() -> None:
    files = {
        ".claude/skills/foo/SKILL.md": "a",
        ".claude/skills/foo/lib/x.py": "b",
        ".claude/skills/foobar/SKILL.md": "c",
    }
    skill = harness.from_text(".claude/skills/foo/SKILL.md", "a")
    assert edits.without_artifact(files, skill) == {".claude/skills/foobar/SKILL.md": "c"}


def test_a_rule_is_its_file() -> None:
    rule = harness.from_text(".claude/rules/a.md", "x")
    files = edits.with_artifact({"CLAUDE.md": CLAUDE}, rule)
    assert files == {"CLAUDE.md": CLAUDE, ".claude/rules/a.md": "x"}
    assert edits.without_artifact(files, rule) == {"CLAUDE.md": CLAUDE}


@pytest.mark.parametrize(
    "artifact",
    [
        section("One", "## One\nas it was tested\n"),
        harness.from_text(".claude/rules/a.md", "as it was tested"),
        harness.from_text(".claude/skills/a/SKILL.md", "as it was tested"),
    ],
)
def test_text_that_was_edited_since_is_not_removed(artifact: Artifact) -> None:
    files = {"CLAUDE.md": CLAUDE, ".claude/rules/a.md": "x", ".claude/skills/a/SKILL.md": "x"}
    with pytest.raises(UsageError, match="edited since"):
        edits.without_artifact(files, artifact)


def test_removing_what_is_not_there_changes_nothing() -> None:
    files = {"CLAUDE.md": CLAUDE}
    assert edits.without_artifact(files, section("Nine", "## Nine\n")) == files
    assert edits.without_artifact(files, harness.from_text(".claude/rules/a.md", "x")) == files


def test_a_section_is_put_back_at_its_place_even_next_to_a_twin() -> None:
    text = "## A\n1\n\n\n## A\n2\n## B\n3"
    for artifact in harness.parse({"CLAUDE.md": text}):
        place = edits.place_of(text, artifact.heading or "")
        assert place is not None
        removed = edits.without_artifact({"CLAUDE.md": text}, artifact)
        again = edits.with_artifact(removed, artifact, after=place.after, lead=place.lead)
        assert again == {"CLAUDE.md": text}
        assert place.repeated is (artifact.heading != "B")


def test_a_section_whose_neighbour_is_gone_goes_to_the_end() -> None:
    files = {"CLAUDE.md": "## Z\nlast"}
    again = edits.with_artifact(files, section("A", "## A\nx\n"), after="Gone", lead="\n\n\n")
    assert again == {"CLAUDE.md": "## Z\nlast\n\n## A\nx\n"}


def test_a_new_section_has_the_line_endings_of_its_file() -> None:
    section = harness.section("CLAUDE.md", "New", "## New\n\nx\n")
    windows = {"CLAUDE.md": "# A\r\n\r\nIntro.\r\n"}
    after = edits.with_artifact(windows, section)
    assert after["CLAUDE.md"] == "# A\r\n\r\nIntro.\r\n\r\n## New\r\n\r\nx\r\n"
    digests = {artifact.heading: artifact.digest for artifact in harness.parse(after)}
    assert digests["New"] == section.digest
    assert edits.without_artifact(after, section) == windows


def test_mixed_line_endings_are_left_alone() -> None:
    section = harness.section("CLAUDE.md", "New", "## New\n\nx\n")
    mixed = {"CLAUDE.md": "# A\r\n\r\nIntro.\n"}
    assert edits.with_artifact(mixed, section)["CLAUDE.md"].endswith("\n## New\n\nx\n")
    assert edits.line_endings(mixed["CLAUDE.md"]) == "mixed"


def test_text_that_differs_in_its_line_endings_only_was_not_edited() -> None:
    rule = harness.from_text(".claude/rules/a.md", "One.\nTwo.\n")
    edits.check_unchanged({rule.path: "One.\r\nTwo.\r\n"}, rule)
    with pytest.raises(UsageError, match="edited"):
        edits.check_unchanged({rule.path: "One.\r\nThree.\r\n"}, rule)
