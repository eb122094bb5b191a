from collections.abc import Callable
from dataclasses import replace

import pytest

from cortex.artifacts import harness
from cortex.errors import UsageError
from cortex.model.corrections import Signal
from cortex.model.tasks import ActionCheck, BaseTree, Task
from cortex.proposing import static
from cortex.proposing.briefs import Brief
from cortex.proposing.candidates import propose
from cortex.proposing.template import TemplateWriter

MakeBrief = Callable[..., Brief]
MakeTask = Callable[..., Task]
WORDS = ("use clock.now() here, never datetime.now()", "again: no datetime")


def test_a_contrast_becomes_a_short_rule(make_brief: MakeBrief) -> None:
    brief = make_brief(
        WORDS,
        removed=("datetime.now()",),
        introduced=("clock.now()",),
        paths=("shop/orders/api.py",),
    )
    artifact = propose(brief, TemplateWriter()).artifact
    assert artifact.path == ".claude/rules/use-clock-now.md"
    assert artifact.text == (
        '---\npaths:\n  - "shop/**/*.py"\n---\n'
        "# Use `clock.now()`\n\n"
        "In files like `shop/**/*.py` write `clock.now()`, not `datetime.now()`.\n\n"
        "The developer asked for this 2 times, for example:\n\n"
        "> use clock.now() here, never datetime.now()\n"
    )


def test_the_candidate_carries_its_evidence(make_brief: MakeBrief, make_task: MakeTask) -> None:
    tasks = (make_task(1, corrected={"shop/cart.py": "clock.now()"}),)
    brief = make_brief(WORDS, introduced=("clock.now()",), tasks=tasks)
    candidate = propose(brief, TemplateWriter(), task_ids=("task-1", "task-2"), at="2026")
    assert (candidate.theme_id, candidate.writer, candidate.created_at) == (
        "theme-1",
        "template",
        "2026",
    )
    assert (candidate.task_ids, candidate.seen_task_ids) == (("task-1", "task-2"), ("task-1",))
    assert candidate.title == "Use clock.now()"
    assert "2 times in 2 sessions" in candidate.rationale
    assert static.check(candidate, (), brief.tree, tasks) == ()
    assert propose(brief, TemplateWriter()).id == candidate.id


def test_only_something_taken_out_is_advice_too(make_brief: MakeBrief) -> None:
    brief = make_brief(("no prints",), removed=("print(",), paths=("shop/cart.py",))
    artifact = propose(brief, TemplateWriter()).artifact
    assert artifact.path == ".claude/rules/avoid-print.md"
    assert "do not write `print(`." in artifact.text


@pytest.mark.parametrize(
    ("check", "name", "sentence"),
    [
        (
            ActionCheck(must_run=r"\bmake\s+check\b"),
            "Run `make check`",
            "Before you finish a change, run `make check`.",
        ),
        (
            ActionCheck(must_run=r"git\s+(switch|checkout) -[cb]", before="write"),
            "Run `git switch -c`",
            "Before you change the first file, run `git switch -c`.",
        ),
        (
            ActionCheck(must_run="make check", before=r"git\s+commit"),
            "Run `make check`",
            "Before you run `git commit`, run `make check`.",
        ),
        (
            ActionCheck(must_not_run=r"\bgit\s+push\b"),
            "Do not run `git push`",
            "Do not run `git push` unless you were asked to.",
        ),
        (
            ActionCheck(must_run=r"(?:^|[\s/])ruff\s+check(?![\w-])"),
            "Run `ruff check`",
            "run `ruff check`.",
        ),
    ],
)
def test_a_way_of_working_becomes_a_section(
    make_brief: MakeBrief, make_task: MakeTask, check: ActionCheck, name: str, sentence: str
) -> None:
    task = make_task(
        1,
        checks=(check,),
        paths=("shop/cart.py",),
        attempt_commands=("ls", "git push --force"),
        corrected_commands=(
            "git switch -c topic",
            "cd x && /usr/bin/make check -j",
            "git commit -m x",
        ),
    )
    artifact = propose(make_brief(("do that first",), tasks=(task,)), TemplateWriter()).artifact
    assert (artifact.path, artifact.heading) == ("CLAUDE.md", name)
    assert sentence in artifact.text
    assert harness.parse({"CLAUDE.md": artifact.text}) == (artifact,)


def test_a_rule_about_new_files_is_not_scoped_because_it_would_never_load(
    make_brief: MakeBrief, make_task: MakeTask
) -> None:
    base = BaseTree("/repo", "c0ffee", overlay={"shop/new.py": None})
    task = make_task(1, attempt={"shop/new.py": "x = print"}, base=base)
    brief = make_brief(removed=("print(",), paths=("shop/new.py",), tasks=(task,))
    artifact = propose(brief, TemplateWriter()).artifact
    assert (artifact.path, artifact.paths) == ("CLAUDE.md", ())
    edited = replace(task, base=BaseTree("/repo", "c0ffee"))
    scoped = propose(replace(brief, seen_tasks=(edited,)), TemplateWriter()).artifact
    assert scoped.paths == ("shop/**/*.py",)


def test_words_alone_are_passed_on(make_brief: MakeBrief) -> None:
    brief = make_brief(
        ("keep answers short", "please keep your answers short"), title="short answers"
    )
    artifact = propose(brief, TemplateWriter()).artifact
    assert (artifact.path, artifact.heading) == ("CLAUDE.md", "short answers")
    assert "keep answers short" in artifact.text


def test_a_change_by_hand_is_not_quoted(make_brief: MakeBrief) -> None:
    diff = "--- a\n+++ b\n-datetime.now()\n+clock.now()\n"
    brief = make_brief((diff, diff), introduced=("clock.now()",), signal=Signal.HAND_EDIT)
    text = propose(brief, TemplateWriter()).artifact.text
    assert "The developer corrected this by hand 2 times." in text
    assert "+++" not in text


def test_a_taken_name_gets_a_number(make_brief: MakeBrief) -> None:
    known = harness.from_text(".claude/rules/use-clock-now.md", "# Other\n\nSomething else.\n")
    brief = make_brief(introduced=("clock.now()",), paths=("shop/cart.py",))
    artifact = propose(replace(brief, harness=(known,)), TemplateWriter()).artifact
    assert artifact.name == "use-clock-now-2"


def test_nothing_to_go_by_is_one_line(make_brief: MakeBrief) -> None:
    with pytest.raises(UsageError, match="theme-1"):
        propose(make_brief(("!!!",), title="…"), TemplateWriter())
