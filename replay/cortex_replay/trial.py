"""One trial: a prepared workspace, one run of the agent, the checks, and nothing left behind."""

import time
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from cortex.artifacts import loading
from cortex.digests import digest_text, short_id
from cortex.errors import MachineError, UsageError
from cortex.model.artifacts import Artifact, ArtifactKind
from cortex.model.sessions import Action, ActionKind, Event
from cortex.model.tasks import CheckResult, CommandCheck, Task
from cortex.model.trials import Arm, Outcome, Trial
from cortex.timestamps import timestamp
from cortex.transcripts.turns import assemble
from cortex_replay.agents.base import Agent, AgentJob, AgentRun
from cortex_replay.checking import run_checks
from cortex_replay.workspace import Workspace, Workspaces


@dataclass(frozen=True, slots=True)
class TrialOrder:
    """Everything that one trial depends on."""

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
    """Number of earlier tries that came back missing."""
    alone: bool = False
    """Its counterpart in the other arm is not run."""


def run_trial(order: TrialOrder, workspaces: Workspaces, agent: Agent, slot: int) -> Trial:
    """Run one trial in `slot`. Failures of agent, checks and setup are recorded, never raised."""
    started, clock = datetime.now(UTC), time.monotonic()
    try:
        workspace = workspaces.prepare(order.task, order.harness, slot)
    except (MachineError, UsageError) as error:
        return _missing(order, Outcome.INFRA, str(error), started)
    try:
        if _passes_already(order.task, workspace):
            detail = "the checks pass before the agent has run"
            return _missing(order, Outcome.CONTAMINATED, detail, started)
        run = agent.run(_job(order, workspace, workspaces.state_folder(slot)))
        return _finished(order, workspace, run, started, clock)
    finally:
        workspaces.discard(workspace)


def _job(order: TrialOrder, workspace: Workspace, state: Path) -> AgentJob:
    pair = digest_text(f"{order.experiment_id} {order.task.id} {order.pair}")
    return AgentJob(
        workspace=workspace.path,
        state=state,
        home=workspace.home,
        prompt=order.task.prompt,
        session_id=str(uuid.UUID(pair[:32], version=4)),
        model=order.model,
        timeout_s=order.timeout_s,
        budget_usd=order.budget_usd,
        seed=order.seed,
    )


def _passes_already(task: Task, workspace: Workspace) -> bool:
    """Whether the checks hold on the untouched workspace; commands are not run for this."""
    pure = [check for check in task.checks if not isinstance(check, CommandCheck)]
    if len(pure) < len(task.checks) or not pure:
        return False
    return all(result.passed for result in run_checks(pure, workspace, ()))


def _finished(
    order: TrialOrder, workspace: Workspace, run: AgentRun, started: datetime, clock: float
) -> Trial:
    actions = _actions(run.events)
    results: tuple[CheckResult, ...] = ()
    outcome, detail = OUTCOME_BY_END.get(run.ended), run.detail
    if outcome is None:
        results = run_checks(order.task.checks, workspace, actions)
        outcome, detail = _judged(results, detail)
    return Trial(
        id=_id(order),
        experiment_id=order.experiment_id,
        task_id=order.task.id,
        pair=order.pair,
        arm=order.arm,
        outcome=outcome,
        offered=_offered(order, run),
        triggered=_triggered(order.artifact, actions, workspace.path),
        loaded=_loaded(order, run),
        seconds=round(time.monotonic() - clock, 3),
        cost_usd=run.cost_usd,
        input_tokens=run.input_tokens,
        output_tokens=run.output_tokens,
        checks=results,
        detail=detail,
        started_at=timestamp(started),
        changed=workspace.changed(),
        commands=tuple(one.call.command for one in actions if one.call.command),
        alone=order.alone,
    )


OUTCOME_BY_END = {"timeout": Outcome.TIMEOUT, "infra": Outcome.INFRA, "budget": Outcome.BUDGET}


def _judged(results: tuple[CheckResult, ...], detail: str) -> tuple[Outcome, str]:
    broken = next((result for result in results if result.broken), None)
    if broken is not None:
        return Outcome.INFRA, f"a check cannot run: {broken.check}: {broken.detail}"
    failed = next((result for result in results if not result.passed), None)
    if failed is not None:
        return Outcome.FAIL, f"{failed.check}: {failed.detail}" if failed.detail else failed.check
    return Outcome.PASS, detail


def _actions(events: Iterable[Event]) -> tuple[Action, ...]:
    return tuple(action for turn in assemble(events) for action in turn.actions)


def _offered(order: TrialOrder, run: AgentRun) -> bool | None:
    if order.artifact.kind is not ArtifactKind.SKILL:
        return None
    return order.arm is Arm.WITH and order.artifact.path in run.offered


def _loaded(order: TrialOrder, run: AgentRun) -> bool | None:
    if order.arm is Arm.WITHOUT:
        return False
    if order.artifact.path in run.loaded:
        return True
    return False if run.observes_loads else None


def _triggered(artifact: Artifact, actions: Iterable[Action], workspace: Path) -> bool | None:
    """Whether the load condition was met: seen in both arms alike, so only for rules."""
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


def _missing(order: TrialOrder, outcome: Outcome, detail: str, started: datetime) -> Trial:
    return Trial(
        id=_id(order),
        experiment_id=order.experiment_id,
        task_id=order.task.id,
        pair=order.pair,
        arm=order.arm,
        outcome=outcome,
        detail=detail,
        started_at=timestamp(started),
        alone=order.alone,
    )


def _id(order: TrialOrder) -> str:
    parts = (order.experiment_id, order.task.id, str(order.pair), order.arm, str(order.attempt))
    return short_id("trial", *parts)
