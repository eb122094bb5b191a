"""A trial: prepare a workspace, run the agent, run the checks, clean up."""

import time
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from pathlib import Path

from cortex.artifacts import loading
from cortex.digests import digest_text, short_id
from cortex.errors import MachineError, UsageError
from cortex.model.artifacts import Artifact, ArtifactKind
from cortex.model.sessions import Action, ActionKind, Event
from cortex.model.tasks import CheckResult, CommandCheck, Task
from cortex.model.trials import Arm, Outcome, Trial
from cortex.timestamps import timestamp
from cortex.transcripts.redaction import redact_text
from cortex.transcripts.turns import assemble
from cortex_replay.agents.base import Agent, AgentJob, AgentRun
from cortex_replay.checking import run_checks
from cortex_replay.workspace import Workspace, Workspaces


@dataclass(frozen=True, slots=True)
class TrialSpec:
    """Everything that a trial depends on."""

    experiment_id: str
    task: Task
    pair: int
    arm: Arm
    harness: Mapping[str, str]
    """Harness files of the arm: relative path -> text."""
    artifact: Artifact
    seed: int
    timeout_s: float
    budget_usd: float | None = None
    model: str | None = None
    attempt: int = 0
    """Number of earlier attempts with a missing outcome."""
    alone: bool = False
    """A single-arm trial: the other arm is not run."""
    reads_agents_file: bool = False
    """See `AgentJob`."""


def run_trial(spec: TrialSpec, workspaces: Workspaces, agent: Agent, slot: int) -> Trial:
    """Run a trial in `slot`. Failures of the agent, checks and setup are recorded, never raised."""
    started, clock = datetime.now(UTC), time.monotonic()
    try:
        workspace = workspaces.prepare(spec.task, spec.harness, slot)
    except (MachineError, UsageError) as error:
        return _missing(spec, Outcome.INFRA, str(error), started)
    try:
        if _passes_already(spec.task, workspace):
            detail = "the checks already pass before the agent runs"
            return _missing(spec, Outcome.CONTAMINATED, detail, started)
        job = _job(spec, workspace, workspaces.state_folder(slot))
        if agent.runs_commands:
            job = replace(job, confinement=workspaces.confinement_of(spec.task))
        run = agent.run(job)
        return _evaluated(spec, workspace, run, started, clock)
    except MachineError as error:
        return _missing(spec, Outcome.INFRA, str(error), started)
    finally:
        workspaces.discard(workspace)


def _job(spec: TrialSpec, workspace: Workspace, state: Path) -> AgentJob:
    pair = digest_text(f"{spec.experiment_id} {spec.task.id} {spec.pair}")
    return AgentJob(
        workspace=workspace.path,
        state=state,
        home=workspace.home,
        prompt=spec.task.prompt,
        session_id=str(uuid.UUID(pair[:32], version=4)),
        model=spec.model,
        timeout_s=spec.timeout_s,
        budget_usd=spec.budget_usd,
        seed=spec.seed,
        reads_agents_file=spec.reads_agents_file,
    )


def _passes_already(task: Task, workspace: Workspace) -> bool:
    """Whether the checks pass on the untouched workspace; command checks are not run for this."""
    pure = [check for check in task.checks if not isinstance(check, CommandCheck)]
    if len(pure) < len(task.checks) or not pure:
        return False
    return all(result.passed for result in run_checks(pure, workspace, ()))


def _evaluated(
    spec: TrialSpec, workspace: Workspace, run: AgentRun, started: datetime, clock: float
) -> Trial:
    actions = _actions(run.events)
    results: tuple[CheckResult, ...] = ()
    changed: dict[str, str | None] = {}
    outcome, detail = OUTCOME_BY_STATUS.get(run.status), run.detail
    try:
        changed = workspace.changed()
        if outcome is None:
            results = run_checks(spec.task.checks, workspace, actions)
            outcome, detail = _check_outcome(results, detail)
    except (MachineError, OSError) as error:
        # The run has cost something: its trial is recorded, whatever became of the workspace.
        outcome, detail = Outcome.INFRA, str(error)
    return Trial(
        id=_id(spec),
        experiment_id=spec.experiment_id,
        task_id=spec.task.id,
        pair=spec.pair,
        arm=spec.arm,
        outcome=outcome,
        offered=_offered(spec, run),
        triggered=_triggered(spec.artifact, actions, workspace.path),
        loaded=_loaded(spec, run),
        seconds=round(time.monotonic() - clock, 3),
        cost_usd=run.cost_usd,
        input_tokens=run.input_tokens,
        output_tokens=run.output_tokens,
        checks=tuple(replace(result, detail=redact_text(result.detail)) for result in results),
        detail=redact_text(detail),
        started_at=timestamp(started),
        changed=_kept(changed),
        commands=tuple(
            redact_text(action.call.command[:KEPT_COMMAND])
            for action in actions
            if action.call.command
        ),
        alone=spec.alone,
    )


KEPT_FILE = 200_000
KEPT_FILES = 2_000_000
KEPT_COMMAND = 20_000
"""Characters of a changed file, of all of them and of a command that the record of a trial keeps:
to look at, since the checks have read them in full."""


def _kept(changed: Mapping[str, str | None]) -> dict[str, str | None]:
    """Return changed files without secrets, and long ones without their text."""
    kept: dict[str, str | None] = {}
    left = KEPT_FILES
    for path, text in changed.items():
        size = len(text or "")
        if size > min(KEPT_FILE, left):
            text = f"[{size} characters, not kept]"
        left -= len(text or "")
        kept[redact_text(path)] = None if text is None else redact_text(text)
    return kept


OUTCOME_BY_STATUS = {"timeout": Outcome.TIMEOUT, "infra": Outcome.INFRA, "budget": Outcome.BUDGET}


def _check_outcome(results: tuple[CheckResult, ...], detail: str) -> tuple[Outcome, str]:
    broken = next((result for result in results if result.broken), None)
    if broken is not None:
        return Outcome.INFRA, f"a check cannot run: {broken.check}: {broken.detail}"
    failed = next((result for result in results if not result.passed), None)
    if failed is not None:
        return Outcome.FAIL, f"{failed.check}: {failed.detail}" if failed.detail else failed.check
    return Outcome.PASS, detail


def _actions(events: Iterable[Event]) -> tuple[Action, ...]:
    return tuple(action for turn in assemble(events) for action in turn.actions)


def _offered(spec: TrialSpec, run: AgentRun) -> bool | None:
    if spec.artifact.kind is not ArtifactKind.SKILL:
        return None
    return spec.arm is Arm.WITH and spec.artifact.path in run.offered


def _loaded(spec: TrialSpec, run: AgentRun) -> bool | None:
    if spec.arm is Arm.WITHOUT:
        return False
    if spec.artifact.path in run.loaded:
        return True
    unseen = any(fnmatchcase(spec.artifact.path, pattern) for pattern in run.unseen)
    return None if unseen else False


def _triggered(artifact: Artifact, actions: Iterable[Action], workspace: Path) -> bool | None:
    """Whether the load condition was met; observable in both arms, so only for rules."""
    if artifact.kind is not ArtifactKind.RULE:
        return None
    read: list[str] = []
    touched: list[str] = []
    for action in actions:
        path = action.call.path
        if path is None or not Path(path).is_relative_to(workspace):
            continue
        relative = Path(path).relative_to(workspace).as_posix()
        if action.call.kind in (ActionKind.READ, ActionKind.WRITE):
            touched.append(relative)
        if action.call.kind is ActionKind.READ and action.done:
            read.append(relative)
    return loading.triggered(artifact, read, touched)


def _missing(spec: TrialSpec, outcome: Outcome, detail: str, started: datetime) -> Trial:
    return Trial(
        id=_id(spec),
        experiment_id=spec.experiment_id,
        task_id=spec.task.id,
        pair=spec.pair,
        arm=spec.arm,
        outcome=outcome,
        detail=detail,
        started_at=timestamp(started),
        alone=spec.alone,
    )


def _id(spec: TrialSpec) -> str:
    parts = (spec.experiment_id, spec.task.id, str(spec.pair), spec.arm, str(spec.attempt))
    return short_id("trial", *parts)
