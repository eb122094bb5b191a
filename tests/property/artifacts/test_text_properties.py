from hypothesis import given, settings
from hypothesis import strategies as st

from cortex.artifacts import edits, harness, sections
from cortex.errors import UsageError

HEADINGS = ["## A", "## B", "## A ##", "##", "## ##", "# T", "### C", "   ## D", "    ## E"]
FENCES = ["```", "````", "~~~", "```py"]
LINES = st.sampled_from([*HEADINGS, *FENCES, "text", " ", "", "---", "é", "\u2028"])
ENDS = st.sampled_from(["\n", "\r\n", "\n", "\n\n"])
DOCUMENTS = st.builds(
    lambda bom, lines, last: bom + "".join(line + end for line, end in lines) + last,
    st.sampled_from(["", "\ufeff"]),
    st.lists(st.tuples(LINES, ENDS), max_size=14),
    st.one_of(st.just(""), LINES),
)


@given(DOCUMENTS | st.text())
def test_the_pieces_give_the_file_back(text: str) -> None:
    document = sections.split(text)
    assert document.render() == text
    headings = [piece.heading for piece in document.pieces]
    assert len(headings) == len(set(headings))
    assert all(piece.text.strip(" \t\r\n") for piece in document.pieces)


@given(DOCUMENTS, st.integers(0, 20))
def test_a_section_taken_out_and_put_back_leaves_every_byte(text: str, pick: int) -> None:
    artifacts = harness.parse({"CLAUDE.md": text})
    if not artifacts:
        return
    artifact = artifacts[pick % len(artifacts)]
    place = edits.place_of(text, artifact.heading or "")
    assert place is not None
    removed = edits.without_artifact({"CLAUDE.md": text}, artifact)
    again = edits.with_artifact(removed, artifact, after=place.after, lead=place.lead)
    assert again == {"CLAUDE.md": text}


@given(DOCUMENTS.filter(lambda text: not text or text.endswith("\n")))
@settings(max_examples=150)
def test_adding_a_section_changes_no_other_artifact(text: str) -> None:
    new = harness.section("CLAUDE.md", "Unheard of", "## Unheard of\nx\n")
    try:
        files = edits.with_artifact({"CLAUDE.md": text}, new)
    except UsageError:
        assert "```" in text or "~~~" in text
        return
    before, after = harness.parse({"CLAUDE.md": text}), harness.parse(files)
    assert [artifact.key for artifact in after if artifact.key == new.key]
    assert {(artifact.key, artifact.digest) for artifact in after} == {
        *((artifact.key, artifact.digest) for artifact in before),
        (new.key, new.digest),
    }
