"""The translation of patterns against git itself and against pathspec."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pathspec import GitIgnoreSpec

from cortex.artifacts import globs

PARTS = st.lists(
    st.sampled_from(["a", "b", "ab", "a.b", "*", "**", "?", "*.b", "a*", "[ab]", "[!a]", "[a-b]b"]),
    min_size=1,
    max_size=4,
)
PATTERNS = st.builds(
    lambda front, parts, back: front + "/".join(parts) + back,
    st.sampled_from(["", "", "/", "!", "!/"]),
    PARTS,
    st.sampled_from(["", "", "/", " "]),
)
NAMES = st.sampled_from(["a", "b", "ab", "a.b", "bb", "c"])
PATHS = [
    "/".join(parts)
    for name in ("a", "b", "ab", "a.b", "c")
    for parts in ([name], [name, "a"], [name, "bb"], [name, "a.b", "b"], [name, "c", "ab", "a"])
]


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("globs")
    subprocess.run(["git", "init", "-q", root], check=True)
    return root


def ignored_by_git(root: Path, patterns: Sequence[str]) -> set[str]:
    (root / ".gitignore").write_text("".join(f"{pattern}\n" for pattern in patterns))
    done = subprocess.run(
        ["git", "check-ignore", "--no-index", "--stdin"],
        cwd=root,
        input="\n".join(PATHS),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    return set(done.stdout.split())


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(patterns=st.lists(PATTERNS, min_size=1, max_size=4))
def test_equal_to_git(repository: Path, patterns: list[str]) -> None:
    expected = ignored_by_git(repository, globs.effective(patterns))
    assert set(globs.covers(patterns, PATHS)) == expected


# pathspec takes files for folders in `a/**/`, and does not look at the folders above a file.
AGREED = PATTERNS.filter(lambda text: not text.startswith("!") and not text.endswith("**/"))


@given(patterns=st.lists(AGREED, min_size=1, max_size=4))
def test_equal_to_pathspec(patterns: list[str]) -> None:
    spec = GitIgnoreSpec.from_lines(globs.effective(patterns))
    assert set(globs.covers(patterns, PATHS)) == {path for path in PATHS if spec.match_file(path)}


@given(st.lists(st.text(max_size=12), max_size=4), st.text(min_size=1, max_size=12))
def test_no_pattern_crashes(patterns: list[str], path: str) -> None:
    globs.matches(patterns, path)
