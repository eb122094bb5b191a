import pytest

from cortex.tasks.segments import segments


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (
            "cd /repo && git checkout -b fix; npm test | tail -5",
            ("git checkout -b fix", "npm test"),
        ),
        ("FOO=1 BAR=2 pytest -q 2>&1", ("pytest -q 2>&1",)),
        ("git -C /repo -c a=b commit -m 'a && b; c'", ('git commit -m ""',)),
        ("sudo time make   lint\nmake test &", ("make lint", "make test")),
        ("echo 'git push' && cat x", ()),
        ("cat > f <<'EOF'\ngit push\nEOF\ngit add f", ("git add f",)),
        ("bash -c 'git push && ls'", ("git push",)),
        ("git commit -m \"$(cat <<'EOF'\ngit push; x\nEOF\n)\"", ('git commit -m ""',)),
        ('git commit -m "say \\"x\\"; git push"', ('git commit -m ""',)),
        ("", ()),
        ("'unbalanced", ("'unbalanced",)),
    ],
)
def test_segments(command: str, expected: tuple[str, ...]) -> None:
    assert segments(command) == expected
