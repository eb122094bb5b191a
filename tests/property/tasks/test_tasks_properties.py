from hypothesis import given, settings
from hypothesis import strategies as st

from cortex.tasks import lines
from cortex.tasks.building import relative
from cortex.tasks.command_checks import safe_argv
from cortex.tasks.derive import derive, escape, finished
from cortex.tasks.evaluate import evaluate
from cortex.tasks.segments import segments

CODE = st.lists(
    st.sampled_from(
        [
            "import requests", "x = datetime.now()", "raise ValueError('a')", "def f(a, b):",
            "    return a.b(1)", "print('x')", "class A:", "    y: int = 2", "@app.route('/x')",
            "r = http.get(u, timeout=3)", "# note", "é = 'ü'", "(", "'''", "", "if a == None:",
            "const x = await fetch(u);", "}", "\x0c\u2028",
        ]
    ),
    max_size=8,
).map(lambda rows: "\n".join(rows) + "\n")  # fmt: skip
PATHS = st.sampled_from(["a.py", "src/b.ts", "c.go", "d.yml", "e.md", "tests/test_f.py"])
FILES = st.dictionaries(PATHS, st.one_of(st.none(), CODE), max_size=3)


@settings(max_examples=150, deadline=None)
@given(FILES, FILES, FILES, st.sampled_from(["", "use requests", "no print, add tests"]))
def test_derived_checks_tell_the_three_states_apart(
    base: dict[str, str | None],
    attempt: dict[str, str | None],
    fix: dict[str, str | None],
    words: str,
) -> None:
    checks = derive(base, attempt, fix, words)

    def passes(final: dict[str, str | None]) -> bool:
        changed = {path: text for path, text in final.items() if text != base.get(path)}
        results = [evaluate(check, finished(base, changed)) for check in checks]
        assert not any(result.broken for result in results)
        return all(result.passed for result in results)

    if checks:
        assert passes(fix)
        assert not passes(attempt)
    assert checks == derive(base, attempt, fix, words)


@given(CODE, CODE)
def test_added_lines_are_lines_and_none_without_a_change(before: str, after: str) -> None:
    numbers = lines.added(before, after)
    assert all(0 <= number < len(lines.split(after)) for number in numbers)
    assert lines.added(after, after) == frozenset()
    assert len(lines.added(None, after)) == len(lines.split(after))


@given(CODE, CODE, CODE)
def test_added_text_is_found_between_old_lines(head: str, tail: str, new: str) -> None:
    marked = "".join(f"{row} #new{number}\n" for number, row in enumerate(lines.split(new)))
    rows = lines.split(head + marked + tail)
    added = {rows[number] for number in lines.added(head + tail, head + marked + tail)}
    assert {row for row in rows if "#new" in row} <= added


PATH_TEXT = st.text(st.sampled_from("/.ab\\ gitGIT~\0"), max_size=20)


@given(PATH_TEXT)
def test_relative_stays_inside(path: str) -> None:
    result = relative(f"/r/{path}", "/r")
    if result is not None:
        assert not result.startswith("/")
        assert ".." not in result.split("/")
        assert ".git" not in result.lower().split("/")


SHELL_TEXT = st.text(st.sampled_from("pytest git'\"\\;|&<>()$`\n-/.=~*c d"), max_size=40)


@given(SHELL_TEXT)
def test_any_shell_text_is_read_without_a_crash(command: str) -> None:
    assert all(part.strip() for part in segments(command))


@given(SHELL_TEXT)
def test_an_accepted_command_holds_no_shell_syntax(tail: str) -> None:
    argv = safe_argv(f"pytest {tail}", ("/r",))
    if argv is not None:
        assert argv[0] == "pytest"
        assert not any(word.startswith("/") or ".." in word.split("/") for word in argv)


@given(st.text(st.sampled_from("ab[]*?!#\\/."), min_size=1, max_size=12))
def test_escaped_globs_match_their_own_path(path: str) -> None:
    from cortex.artifacts.globs import matches

    clean = "/".join(part for part in path.split("/") if part not in ("", ".", ".."))
    if clean:
        assert matches((escape(f"x/{clean}"),), f"x/{clean}")
