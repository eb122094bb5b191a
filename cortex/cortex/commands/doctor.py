"""Whether this machine can do what Cortex needs: each check on its own, none stops the others."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from cortex import __version__
from cortex.commands import canary
from cortex.commands.context import DATABASE, Context
from cortex.config import home
from cortex.errors import CortexError
from cortex.git import ask
from cortex.transcripts.locate import default_roots
from cortex_replay.agents import Agent, make_agent
from cortex_replay.confinement import ADVICE, CONTAINERS
from cortex_replay.containers import check_image
from cortex_replay.sandbox import bubblewrap
from cortex_replay.trial_dirs import default_root, prepare_root

SCARCE_BYTES = 2 << 30
"""Less free space is worth a warning: workspaces of trials are copies of the repository."""
SILENCES = ("CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_SKIP_PROMPT_HISTORY")
"""Variables with which sessions of Claude Code write no transcript."""


class State(StrEnum):
    """How a check ended."""

    OK = "ok"
    WARNING = "warning"
    """Something does not work, or works less well."""
    PROBLEM = "problem"
    """Experiments cannot run."""


@dataclass(frozen=True, slots=True)
class Check:
    """What was looked at."""

    name: str
    state: State
    detail: str
    advice: str = ""
    """What to do; empty when all is well."""


def examine(context: Context, *, with_canary: bool = True) -> Iterator[Check]:
    """Yield the checks one after the other; the canary of the agent takes some seconds."""
    yield Check("cortex", State.OK, f"{__version__}, Python {sys.version.split()[0]}")
    yield _guarded("git", _git)
    yield _guarded("store", lambda: _store(context))
    yield _guarded("trials", _trials)
    yield _guarded("sandbox", lambda: _sandbox(context))
    yield _guarded("sandbox of trials", lambda: _sandbox_of_trials(context))
    yield _guarded("transcripts", lambda: _transcripts(context))
    yield from _agent(context, with_canary)
    yield _guarded("budget", lambda: _budget(context))


def _guarded(name: str, check: Callable[[], Check]) -> Check:
    try:
        return check()
    except (CortexError, OSError) as error:
        return Check(name, State.PROBLEM, str(error))


def _git() -> Check:
    version = ask("--version")
    if version is None:
        return Check("git", State.PROBLEM, "does not run", "install git")
    return Check("git", State.OK, version.removeprefix("git version "))


def _store(context: Context) -> Check:
    file = context.home / DATABASE
    free = shutil.disk_usage(context.home if context.home.is_dir() else context.home.parent).free
    detail = f"{file}, {_gb(free)} free"
    if not os.access(file, os.W_OK):
        return Check("store", State.PROBLEM, f"{file} cannot be written", "correct its mode")
    return _space("store", detail, free)


def _trials() -> Check:
    folder = prepare_root(default_root())
    return _space("trials", str(folder), shutil.disk_usage(folder).free)


def _space(name: str, detail: str, free: int) -> Check:
    if free < SCARCE_BYTES:
        advice = "make room, or set CORTEX_TRIALS or CORTEX_HOME to a larger disk"
        return Check(name, State.WARNING, f"{detail}: only {_gb(free)} free", advice)
    return Check(name, State.OK, detail)


def _sandbox(context: Context) -> Check:
    program = bubblewrap()
    if program is not None:
        return Check("sandbox", State.OK, f"bubblewrap ({program})")
    advice = "install bubblewrap, or run `cortex trust` where you trust the code"
    trusted = context.repository is not None and str(context.repository) in context.trusted()
    detail = "none; this repository is trusted" if trusted else "none; checks with commands wait"
    return Check("sandbox", State.WARNING, detail, "" if trusted else advice)


def _sandbox_of_trials(context: Context) -> Check:
    name, agent = "sandbox of trials", make_agent(context.config.agent)
    if not agent.runs_commands:
        return Check(name, State.OK, f"not needed: {agent.name} runs no commands of a model")
    confinement = context.confinement()
    level = confinement.level()
    if level in CONTAINERS:
        check_image(confinement)
        return Check(name, State.OK, f"{level}, image {confinement.image}")
    if level != "none":
        return Check(name, State.OK, "bubblewrap: an agent sees its workspace and the network")
    if confinement.accepted:
        return Check(name, State.OK, "none; you accepted that for this repository")
    return Check(name, State.PROBLEM, "none; an agent could reach all that you can", ADVICE)


def _transcripts(context: Context) -> Check:
    folders = [Path(folder).expanduser() for folder in context.config.transcripts]
    there = [folder for folder in folders or default_roots() if folder.is_dir()]
    silenced = [name for name in SILENCES if os.environ.get(name)]
    if silenced:
        return Check(
            "transcripts",
            State.WARNING,
            f"{silenced[0]} is set: sessions started from here write no transcript",
            f"unset {silenced[0]}",
        )
    if not there:
        detail = "none of an agent on this machine"
        return Check("transcripts", State.WARNING, detail, "set `transcripts` in config.toml")
    return Check("transcripts", State.OK, ", ".join(map(str, there)))


def _agent(context: Context, with_canary: bool) -> Iterator[Check]:
    try:
        agent = make_agent(context.config.agent)
        agent.check()
        yield Check("agent", State.OK, f"{agent.name} {agent.version()}")
    except CortexError as error:
        yield Check("agent", State.PROBLEM, str(error))
        return
    yield Check("login", State.OK, _login(context, os.environ))
    if with_canary:
        yield _guarded("canary", lambda: _canary(context, agent))


def _login(context: Context, outer: Mapping[str, str]) -> str:
    """Return how the agent of a trial logs in; `Agent.check` has found no fault."""
    if context.config.agent.free:
        return "not needed"
    named = [name for name in _keys(context.config.agent.name) if outer.get(name)]
    if context.config.agent.name == "messages" and not named:
        return "none; a server on this machine needs none"
    return f"{named[0]} is set" if named else "the agent's own"


def _keys(agent: str) -> tuple[str, ...]:
    """Return the variables with keys that an agent logs in with, the first that is set wins."""
    own = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")
    return own if agent == "messages" else (*own, "CLAUDE_CODE_OAUTH_TOKEN", "OPENAI_API_KEY")


def _canary(context: Context, agent: Agent) -> Check:
    report = canary.prove(context, agent)
    if report is None:
        return Check("canary", State.OK, f"{agent.name} needs none")
    if report.missing:
        advice = "set `command` in [agent] to a version that works, and report it"
        return Check("canary", State.PROBLEM, canary.describe(report), advice)
    detail = f"Cortex reads all that {report.agent} {report.version} writes ({report.seconds:g} s)"
    return Check("canary", State.OK, detail)


def _budget(context: Context) -> Check:
    budget, agent = context.config.budget, context.config.agent
    if agent.free:
        return Check("budget", State.OK, f"{agent.name} costs nothing")
    caps = [
        f"{amount:g} USD {what}"
        for amount, what in (
            (budget.per_trial_usd, "a trial"),
            (budget.per_experiment_usd, "an experiment"),
            (budget.per_day_usd, "a day"),
        )
        if amount is not None
    ]
    none = f"none in {home() / 'config.toml'}: nothing is spent without --budget"
    return Check("budget", State.OK, ", ".join(caps) or none)


def _gb(size: int) -> str:
    return f"{size / 1e9:.1f} GB"
