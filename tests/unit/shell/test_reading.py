import subprocess
import sys
import time

import pytest

from cortex.shell import MAX_CHARACTERS, Redirection, ShellCommand, read


def words(text: str) -> list[tuple[str, ...]]:
    return [command.words for command in read(text).commands]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('a \'b c\' "d \\"e\\"" f\\ g h\'i\'"j"', [("a", "b c", 'd "e"', "f g", "hij")]),
        ("git -C '/a b' --no-pager -c x=y commit -m z", [("git", "commit", "-m", "z")]),
        ("git --version", [("git", "--version")]),
        ("a; b && c || d | e & f\ng", [("a",), ("b",), ("c",), ("d",), ("e",), ("f",), ("g",)]),
        ("(cd a; make) && { ls; }", [("cd", "a"), ("make",), ("ls",)]),
        ("if [ -f x ]; then make; fi", [("[", "-f x", "]"), ("make",)]),
        ("for f in a b; do rm b; done", [("rm", "b")]),
        ("# git push\nls", [("ls",)]),
        ("cat > f <<'EOF'\ngit push\nEOF\ngit add f", [("cat",), ("git", "add", "f")]),
        ("cat <<EOF | tee f && ls\nx\nEOF", [("cat",), ("tee", "f"), ("ls",)]),
        ("bash -lc 'git push && ls'", [("git", "push"), ("ls",)]),
        ("sh -c \"bash -c 'git push'\"", [("git", "push")]),
        ("bash script.sh -c x", [("bash", "script.sh", "-c", "x")]),
        ("A=1 B=2 pytest", [("pytest",)]),
        ("export A=1", [("export", "A=1")]),
        ("", []),
    ],
)
def test_simple_commands_in_order(text: str, expected: list[tuple[str, ...]]) -> None:
    assert words(text) == expected


def test_operators_join_commands() -> None:
    assert [command.operator for command in read("a && b | c; d\ne").commands] == [
        "", "&&", "|", ";", "\n",
    ]  # fmt: skip


def test_assignments_and_redirections() -> None:
    [command] = read("A=1 make > out 2>&1 </dev/null").commands
    assert command.assignments == ("A=1",)
    assert command.redirections == (
        Redirection(">", "out"),
        Redirection(">&", "1", "2"),
        Redirection("<", "/dev/null"),
    )
    assert [each.writes_file for each in command.redirections] == [True, False, False]
    assert command.text == "make > out 2>&1 < /dev/null"


@pytest.mark.parametrize("text", ["x=$(make)", 'echo "$(make)"', "echo `make`", "f <(make)"])
def test_substituted_commands_are_marked(text: str) -> None:
    line = read(text)
    assert line.substitutes
    assert not line.simple
    assert ShellCommand(("make",), substituted=True) in [
        ShellCommand(command.words, substituted=command.substituted) for command in line.commands
    ]


@pytest.mark.parametrize(
    ("text", "literal"),
    [("a b[1] 'c*'", True), ("a *", False), ("a $b", False), ("a ~/b", False), ('a "$b"', False)],
)
def test_literal_words(text: str, literal: bool) -> None:
    [command] = read(text).commands
    assert command.literal is literal


@pytest.mark.parametrize("text", ["a &", "! a", "(a)", "a $(b)", "if a; then b; fi", "a 'b"])
def test_lines_that_are_not_simple(text: str) -> None:
    assert not read(text).simple


@pytest.mark.parametrize(
    "text",
    ["(" * 3000, "$(" * 5000, '"$(' * 2000, "bash -c '" * 200, "a" * 200_000, "{ a; " * 9000],
)
def test_huge_and_deep_lines_are_cut(text: str) -> None:
    start = time.monotonic()
    read(text)
    assert time.monotonic() - start < 2


def test_what_is_too_long_or_too_deep_is_not_complete() -> None:
    assert not read("a\n" * MAX_CHARACTERS).complete
    assert not read("(" * 100 + "a" + ")" * 100).complete
    nested = "git push"
    for _ in range(8):
        nested = f"sh -c {subprocess.list2cmdline([nested])}"
    assert not read(nested).complete or words(nested) == [("git", "push")]


def test_ast_grep_is_imported_when_text_is_read() -> None:
    code = "import sys, cortex.shell; sys.exit('ast_grep_py' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
