from dataclasses import dataclass, field, replace

import pytest
from pydantic import TypeAdapter

from cortex.model.corrections import Correction, Signal
from cortex.model.sessions import Prompted, Speaker
from cortex.model.tasks import ActionCheck, CommandCheck, PatternCheck, Task, TaskStatus
from cortex.tasks.building import build, relative

ROOT = "/home/dev/shop"


@dataclass(frozen=True)
class Ran:
    command: str
    ok: bool | None = True


@dataclass(frozen=True)
class Contrast:
    prompt: Prompted
    root: str = ROOT
    base: dict[str, str | None] = field(default_factory=dict)
    attempt: dict[str, str | None] = field(default_factory=dict)
    corrected: dict[str, str | None] = field(default_factory=dict)
    touched: tuple[str, ...] = ()
    attempt_commands: tuple[Ran, ...] = ()
    corrected_commands: tuple[Ran, ...] = ()
    earlier: dict[str, str | None] = field(default_factory=dict)


PROMPT = Prompted("p1", "2026-01-02T10:00:00Z", "Add placing", Speaker.HUMAN, ROOT)
CORRECTION = Correction(
    "corr-1", "s1", Signal.FOLLOW_UP, "use the clock", "p1", "u1", "2026-01-02T10:05:00Z", ROOT
)
CONTRAST = Contrast(
    PROMPT,
    base={f"{ROOT}/a.py": "x = 1\n", f"{ROOT}/CLAUDE.md": "old"},
    attempt={f"{ROOT}/a.py": "x = 1\nat = datetime.now()\n", f"{ROOT}/CLAUDE.md": "new"},
    corrected={f"{ROOT}/a.py": "x = 1\nat = clock.now()\n", f"{ROOT}/CLAUDE.md": "new"},
    touched=(f"{ROOT}/b.py", f"{ROOT}/a.py", "/etc/passwd", f"{ROOT}/.claude/rules/r.md"),
    earlier={f"{ROOT}/c.py": "c = 1\n", f"{ROOT}/a.py": "stale\n", "/tmp/x": "no"},
)


def test_a_task_from_a_contrast() -> None:
    task = build(CORRECTION, CONTRAST, ROOT, "abc")
    assert task.id == build(CORRECTION, CONTRAST, ROOT, "other").id
    assert task.status is TaskStatus.DRAFT
    assert (task.prompt, task.session_id, task.created_at) == (PROMPT.text, "s1", PROMPT.at)
    assert task.base.overlay == {"c.py": "c = 1\n", "a.py": "x = 1\n"}
    assert task.paths == ("b.py", "a.py")
    assert task.attempt == {"a.py": "x = 1\nat = datetime.now()\n"}
    assert [type(check) for check in task.checks] == [PatternCheck, PatternCheck]


def test_a_task_survives_the_way_through_json() -> None:
    task = build(CORRECTION, CONTRAST, ROOT, "abc")
    task = replace(task, checks=(*task.checks, ActionCheck(must_run="x"), CommandCheck(("y",))))
    adapter = TypeAdapter(Task)
    assert adapter.validate_json(adapter.dump_json(task)) == task


def test_commands_prove_more_than_patterns_and_come_first() -> None:
    contrast = replace(
        CONTRAST,
        attempt_commands=(Ran(f"cd {ROOT} && pytest -q", False),),
        corrected_commands=(Ran(f"cd {ROOT} && pytest -q"), Ran("ruff check .")),
    )
    correction = replace(CORRECTION, content="use the clock, and run ruff")
    kinds = [type(check) for check in build(correction, contrast, ROOT, "abc").checks]
    assert kinds == [CommandCheck, ActionCheck, PatternCheck, PatternCheck]


def test_a_correction_of_the_way_of_working_alone() -> None:
    same: dict[str, str | None] = {f"{ROOT}/a.py": "x = 2\n"}
    contrast = replace(
        CONTRAST,
        attempt=same,
        corrected=same,
        attempt_commands=(Ran("git commit -am x"),),
        corrected_commands=(Ran("git reset HEAD~1"),),
    )
    checks = build(replace(CORRECTION, content="do not commit"), contrast, ROOT, "abc").checks
    assert isinstance(checks[0], ActionCheck)
    assert checks[1] == PatternCheck(r"\S", ("a.py",), present=True)


def test_no_trace_gives_no_check() -> None:
    contrast = replace(CONTRAST, attempt=CONTRAST.corrected)
    assert build(CORRECTION, contrast, ROOT, "abc").checks == ()


def test_without_a_repository_paths_are_relative_to_the_working_folder() -> None:
    task = build(CORRECTION, CONTRAST, "", None)
    assert task.base.repository == ""
    assert "a.py" in task.attempt


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/r/a/b.py", "a/b.py"),
        ("/r/./a//b.py", "a/b.py"),
        ("/r/a/../b.py", "b.py"),
        ("/r/../etc/x", None),
        ("/rest/x", None),
        ("/r", None),
        ("/r/.git/hooks/pre-commit", None),
        ("/r/sub/.GIT/config", None),
        ("b.py", None),
    ],
)
def test_relative_paths_never_escape(path: str, expected: str | None) -> None:
    assert relative(path, "/r/") == expected


def test_windows_paths() -> None:
    assert relative("C:\\dev\\shop\\a\\b.py", "C:\\dev\\shop") == "a/b.py"


def test_a_command_alone_also_asks_for_some_work() -> None:
    same: dict[str, str | None] = {f"{ROOT}/a.py": "x = 2\n"}
    contrast = replace(
        CONTRAST,
        attempt=same,
        corrected=same,
        attempt_commands=(Ran("pytest", False),),
        corrected_commands=(Ran("pytest"),),
    )
    checks = build(replace(CORRECTION, content="hm"), contrast, ROOT, "abc").checks
    assert [type(check) for check in checks] == [CommandCheck, PatternCheck]
