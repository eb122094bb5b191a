"""Evaluates checks on finished work."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from cortex.artifacts.globs import matches
from cortex.model.sessions import Action, ActionKind
from cortex.model.tasks import ActionCheck, CheckResult, FileCheck, PatternCheck
from cortex.tasks import lines
from cortex.tasks.describe import describe
from cortex.tasks.languages import CONTEXTS, LANGUAGES, reads_as
from cortex.tasks.segments import segments

PureCheck = PatternCheck | FileCheck | ActionCheck
"""The checks that need no program to run."""

_WIDTH = 100
_LITERAL = re.compile(r"(?<![$\w])[A-Za-z_]\w*")
"""Words of a pattern that stand for themselves: without them in the text, parsing is in vain."""


@dataclass(frozen=True, slots=True)
class WorkResult:
    """The end of a trial, of an attempt, or of a corrected piece of work."""

    base: Mapping[str, str | None]
    """Relative path -> content before, for the changed files."""
    final: Mapping[str, str | None]
    """Relative path -> content now (None: deleted), for the changed files."""
    exists: Callable[[str], bool] = field(default=lambda _: False)
    """Whether a file exists at a relative path."""
    commands: tuple[str, ...] = ()
    """What ran, where only the commands are known; read when there are no `actions`."""
    actions: tuple[Action, ...] = ()


class BrokenCheckError(Exception):
    """The check itself cannot be evaluated: an invalid pattern or language."""


def evaluate(check: PureCheck, finished: WorkResult) -> CheckResult:
    """Return whether `check` holds, with the place that decided it.

    A check that cannot be evaluated (invalid pattern, unknown language) is `broken`, never passed.
    """
    try:
        passed, detail = _decide(check, finished)
    except BrokenCheckError as error:
        return CheckResult(describe(check), passed=False, detail=str(error), broken=True)
    return CheckResult(describe(check), passed, detail)


def _decide(check: PureCheck, finished: WorkResult) -> tuple[bool, str]:
    if isinstance(check, FileCheck):
        there = finished.exists(check.path)
        return there == check.exists, f"{check.path} {'is there' if there else 'is not there'}"
    if isinstance(check, PatternCheck):
        place = next(_places(check, finished), None)
        return (place is not None) == check.present, place or "in no added line"
    return _on_actions(check, finished)


def selects(check: PatternCheck, path: str) -> bool:
    """Whether `check` applies to `path`."""
    return path in check.paths or matches(check.paths, path)


def _places(check: PatternCheck, finished: WorkResult) -> Iterator[str]:
    """Yield `path:line: text` of each match that touches an added line."""
    if check.language is not None and check.language not in LANGUAGES:
        raise BrokenCheckError(f"unknown language {check.language}")
    for path, text in sorted(finished.final.items()):
        if not text or not selects(check, path):
            continue
        fresh = lines.added(finished.base.get(path), text)
        shown = lines.split(text)
        for start, end in _spans(check, path, text, fresh):
            hit = next((number for number in range(start, end + 1) if number in fresh), None)
            if hit is not None:
                yield f"{path}:{hit + 1}: {shown[hit].strip()[:_WIDTH]}"


def _spans(
    check: PatternCheck, path: str, text: str, fresh: frozenset[int]
) -> Iterator[tuple[int, int]]:
    """Yield first and last line (from 0) of each match of the pattern."""
    if check.language is None:
        regex = compiled(check.pattern)
        rows = lines.split(text)
        yield from ((row, row) for row in sorted(fresh) if regex.search(rows[row]))
        return
    language = reads_as(check.language, path)
    if language is not None and fresh:
        yield from structural(check.pattern, language, text)


def compiled(pattern: str) -> re.Pattern[str]:
    """Return the compiled regular expression; raises BrokenCheckError when it is not valid."""
    try:
        return re.compile(pattern)
    except re.error as error:
        raise BrokenCheckError(f"invalid regular expression: {error}") from None


def structural(pattern: str, language: str, text: str) -> Iterator[tuple[int, int]]:
    """Yield first and last line (from 0) of each match of an ast-grep pattern in `text`.

    Raises BrokenCheckError when the pattern is not valid in `language`.
    """
    if any(word not in text for word in _LITERAL.findall(pattern)):
        return
    from ast_grep_py import SgRoot

    rule: dict[str, Any] = {"pattern": pattern}
    if language in CONTEXTS and pattern.endswith(")"):
        context, kind = CONTEXTS[language]
        rule = {"pattern": {"context": context.format(pattern), "selector": kind}}
    config: Any = {"rule": rule}
    try:
        matches = SgRoot(text, language).root().find_all(config)
    except RuntimeError:
        raise BrokenCheckError(f"invalid {language} pattern: {pattern}") from None
    for node in matches:
        place = node.range()
        yield place.start.line, place.end.line


_WRITE = "write"


def _on_actions(check: ActionCheck, finished: WorkResult) -> tuple[bool, str]:
    steps = tuple(_steps(finished))
    if check.must_not_run is not None:
        bad = _first(check.must_not_run, steps, ran_only=False)
        if bad is not None:
            return False, f"it ran: {steps[bad].text[:_WIDTH]}"
    if check.must_run is None:
        return True, "it did not run"
    ran = _first(check.must_run, steps, ran_only=True)
    if ran is None:
        return False, "it did not run"
    limit = None if check.before is None else _limit(check.before, steps)
    if limit is not None and limit < ran:
        return False, f"only after: {steps[limit].text[:_WIDTH]}"
    return True, f"it ran: {steps[ran].text[:_WIDTH]}"


@dataclass(frozen=True, slots=True)
class _Step:
    text: str
    writes: bool
    ran: bool


def _steps(finished: WorkResult) -> Iterator[_Step]:
    if not finished.actions:
        for command in finished.commands:
            yield from (_Step(part, False, True) for part in segments(command))
    for action in finished.actions:
        call = action.call
        if call.kind is ActionKind.WRITE and action.done:
            yield _Step(f"write {call.path or ''}", True, True)
        elif call.kind is ActionKind.COMMAND and call.command:
            ran = action.done or (action.result is not None and action.result.exit_code is not None)
            yield from (_Step(part, False, ran) for part in segments(call.command))


def _first(pattern: str, steps: tuple[_Step, ...], *, ran_only: bool) -> int | None:
    """Return the first command that matches; one that was refused did not run, but was tried."""
    regex = compiled(pattern)
    wanted = (
        index
        for index, step in enumerate(steps)
        if not step.writes and (step.ran or not ran_only) and regex.search(step.text)
    )
    return next(wanted, None)


def _limit(before: str, steps: tuple[_Step, ...]) -> int | None:
    if before == _WRITE:
        return next((index for index, step in enumerate(steps) if step.writes), None)
    return _first(before, steps, ran_only=True)
