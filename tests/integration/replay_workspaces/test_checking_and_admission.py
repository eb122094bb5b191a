import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from cortex.model.sessions import Action, ActionKind, Called, Returned
from cortex.model.tasks import (
    ActionCheck,
    BaseTree,
    CommandCheck,
    FileCheck,
    PatternCheck,
    Task,
    TaskStatus,
)
from cortex_replay.admission import admit
from cortex_replay.checking import run_checks
from cortex_replay.objects import ObjectStore
from cortex_replay.workspace import Workspaces

Git = Callable[..., str]
MakeTask = Callable[..., Task]

ORDERS = "import time\n\ndef place():\n    return 1\n"
BAD = "import time\n\ndef place():\n    return time.time()\n"
GOOD = "import time\n\ndef place():\n    return clock.now()\n"
PATTERNS = (
    PatternCheck("time.time($$$)", ("shop/**",), present=False, language="python"),
    PatternCheck("clock.now($$$)", ("shop/**",), present=True, language="python"),
)


def shell(script: str) -> CommandCheck:
    return CommandCheck(("sh", "-c", script), 20.0)


@pytest.fixture
def contrast(make_task: MakeTask) -> Callable[..., Task]:
    def make(**fields: object) -> Task:
        defaults: dict[str, object] = {
            "checks": PATTERNS,
            "attempt": {"shop/orders.py": BAD},
            "corrected": {"shop/orders.py": GOOD},
        }
        return make_task(**{**defaults, **fields})

    return make


def test_all_kinds_of_checks_on_a_workspace(workspaces: Workspaces, make_task: MakeTask) -> None:
    workspace = workspaces.prepare(make_task(), {".claude/rules/a.md": "time.time()"}, 0)
    workspace.put({"shop/orders.py": GOOD, "run.sh": None})
    call = Called("u", "", "c", "Bash", ActionKind.COMMAND, command="make lint")
    checks = (
        *PATTERNS,
        FileCheck("run.sh", exists=False),
        ActionCheck(must_run="^make lint"),
        shell("test ! -e run.sh && grep -q clock shop/orders.py"),
        shell("echo broken; exit 1"),
        CommandCheck(("no-such-program",)),
        shell("exec no-such-tool"),
        CommandCheck(("sleep", "20"), 0.2),
    )
    results = run_checks(checks, workspace, [Action(call, Returned("u", "", "c", ok=True))])
    assert [result.passed for result in results] == [True] * 5 + [False] * 4
    assert [result.broken for result in results] == [False] * 6 + [True, True, False]
    assert results[5].detail == "exit code 1: broken"
    assert results[8].detail == "timed out after 0.2 s"


def test_commands_see_no_credentials_and_a_home_of_their_own(
    workspaces: Workspaces, make_task: MakeTask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "secret")
    workspace = workspaces.prepare(make_task(), {}, 0)
    check = shell('test -z "$ANTHROPIC_API_KEY" && test "$HOME" != "$OUTER" && touch "$HOME/x"')
    assert run_checks((check,), workspace, ())[0].passed
    assert workspace.changed() == {}


def test_a_good_task_is_admitted(workspaces: Workspaces, contrast: Callable[..., Task]) -> None:
    task = contrast()
    admitted = admit(task, workspaces)
    assert (admitted.status, admitted.reason) == (TaskStatus.ADMITTED, "")
    assert admitted.base.tree is not None
    assert admit(replace(admitted, base=replace(admitted.base, commit="gone")), workspaces) == (
        replace(admitted, base=replace(admitted.base, commit="gone"))
    )
    assert not (workspaces.folder / "templates").exists()


def test_a_task_with_command_checks_is_admitted(
    workspaces: Workspaces, contrast: Callable[..., Task]
) -> None:
    script = "grep -q clock shop/orders.py"
    admitted = admit(contrast(checks=(shell(script),)), workspaces)
    assert (admitted.status, admitted.reason) == (TaskStatus.ADMITTED, "")
    assert [path.name for path in workspaces.folder.glob("slot-*")] == []


def test_the_base_includes_the_uncommitted_state(
    workspaces: Workspaces, contrast: Callable[..., Task]
) -> None:
    task = contrast(overlay={"shop/orders.py": GOOD})
    assert "first attempt" not in admit(task, workspaces).reason
    assert admit(task, workspaces).status is TaskStatus.QUARANTINED


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"checks": ()}, "no check could be derived"),
        ({"checks": PATTERNS[:1]}, "the checks already pass on the base"),
        ({"attempt": {"shop/orders.py": GOOD}}, "already pass on the agent's first attempt"),
        (
            {"corrected": {"shop/orders.py": BAD}},
            "a check fails on the corrected result: no new `time.time(…)` in shop/**",
        ),
        ({"checks": (shell("exit 0"),)}, "the checks already pass on the base"),
        ({"checks": (shell("exit 1"),)}, "a check fails on the corrected result"),
    ],
)
def test_quarantine_reasons(
    workspaces: Workspaces, contrast: Callable[..., Task], fields: dict[str, object], reason: str
) -> None:
    quarantined = admit(contrast(**fields), workspaces)
    assert quarantined.status is TaskStatus.QUARANTINED
    assert reason in quarantined.reason
    assert "\n" not in quarantined.reason


@pytest.mark.parametrize("mention", ["@/etc/hostname", "see @~/notes.md", "@../other/a.py"])
def test_a_prompt_never_pulls_a_file_of_this_machine_into_a_request(
    workspaces: Workspaces, contrast: Callable[..., Task], mention: str
) -> None:
    task = admit(contrast(prompt=f"Do it like {mention}"), workspaces)
    assert task.status is TaskStatus.QUARANTINED
    assert "outside of the repository" in task.reason
    inside = admit(contrast(prompt="Do it like @shop/orders.py, mail a@b.example"), workspaces)
    assert inside.status is TaskStatus.ADMITTED, inside.reason


def test_a_missing_base_quarantines(
    workspaces: Workspaces, contrast: Callable[..., Task], repository: Path, tmp_path: Path
) -> None:
    def reason(base: BaseTree) -> str:
        quarantined = admit(contrast(base=base), workspaces)
        assert quarantined.status is TaskStatus.QUARANTINED
        return quarantined.reason

    assert "did not run in a git repository" in reason(BaseTree("", None))
    assert "had no commit" in reason(BaseTree(str(repository), None))
    assert f"repository not found: {tmp_path / 'x'}" in reason(BaseTree(str(tmp_path / "x"), "a"))
    assert "no longer exists" in reason(BaseTree(str(repository), "1" * 40))


def test_a_missing_program_skips_the_task(
    workspaces: Workspaces, contrast: Callable[..., Task]
) -> None:
    skipped = admit(contrast(checks=(CommandCheck(("no-such-runner",)),)), workspaces)
    assert skipped.status is TaskStatus.SKIPPED
    assert "no-such-runner" in skipped.reason


def test_concurrent_runs_that_collide(
    workspaces: Workspaces, contrast: Callable[..., Task], tmp_path: Path
) -> None:
    script = (
        f"grep -q clock shop/orders.py && mkdir {tmp_path}/taken && sleep 1 && "
        f"rmdir {tmp_path}/taken"
    )
    quarantined = admit(contrast(checks=(shell(script),)), workspaces)
    assert quarantined.status is TaskStatus.QUARANTINED
    assert "flaky or fails when it runs twice at once" in quarantined.reason


def test_a_check_that_depends_on_tests_of_the_fix(
    workspaces: Workspaces, contrast: Callable[..., Task]
) -> None:
    corrected = {"shop/orders.py": GOOD, "tests/test_orders.py": "clock\n"}
    dependent = contrast(checks=(shell("grep -q clock tests/test_orders.py"),), corrected=corrected)
    quarantined = admit(dependent, workspaces)
    assert quarantined.status is TaskStatus.QUARANTINED
    assert "tests that only the fix wrote (tests/test_orders.py)" in quarantined.reason
    independent = contrast(checks=(shell("grep -q clock shop/orders.py"),), corrected=corrected)
    assert admit(independent, workspaces).status is TaskStatus.ADMITTED


def test_conditions_on_commands(workspaces: Workspaces, contrast: Callable[..., Task]) -> None:
    task = contrast(
        checks=(ActionCheck(must_run=r"^make lint", before=r"^git commit"),),
        attempt_commands=("git commit -m x", "make lint"),
        corrected_commands=("make lint && git commit -m x",),
    )
    assert admit(task, workspaces).status is TaskStatus.ADMITTED
    same = replace(task, corrected_commands=task.attempt_commands)
    assert (
        "fails on the corrected result"
        in admit(replace(same, attempt_commands=()), workspaces).reason
    )


def snapshot(repository: Path, git: Git) -> tuple[object, ...]:
    files = {
        str(path): (
            path.lstat().st_mtime_ns,
            path.lstat().st_mode,
            path.read_bytes() if path.is_file() else None,
        )
        for path in sorted(repository.rglob("*"))
    }
    read_only = ("--no-optional-locks", "-c", "core.fsmonitor=false")
    status = git(repository, *read_only, "status", "--porcelain", "--ignored")
    refs = git(repository, "for-each-ref")
    return files, status, refs, git(repository, "config", "--list", "--local")


def test_the_developers_checkout_is_never_touched(
    workspaces: Workspaces, contrast: Callable[..., Task], repository: Path, git: Git
) -> None:
    (repository / "shop/orders.py").write_text("uncommitted\n")
    (repository / "untracked.txt").write_text("u\n")
    git(repository, "config", "core.hooksPath", "hooks")
    (repository / "hooks").mkdir()
    (repository / "hooks/post-index-change").write_text("#!/bin/sh\ntouch hooked\n")
    (repository / "hooks/post-index-change").chmod(0o755)
    git(repository, "config", "core.fsmonitor", "touch monitored; false")
    before = snapshot(repository, git)
    task = contrast(checks=(*PATTERNS, shell("echo x >> shop/orders.py")))
    admitted = admit(task, workspaces)
    assert admitted.status is TaskStatus.ADMITTED
    workspace = workspaces.prepare(admitted, {"CLAUDE.md": "x"}, 0)
    workspace.put({"shop/orders.py": BAD})
    run_checks(admitted.checks, workspace, ())
    workspaces.discard(workspace)
    assert snapshot(repository, git) == before


def test_a_real_test_runner(
    workspaces: Workspaces, contrast: Callable[..., Task], objects: ObjectStore
) -> None:
    script = "import unittest, shop.orders as o\nclass T(unittest.TestCase):\n    def test(self):\n"
    check = CommandCheck((sys.executable, "-m", "unittest", "-q", "check_it"), 30.0)
    task = contrast(
        overlay={"check_it.py": f"{script}        self.assertEqual(o.place(), 2)\n"},
        checks=(check,),
        attempt={"shop/orders.py": ORDERS.replace("1", "3")},
        corrected={"shop/orders.py": ORDERS.replace("1", "2")},
    )
    assert admit(task, workspaces).status is TaskStatus.ADMITTED
    assert objects.path.is_dir()


def test_a_prompt_that_mentions_a_file_behind_a_link_stays_out(
    workspaces: Workspaces, contrast: Callable[..., Task], repository: Path, git: Git
) -> None:
    (repository / "away").symlink_to("/etc")
    (repository / "sub" / "up").symlink_to("../..")
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", "x")
    for prompt in ("see @away/passwd", "@away", "@sub/up/x"):
        task = admit(contrast(prompt=prompt), workspaces)
        assert task.status is TaskStatus.QUARANTINED
        assert "leads out of the repository" in task.reason
    for prompt in ("see @link.py", "see @sub/README.md", "away/passwd"):
        assert admit(contrast(prompt=prompt), workspaces).status is TaskStatus.ADMITTED
