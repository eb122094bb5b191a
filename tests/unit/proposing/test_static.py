from collections.abc import Callable

import pytest

from cortex.artifacts import harness
from cortex.artifacts.entries import GraveyardEntry
from cortex.model.artifacts import Artifact, Candidate, ChangeKind
from cortex.model.tasks import Task
from cortex.proposing import static

TREE = ("shop/cart.py", "docs/guide.md")
BODY = "# Time\n\nIn these files write `clock.now()`, not `datetime.now()`.\n"
HEAD = '---\npaths:\n  - "{}"\n---\n'
RULE = ".claude/rules/time.md"


def check(
    artifact: Artifact,
    *known: Artifact,
    tasks: tuple[Task, ...] = (),
    buried: tuple[GraveyardEntry, ...] = (),
    change: ChangeKind = ChangeKind.ADD,
) -> str:
    candidate = Candidate("cand", change, artifact, "t")
    return "; ".join(static.check(candidate, known, TREE, tasks, buried))


def rule(text: str, path: str = RULE) -> Artifact:
    return harness.from_text(path, text)


def skill(head: str, name: str = "time") -> Artifact:
    return harness.from_text(f".claude/skills/{name}/SKILL.md", f"---\n{head}\n---\n{BODY}")


@pytest.mark.parametrize(
    ("artifact", "reason"),
    [
        (rule(HEAD.format("shop/**/*.py") + BODY), ""),
        (rule(BODY), ""),
        (skill("description: When time matters"), ""),
        (harness.section("CLAUDE.md", "Time", "#" + BODY), ""),
        (rule(HEAD.format("api/**/*.py") + BODY), "match no file: api/**/*.py"),
        (rule(HEAD.format("shop/**/*.py") + "# Time\n\n"), "empty"),
        (rule(BODY + "word " * 1500), "too long"),
        (rule("---\npaths: shop/**\n" + BODY), "never closed"),
        (skill(f"description: {'long ' * 400}"), "the first 1536"),
        (harness.section("CLAUDE.md", "Time", "## Time\na\n\n## Two\nb\n"), "not one section"),
    ],
)
def test_what_is_refused_alone(artifact: Artifact, reason: str) -> None:
    reasons = check(artifact)
    assert reason in reasons
    assert bool(reasons) is bool(reason)


def test_a_skill_without_description_is_refused() -> None:
    empty = harness.from_text(".claude/skills/a/SKILL.md", "---\ndescription: ''\n---\n")
    assert "no description" in check(empty)


def test_names_may_not_clash() -> None:
    other = rule("# Else\n\nQuite another matter.\n", ".claude/rules/deep/Time.md")
    assert ".claude/rules/deep/Time.md" in check(rule(BODY), other)
    section = harness.section("CLAUDE.md", "Time", "## Time\nold\n")
    assert "CLAUDE.md#Time" in check(harness.section("CLAUDE.md", "Time", "#" + BODY), section)
    assert check(rule(BODY), section) == ""


def test_text_that_cannot_load_in_any_task_is_refused(make_task: Callable[..., Task]) -> None:
    scoped = rule(HEAD.format("shop/**/*.py") + BODY)
    docs, shop = (make_task(at, paths=(path,)) for at, path in enumerate(TREE[::-1]))
    assert "cannot load" in check(scoped, tasks=(docs,))
    assert check(scoped, tasks=(docs, shop)) == ""
    assert check(rule(BODY), tasks=(docs,)) == ""


def test_what_the_harness_says_already_is_refused() -> None:
    text = "## Clocks\n\nAlways write `clock.now()` in these files, not `datetime.now()`!\n"
    assert "says that already" in check(rule(BODY), harness.section("CLAUDE.md", "Clocks", text))
    other = text.replace("clock.now", "uuid.make").replace("datetime.now", "uuid4")
    assert check(rule(BODY), harness.section("CLAUDE.md", "Clocks", other)) == ""


def test_what_was_buried_is_refused_with_its_reason() -> None:
    text = BODY.replace("# Time", "# Clock")
    entry = GraveyardEntry("time-1234", RULE, text, reason="no gain")
    assert "time-1234: no gain" in check(rule(BODY), buried=(entry,))


def test_prose_is_compared_by_its_word_order() -> None:
    prose = "# Tests\n\nRun the whole test suite before you say that you are done.\n"
    same = "# Finishing\n\nPlease run the whole test suite before you say that you are done.\n"
    new = "# Finishing\n\nSay that the suite is done before you run the whole test.\n"
    known = harness.section("CLAUDE.md", "X", "#" + prose)
    assert "says that already" in check(rule(same), known)
    assert check(rule(new), known) == ""


def test_hidden_characters_are_named_with_their_line() -> None:
    reasons = check(rule(HEAD.format("shop/**/*.py") + BODY + "x\u202ey\u200b\n"))
    line = (HEAD + BODY).count("\n") + 1
    assert f"line {line}: U+202E RIGHT-TO-LEFT OVERRIDE" in reasons
    assert f"line {line}: U+200B ZERO WIDTH SPACE" in reasons
    assert "in its description: line 1: U+2066" in check(skill('description: "a\\u2066b"'))
    assert "in its path: line 1: U+200B" in check(rule(BODY, ".claude/rules/a\u200bb.md"))


def test_removal_only_needs_the_text_to_be_there_and_able_to_load() -> None:
    known = rule(BODY)
    assert check(known, known, change=ChangeKind.REMOVE) == ""
    assert "not in the harness" in check(known, change=ChangeKind.REMOVE)
