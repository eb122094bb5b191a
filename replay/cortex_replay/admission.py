"""Admission: proves that a task can measure something, without an agent and without cost.

Its checks fail on the base tree and on the agent's first attempt, pass on the corrected result,
pass again in two workspaces at the same time, and do not depend on tests that only the fix wrote.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock

from cortex.errors import MachineError, UsageError
from cortex.model.tasks import BaseTree, CheckResult, CommandCheck, Task, TaskStatus
from cortex.tasks.derive import is_test
from cortex.tasks.evaluate import WorkResult, evaluate
from cortex_replay.checking import run_command
from cortex_replay.files import as_text
from cortex_replay.mentions import mentions_any, mentions_link_outside, mentions_outside
from cortex_replay.objects import ObjectStore
from cortex_replay.workspace import Workspaces

SLOTS = (9001, 9002)
"""Workspace slots reserved for admission, so that it can run while trials run."""

_slots_lock = Lock()

Contents = Mapping[str, str | None]


class _NotAdmittedError(Exception):
    """The reason, for the developer, and the status that the task gets."""

    def __init__(self, reason: str, status: TaskStatus = TaskStatus.QUARANTINED) -> None:
        super().__init__(reason)
        self.reason = reason
        self.status = status


def admit(task: Task, workspaces: Workspaces) -> Task:
    """Return `task` admitted, quarantined with the reason, or skipped (environment not available).

    Copies the base tree into Cortex's own object store.
    """
    try:
        task = replace(task, base=_store_base(task, workspaces.objects))
        _check_links(task, workspaces.objects)
    except _NotAdmittedError as error:
        return replace(task, status=error.status, reason=error.reason)
    try:
        with _slots_lock:
            _Admission(task, workspaces).prove()
    except _NotAdmittedError as error:
        return replace(task, status=error.status, reason=error.reason)
    return replace(task, status=TaskStatus.ADMITTED, reason="")


def _store_base(task: Task, objects: ObjectStore) -> BaseTree:
    base = task.base
    if mentions_outside(task.prompt):
        raise _NotAdmittedError(
            "the prompt mentions a file outside of the repository (@…); it cannot be replayed"
        )
    if not task.checks:
        raise _NotAdmittedError(
            "no check could be derived: the correction changed no files and no commands"
        )
    if base.tree is not None and objects.has(base.tree):
        return base
    if not base.repository:
        raise _NotAdmittedError(
            "the session did not run in a git repository; such sessions cannot be replayed"
        )
    if base.commit is None:
        raise _NotAdmittedError("the repository had no commit at the time of the prompt")
    try:
        return replace(base, tree=objects.keep(Path(base.repository), base.commit))
    except UsageError as error:
        raise _NotAdmittedError(str(error)) from None
    except MachineError as error:
        raise _NotAdmittedError(str(error), TaskStatus.SKIPPED) from None


def _check_links(task: Task, objects: ObjectStore) -> None:
    """Refuse a prompt that mentions a file through a link which leads out of the base tree."""
    assert task.base.tree is not None
    if not mentions_any(task.prompt):
        return
    try:
        links = objects.links(task.base.tree)
    except MachineError as error:
        raise _NotAdmittedError(str(error), TaskStatus.SKIPPED) from None
    if mentions_link_outside(task.prompt, links):
        raise _NotAdmittedError(
            "the prompt mentions a link (@…) that leads out of the repository; "
            "it cannot be replayed"
        )


@dataclass(frozen=True, slots=True)
class _Admission:
    task: Task
    workspaces: Workspaces

    def prove(self) -> None:
        """Raise _NotAdmittedError with the first requirement that fails."""
        task = self.task
        if self._all_pass({}, ()):
            raise _NotAdmittedError("the checks already pass on the base")
        if self._all_pass(task.attempt, task.attempt_commands):
            raise _NotAdmittedError("the checks already pass on the agent's first attempt")
        failed = self._first_failure(self._results(task.corrected, task.corrected_commands))
        if failed is not None:
            raise _NotAdmittedError(f"a check fails on the corrected result: {_describe(failed)}")
        if self._commands():
            self._prove_repeatable()
            self._prove_independent_of_new_tests()

    def _prove_repeatable(self) -> None:
        """Check the corrected result twice at the same time: finds shared ports and flakiness."""
        with ThreadPoolExecutor(len(SLOTS)) as pool:
            runs = [pool.submit(self._run, self.task.corrected, slot) for slot in SLOTS]
            results = [run.result() for run in runs]
        failed = next(filter(None, map(self._first_failure, results)), None)
        if failed is not None:
            raise _NotAdmittedError(
                f"a check is flaky or fails when it runs twice at once: {_describe(failed)}"
            )

    def _prove_independent_of_new_tests(self) -> None:
        task = self.task
        earlier_tests = {
            path: task.attempt.get(path, self._base_text(path))
            for path in task.corrected
            if is_test(path)
        }
        tests = {path: text for path, text in earlier_tests.items() if text != task.corrected[path]}
        if not tests:
            return
        failed = self._first_failure(self._run({**task.corrected, **tests}, SLOTS[0]))
        if failed is not None:
            names = ", ".join(sorted(tests)[:3])
            raise _NotAdmittedError(
                f"a check depends on tests that only the fix wrote ({names}): {_describe(failed)}"
            )

    def _all_pass(self, contents: Contents, commands: tuple[str, ...]) -> bool:
        return self._first_failure(self._results(contents, commands)) is None

    def _first_failure(self, results: Sequence[CheckResult]) -> CheckResult | None:
        broken = next((result for result in results if result.broken), None)
        if broken is not None:
            raise _NotAdmittedError(
                f"a check cannot run on this machine: {_describe(broken)}", TaskStatus.SKIPPED
            )
        return next((result for result in results if not result.passed), None)

    def _results(self, contents: Contents, commands: tuple[str, ...]) -> list[CheckResult]:
        """Evaluate checks that need no program first; run commands only when those pass."""
        work_result = self._work_result(contents, commands)
        results = [
            evaluate(check, work_result)
            for check in self.task.checks
            if not isinstance(check, CommandCheck)
        ]
        if self._commands() and all(result.passed for result in results):
            results += self._run(contents, SLOTS[0])
        return results

    def _commands(self) -> list[CommandCheck]:
        return [check for check in self.task.checks if isinstance(check, CommandCheck)]

    def _run(self, contents: Contents, slot: int) -> list[CheckResult]:
        try:
            workspace = self.workspaces.prepare(self.task, {}, slot)
        except (UsageError, MachineError) as error:
            raise _NotAdmittedError(str(error), TaskStatus.SKIPPED) from None
        try:
            workspace.put(contents)
            return [run_command(check, workspace) for check in self._commands()]
        finally:
            self.workspaces.discard(workspace)

    def _work_result(self, contents: Contents, commands: tuple[str, ...]) -> WorkResult:
        base = {path: self._base_text(path) for path in contents}
        changed = {path: text for path, text in contents.items() if text != base[path]}

        def exists(path: str) -> bool:
            text = contents[path] if path in contents else self._base_text(path)
            return text is not None

        return WorkResult(base, changed, exists, commands)

    def _base_text(self, path: str) -> str | None:
        base = self.task.base
        if path in base.overlay:
            return base.overlay[path]
        assert base.tree is not None
        content = self.workspaces.objects.read(base.tree, path)
        return None if content is None else as_text(content) or ""


def _describe(result: CheckResult) -> str:
    return f"{result.check} ({result.detail})" if result.detail else result.check
