"""A canary: a small repository, prepared answers of the model, and what must come back."""

import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from cortex.git import git
from cortex.model.sessions import ActionKind, Called, Said
from cortex_replay.agents.base import Agent, AgentJob, AgentRun
from cortex_replay.canary.server import serve
from cortex_replay.canary.steps import LAST_WORDS, SKILL_NAME, STEPS
from cortex_replay.confinement import DEFAULT, Confinement
from cortex_replay.trial_dirs import (
    claim_run,
    clean_leftovers,
    default_root,
    prepare_root,
    release_run,
)

TIMEOUT_S = 90.0
BEFORE = "def total(prices):\n    return sum(prices)\n"
AFTER = "def total(prices: list[float]) -> float:\n    return sum(prices)\n"
FILE = "src/shop.py"
INSTRUCTIONS = "CLAUDE.md"
RULE = ".claude/rules/canary.md"
SKILL = f".claude/skills/{SKILL_NAME}/SKILL.md"
_TEXTS = {
    FILE: BEFORE,
    INSTRUCTIONS: "# Shop\n\nA shop.\n",
    RULE: "---\npaths: src/**/*.py\n---\nWrite type hints.\n",
    SKILL: "---\nname: canary\ndescription: How prices are added\n---\nAdd them.\n",
}


@dataclass(frozen=True, slots=True)
class CanaryReport:
    """What a canary showed about an agent's version."""

    agent: str
    version: str
    missing: tuple[str, ...]
    """What Cortex could not read; empty when all is well."""
    detail: str
    """How the run ended, where it did not finish."""
    seconds: float


def run_canary(agent: Agent, confinement: Confinement = DEFAULT) -> CanaryReport | None:
    """Run a canary, free and without network; None for an agent that has none.

    An agent that runs commands is confined as in a trial.

    Raises MachineError when the agent cannot be started.
    """
    if agent.name not in STEPS:
        return None
    started = time.monotonic()
    root = prepare_root(default_root())
    clean_leftovers(root)
    folder, lock = claim_run(root)
    try:
        workspace = _repository(folder / "slot-0" / "repo")
        with serve(STEPS[agent.name](workspace / FILE, BEFORE, AFTER)) as url:
            job = _job(folder, workspace, url)
            if agent.runs_commands:
                job = replace(job, confinement=confinement)
            run = agent.run(job)
        missing = tuple(_missing(run, workspace))
    finally:
        release_run(folder, lock)
    seconds = round(time.monotonic() - started, 1)
    return CanaryReport(agent.name, agent.version(), missing, run.detail, seconds)


def _repository(folder: Path) -> Path:
    for path, text in _TEXTS.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    git("init", "--quiet", "--initial-branch=main", cwd=folder)
    git("add", "--all", cwd=folder)
    git("commit", "--quiet", "--message=Initial commit", cwd=folder)
    return folder


def _job(folder: Path, workspace: Path, url: str) -> AgentJob:
    state, home = folder / "state", folder / "home"
    for place in (state, home):
        place.mkdir(mode=0o700)
    return AgentJob(
        workspace=workspace,
        state=state,
        home=home,
        prompt=f"Add type hints to {FILE}",
        session_id=str(uuid.uuid4()),
        model=None,
        timeout_s=TIMEOUT_S,
        budget_usd=None,
        seed=0,
        provider_url=url,
    )


def _missing(run: AgentRun, workspace: Path) -> Iterator[str]:
    """Yield what a trial needs and this run did not show."""
    if run.status != "finished":
        yield "the result of a run"
        return
    kinds = {event.kind for event in run.events if isinstance(event, Called)}
    words = [event.text for event in run.events if isinstance(event, Said)]
    shown = {
        "what a run cost": bool(run.cost_usd),
        "the tokens that a run used": bool(run.input_tokens),
        "files that were read (transcript)": ActionKind.READ in kinds,
        "files that were edited (transcript)": ActionKind.WRITE in kinds,
        "the agent's words (transcript)": any(LAST_WORDS in text for text in words),
        "the edit of a file": _text(workspace) == AFTER,
        "loads of instruction files": INSTRUCTIONS in run.loaded,
        "loads of rules": RULE in run.loaded,
        "loads of skills": SKILL in run.loaded,
        "skills that are offered": SKILL in run.offered,
    }
    yield from (what for what, there in shown.items() if not there)


def _text(workspace: Path) -> str:
    """Return the edited file; empty when the agent left none, or a link in a place above it."""
    if workspace.is_symlink() or workspace.parent.is_symlink():
        return ""
    try:
        return (workspace / FILE).read_text("utf-8", "replace")
    except OSError:
        return ""
