"""Running checks on a finished workspace."""

import re
from collections.abc import Sequence

from cortex.model.sessions import Action, ActionKind
from cortex.model.tasks import Check, CheckResult, CommandCheck
from cortex.tasks.describe import describe
from cortex.tasks.evaluate import WorkResult, evaluate
from cortex_replay.environment import clean_environment
from cortex_replay.processes import ProcessResult, ProgramMissingError, run
from cortex_replay.workspace import Workspace

_NOT_RUNNABLE = (126, 127)
"""Exit codes with which a shell says that there is no such program."""

_MISSING_MODULE = re.compile(r"No module named '?(pytest|mypy|ruff|tox|nox|pyright|black)'?\s*$")


def run_checks(
    checks: Sequence[Check], workspace: Workspace, actions: Sequence[Action]
) -> tuple[CheckResult, ...]:
    """Return one result for each check, in order; `actions` is what the agent did.

    The state of the files is taken first, so that a command cannot change what others see.
    """
    finished = finished_work(workspace, actions)
    return tuple(
        run_command(check, workspace)
        if isinstance(check, CommandCheck)
        else evaluate(check, finished)
        for check in checks
    )


def finished_work(workspace: Workspace, actions: Sequence[Action]) -> WorkResult:
    """Return what checks look at: changed files with their base, and what the agent did."""
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
    """Run one command in the workspace; a missing program makes it `broken`, not failed."""
    env = clean_environment(workspace.home)
    mark = f"{workspace.path}#check"
    try:
        ended = run(check.argv, workspace.path, env, check.timeout_s, mark=mark)
    except ProgramMissingError as error:
        return CheckResult(describe(check), passed=False, detail=str(error), broken=True)
    if ended.timed_out:
        detail = f"did not end in {check.timeout_s:.0f} s"
        return CheckResult(describe(check), passed=False, detail=detail)
    broken = _cannot_run(ended)
    return CheckResult(describe(check), ended.returncode == 0, _last_line(ended), broken)


def _is_command(action: Action) -> bool:
    return action.call.kind is ActionKind.COMMAND


def _cannot_run(ended: ProcessResult) -> bool:
    if ended.returncode in _NOT_RUNNABLE:
        return True
    return ended.returncode != 0 and bool(_MISSING_MODULE.search(ended.stderr.strip()))


def _last_line(ended: ProcessResult) -> str:
    lines = (ended.stdout.strip() or ended.stderr.strip()).splitlines()
    return f"exit code {ended.returncode}: {lines[-1].strip()[:200] if lines else 'no output'}"
