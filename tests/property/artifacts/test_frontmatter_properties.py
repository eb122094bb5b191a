import yaml
from hypothesis import given
from hypothesis import strategies as st

from cortex.artifacts import frontmatter

VALUES = st.text(st.characters(exclude_characters='"\\\n\r\x85\u2028\u2029'), max_size=12)
LINES = st.one_of(
    st.builds('description: "{}"'.format, VALUES),
    st.builds('name: "{}"'.format, VALUES),
    st.just("paths:"),
    st.builds('  - "{}"'.format, VALUES),
    st.sampled_from(['- "a"', "", "# c", "name: x", 'paths: "a" ', '    - "b"', 'name:"x"']),
)


@given(st.lists(LINES, max_size=5))
def test_the_quick_reader_agrees_with_yaml(lines: list[str]) -> None:
    block = "".join(f"{line}\n" for line in lines)
    if "---" in block:
        return
    try:
        expected = yaml.safe_load(block)
    except yaml.YAMLError:
        return
    fields, body = frontmatter.split(f"---\n{block}---\nBody")
    assert body == "Body"
    assert fields == (expected if isinstance(expected, dict) else {})


@given(st.text(min_size=1), st.lists(st.text(min_size=1), max_size=3))
def test_rendered_fields_stay_the_fields_that_they_are(description: str, paths: list[str]) -> None:
    text = frontmatter.render({"description": description, "paths": tuple(paths)})
    fields, body = frontmatter.split(text + "Body")
    assert body == "Body"
    assert set(fields) == ({"description", "paths"} if paths else {"description"})
    assert len(fields.get("paths", ())) == len(paths)


@given(st.text())
def test_no_text_crashes_the_reader(text: str) -> None:
    frontmatter.split(text)
    frontmatter.problem(text)
    frontmatter.split(f"---\n{text}\n---\nx")
