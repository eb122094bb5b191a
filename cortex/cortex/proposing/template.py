"""The writer without a model: it states the contrast of attempt and correction."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from cortex.errors import UsageError
from cortex.model.tasks import ActionCheck, Task
from cortex.proposing import sanitise, scoping
from cortex.proposing.briefs import Brief
from cortex.proposing.draft import Draft
from cortex.proposing.phrases import clean_code, quotation, slug, spoken
from cortex.tasks.describe import describe


@dataclass(frozen=True, slots=True)
class _Advice:
    """What to do, before it is known where."""

    kind: Literal["contrast", "process", "words"]
    name: str
    title: str
    demand: str
    """For a contrast it follows on "In these files "."""


class TemplateWriter:
    """Offline, deterministic, free."""

    name = "template"

    def write(self, brief: Brief) -> Draft:
        """Return a rule for a contrast in files, a section for a way of working.

        Raises UsageError when there is neither a contrast nor a word to go by.
        """
        advice = _contrast(brief) or _process(brief) or _words(brief)
        paths = () if advice.kind == "process" else _paths(brief)
        body = advice.demand
        if advice.kind == "contrast":
            where = " and ".join(f"`{path}`" for path in paths)
            body = f"In {f'files like {where}' if paths else 'this repository'} {body}"
        return Draft(
            kind="rule" if paths else "section",
            name=_free(advice.name, brief),
            paths=paths,
            description=advice.title,
            body=f"{body}\n\n{quotation(brief)}",
            rationale=_rationale(brief),
        )


def _contrast(brief: Brief) -> _Advice | None:
    put = _first(clean_code(brief.theme.introduced))
    out = _first(clean_code(brief.theme.removed))
    if put and out and put != out:
        return _Advice("contrast", slug("use", put), f"Use {put}", f"write {put}, not {out}.")
    if put:
        return _Advice("contrast", slug("use", put), f"Use {put}", f"write {put}.")
    if out:
        return _Advice("contrast", slug("avoid", out), f"Avoid {out}", f"do not write {out}.")
    return None


def _process(brief: Brief) -> _Advice | None:
    tasks = brief.seen_tasks
    for check in _action_checks(tasks):
        if check.must_run:
            run = _command(check.must_run, tasks, corrected=True)
            demand = f"{_moment(check, tasks)}, run {run}."
            return _Advice("process", slug("run", run), f"Run {run}", demand)
        if check.must_not_run:
            run = _command(check.must_not_run, tasks, corrected=False)
            demand = f"Do not run {run} unless you were asked to."
            return _Advice("process", slug("do-not-run", run), f"Do not run {run}", demand)
    return None


def _words(brief: Brief) -> _Advice:
    """Without a contrast, use the developer's shortest message."""
    shortest = min(spoken(brief.corrections), key=lambda words: (len(words), words), default="")
    demand = sanitise.line(shortest or brief.theme.title, 200)
    title = sanitise.line(brief.theme.title, 60)
    if not sanitise.says_something(demand):
        raise UsageError(f"{brief.theme.id}: its corrections say nothing to make a rule of")
    title = title if sanitise.says_something(title) else demand
    return _Advice("words", slug("follow", title), title, demand)


def _action_checks(tasks: Sequence[Task]) -> Iterator[ActionCheck]:
    """Yield the tasks' conditions on commands, the most frequent first."""
    checks = [check for task in tasks for check in task.checks if isinstance(check, ActionCheck)]
    yield from sorted(dict.fromkeys(checks), key=lambda check: -checks.count(check))


def _command(pattern: str, tasks: Sequence[Task], *, corrected: bool) -> str:
    """Return the command that a check's expression stands for, without the rest of its line.

    What a task wrote behind it (a message, a file) belongs to that task.
    """
    described = describe(ActionCheck(must_run=pattern)).removeprefix("runs ").strip("`")
    if re.fullmatch(r"[\w./: =@-]+", described):
        return sanitise.code(described)
    ran = [
        matched.strip(" /")
        for task in tasks
        for command in (task.corrected_commands if corrected else task.attempt_commands)
        if (matched := _match(pattern, command))
    ]
    usual = min(ran, key=lambda matched: (-ran.count(matched), len(matched), matched), default="")
    return sanitise.code(usual or described)


def _moment(check: ActionCheck, tasks: Sequence[Task]) -> str:
    if check.before == "write":
        return "Before you change the first file"
    if check.before:
        return f"Before you run {_command(check.before, tasks, corrected=True)}"
    return "Before you finish a change"


def _match(pattern: str, command: str) -> str:
    try:
        match = re.search(pattern, command)
    except re.error:
        return ""
    return match[0] if match else ""


def _paths(brief: Brief) -> tuple[str, ...]:
    """Return the scope; none when the tasks read nothing, where a scoped rule never loads."""
    if scoping.only_new_files(brief.seen_tasks):
        return ()
    codes = [*brief.theme.introduced, *brief.theme.removed]
    seen = scoping.telling_paths(brief.seen_tasks, codes)
    return scoping.scope([*brief.theme.paths, *seen], brief.tree)[:8]


def _free(name: str, brief: Brief) -> str:
    taken = {artifact.name for artifact in brief.harness}
    numbered = (f"{name}-{number}" for number in range(2, 100))
    return next(free for free in (name, *numbered) if free not in taken)


def _first(codes: Sequence[str]) -> str:
    return sanitise.code(codes[0]) if codes else ""


def _rationale(brief: Brief) -> str:
    sessions = len(set(brief.theme.session_ids))
    return (
        f"Asked for {len(brief.theme.correction_ids)} times in {sessions} sessions; "
        f"{len(brief.seen_tasks)} tasks show it."
    )
