"""The cases that were measured with the CLI (file read: top.py, then src/calc.py)."""

import pytest

from cortex.artifacts import globs


@pytest.mark.parametrize(
    ("value", "path", "selected"),
    [
        (["src/**/*.py"], "src/calc.py", True),
        (["src/**/*.py"], "src/a/b/calc.py", True),
        (["src/**/*.py"], "top.py", False),
        (["src/**/*.py"], "lib/src/calc.py", False),
        ("src/**/*.py, docs/**", "docs/guide/index.md", True),
        ("**/*.{py,ts}", "src/app.ts", True),
        ("**/*.{py,ts}", "src/app.js", False),
        (["/src/**"], "src/calc.py", True),
        (["src/"], "src/calc.py", True),
        (["src/"], "src", False),
        (["*.py"], "top.py", True),
        (["*.py"], "src/deep/calc.py", True),
        (["!src/calc.py", "src/**"], "src/calc.py", True),
        (["src/*.py", "!src/calc.py"], "src/calc.py", False),
        (["src/*.py", "!src/calc.py"], "src/other.py", True),
        (["SRC/**/*.PY"], "src/calc.py", True),
        (["a[0-9].py"], "a7.py", True),
        (["a[!0-9].py"], "a7.py", False),
        (["a?.py"], "ab.py", True),
        (["src/?.py"], "src//.py", False),
        ([r"\!odd.py"], "!odd.py", True),
        (["# comment"], "# comment", False),
        ([], "src/calc.py", False),
    ],
)
def test_matches_like_the_cli(value: object, path: str, selected: bool) -> None:
    assert globs.matches(globs.normalise(value), path) is selected


def test_a_comma_string_can_be_given_as_it_stands() -> None:
    assert globs.matches(["src/**, docs/{a,b}.md"], "docs/b.md")


def test_a_trailing_double_star_is_cut_so_that_the_folder_counts_at_any_depth() -> None:
    assert globs.effective(["src/**", "/**"]) == ("src",)
    assert globs.matches(["src/**"], "packages/src/calc.py")


def test_a_file_in_a_selected_folder_cannot_be_taken_out_again() -> None:
    assert globs.matches(["src/", "!src/calc.py"], "src/calc.py")


@pytest.mark.parametrize("value", [["**"], "**", ["**", "**"], ["/**"], [], 5, None, {"a": "b"}])
def test_patterns_that_restrict_nothing_are_no_scope(value: object) -> None:
    assert globs.unscoped(globs.normalise(value))


def test_one_real_pattern_is_a_scope() -> None:
    assert not globs.unscoped(globs.normalise(["**", "*.py"]))


def test_covers_keeps_the_order() -> None:
    assert globs.covers(["*.py"], ["b.py", "a.txt", "a.py"]) == ("b.py", "a.py")


def test_hostile_braces_stay_small() -> None:
    assert len(globs.effective(["{a,b}" * 40])) <= globs.MAX_EXPANSIONS
