"""Runs checks on a finished workspace."""

import re
from collections.abc import Sequence

from cortex.model.sessions import Action, ActionKind
from cortex.model.tasks import Check, CheckResult, CommandCheck
from cortex.tasks.describe import describe
from cortex.tasks.evaluate import WorkResult, evaluate
from cortex_replay.processes import ProcessResult, ProgramMissingError
from cortex_replay.sandbox import NotTrustedError, run_confined
from cortex_replay.workspace import Workspace

_NOT_RUNNABLE = (126, 127)
"""Exit codes of a shell for a program that is missing or not executable."""

_MISSING_MODULE = re.compile(r"No module named '?(pytest|mypy|ruff|tox|nox|pyright|black)'?\s*$")


def run_checks(
    checks: Sequence[Check], workspace: Workspace, actions: Sequence[Action]
) -> tuple[CheckResult, ...]:
    """Return a result for each check, in order; `actions` is what the agent did.

    Changed files are read first, so that a command cannot change the input of other checks.
    """
    work_result = finished_work(workspace, actions)
    return tuple(
        run_command(check, workspace)
        if isinstance(check, CommandCheck)
        else evaluate(check, work_result)
        for check in checks
    )


def finished_work(workspace: Workspace, actions: Sequence[Action]) -> WorkResult:
    """Return the input of checks: changed files with their base, and what the agent did."""
    final = workspace.changed()
    commands = (action.call.command for action in actions if _is_command(action))
    return WorkResult(
        base={path: workspace.base(path) for path in final},
        final=final,
        exists=workspace.exists,
        commands=tuple(command for command in commands if command),
        actions=tuple(actions),
    )


def run_command(check: CommandCheck, workspace: Workspace) -> CheckResult:
    """Run a command in the workspace, in the sandbox.

    A missing program, or no sandbox for a repository that is not trusted, makes the check `broken`,
    not failed.
    """
    try:
        process = run_confined(
            check.argv,
            workspace.path,
            workspace.home,
            check.timeout_s,
            f"{workspace.path}#check",
            trusted=workspace.trusted,
        )
    except (ProgramMissingError, NotTrustedError) as error:
        return CheckResult(describe(check), passed=False, detail=str(error), broken=True)
    if process.timed_out:
        detail = f"timed out after {check.timeout_s:g} s"
        return CheckResult(describe(check), passed=False, detail=detail)
    broken = _cannot_run(process)
    return CheckResult(describe(check), process.returncode == 0, _last_line(process), broken)


def _is_command(action: Action) -> bool:
    return action.call.kind is ActionKind.COMMAND


def _cannot_run(process: ProcessResult) -> bool:
    if process.returncode in _NOT_RUNNABLE:
        return True
    return process.returncode != 0 and bool(_MISSING_MODULE.search(process.stderr.strip()))


def _last_line(process: ProcessResult) -> str:
    lines = (process.stdout.strip() or process.stderr.strip()).splitlines()
    return f"exit code {process.returncode}: {lines[-1].strip()[:200] if lines else 'no output'}"
