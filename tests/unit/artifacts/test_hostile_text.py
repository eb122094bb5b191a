"""Text of a repository that would make a reader slow: everything here ends at once."""

import random
import re
import time
from collections.abc import Iterator

import pytest

from cortex.artifacts import frontmatter, globs, harness, sections

BUDGET_S = 2.0
BOMB = "a: &a [x,x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{chr(98 + n)}: &{chr(98 + n)} [" + ",".join([f"*{chr(97 + n)}"] * 10) + "]\n"
    for n in range(8)
)


@pytest.fixture(autouse=True)
def quick() -> Iterator[None]:
    start = time.monotonic()
    yield
    assert time.monotonic() - start < BUDGET_S


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*a" * 25 + "*b", "a" * 200),
        ("*a" * 200 + "*b", "a" * 4000),
        ("**/a/" * 12 + "b.py", "a/" * 40 + "c.py"),
        ("**/a*/" * 50 + "**/b.py", "a/" * 400 + "c.py"),
        ("*?*?" * 100 + "b", "a" * 1000),
        ("[a-c]*" * 60 + "d", "abc" * 300),
        ("{a,b}" * 40, "ab" * 20),
    ],
)
def test_patterns_of_many_stars(pattern: str, path: str) -> None:
    assert not globs.matches((pattern,), path)


@pytest.mark.parametrize(
    "block",
    [
        f"---\n{BOMB}paths: *i\n---\nx\n",
        f"---\nname: s\n{BOMB}description: *i\n---\nx\n",
        "---\npaths: &a [*a]\n---\nx\n",
        "---\npaths: " + "[" * 3000 + "]" * 3000 + "\n---\nx\n",
        "---" + "\n" * 200_000 + "x\n",
        "---" + " \n" * 200_000 + "--\n",
        "---\n" + "a: b\n" * 50_000,
    ],
)
def test_frontmatter(block: str) -> None:
    for path in (".claude/rules/x.md", ".claude/skills/s/SKILL.md"):
        assert len(harness.parse({path: block})) == 1
    frontmatter.problem(block)


@pytest.mark.parametrize(
    "text",
    [
        "## a" + " " * 200_000 + "b\n\ntext\n",
        "## a" + " #" * 100_000 + "b\n\ntext\n",
        "## a\n\nx\n\n" * 5000,
        "## a\n\nx\n\n## a (2)\n\nx\n\n" * 2000,
        "```\n" * 20_000,
    ],
)
def test_instructions(text: str) -> None:
    document = sections.split(text)
    assert document.render() == text
    names = [piece.heading for piece in document.pieces]
    assert len(names) == len(set(names))


def test_linear_readers_agree_with_the_expressions_that_they_stand_for() -> None:
    heading = re.compile(r" {0,3}##[ \t]+([^ \t\r\n].*?)(?:[ \t]+#+)?[ \t]*\r?\n?\Z")
    block = re.compile(r"\A---\s*\n(.*?)---\s*\n?", re.DOTALL)
    rng = random.Random(1)
    for _ in range(20_000):
        line = " " * rng.randrange(3) + "##" + "".join(rng.choices(" \t#ab\r", k=rng.randrange(10)))
        line += rng.choice(["", "\n", "\r\n", "\r"])
        match = heading.match(line)
        assert sections.heading_of(line) == (match[1] if match else "")
        text = "---" + "".join(rng.choices(" \n-a\t:", k=rng.randrange(25)))
        match = block.match(text)
        place = frontmatter.block_of(text)
        assert (text[slice(*place)] if place else None) == (match[1] if match else None)
