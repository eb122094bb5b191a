"""The input of the scripted agent: a request and a playbook."""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


class InvalidRequestError(Exception):
    """The request or the playbook is invalid; the message is a single line."""


@dataclass(frozen=True, slots=True)
class Habit:
    """How often the agent follows a convention, depending on its context."""

    id: str
    heeds: tuple[str, ...] = ()
    """Regular expressions: text in the context that makes the agent follow the convention."""
    rate: float = 0.05
    heeded: float = 0.96
    misled_by: tuple[str, ...] = ()
    misled: float = 0.05

    def chance(self, context: str) -> float:
        """Return the probability to follow the convention; misleading text takes precedence."""
        heeded = any(re.search(pattern, context) for pattern in self.heeds)
        misled = any(re.search(pattern, context) for pattern in self.misled_by)
        if misled:
            return self.misled
        return self.heeded if heeded else self.rate


@dataclass(frozen=True, slots=True)
class ScriptedJob:
    """Steps for the prompts that `match`."""

    match: str
    steps: tuple[dict[str, Any], ...]
    slots: dict[str, dict[str, str]] = field(default_factory=dict)
    """Name -> `habit`, `good`, `bad`."""


@dataclass(frozen=True, slots=True)
class DeveloperReaction:
    """How the scripted developer reacts to a write whose new text matches `pattern`."""

    pattern: str
    feedback: str
    kind: str = "reject"
    """`reject` (with the feedback) or `interrupt`."""


@dataclass(frozen=True, slots=True)
class Request:
    """A prompt to play."""

    prompt: str
    workspace: Path
    state: Path
    session_id: str
    seed: int
    habits: dict[str, Habit]
    jobs: tuple[ScriptedJob, ...]
    model: str = "scripted-1"
    opens: float = 0.9
    slip: float = 0.02
    interactive: bool = False
    reads_agents_file: bool = False
    started_at: str | None = None
    """ISO 8601 time of the prompt; lines then advance from it deterministically."""
    reactions: tuple[DeveloperReaction, ...] = ()

    @classmethod
    def parse(cls, text: str) -> "Request":
        """Read a request and the playbook that it names; InvalidRequestError names the problem."""
        try:
            raw = json.loads(text)
            playbook = json.loads(Path(raw["playbook"]).read_text("utf-8"))
            return cls(
                prompt=raw["prompt"],
                workspace=Path(raw["workspace"]),
                state=Path(raw["state"]),
                session_id=raw["session_id"],
                seed=int(raw["seed"]),
                habits={habit["id"]: _habit(habit) for habit in playbook.get("habits", ())},
                jobs=tuple(_job(job) for job in playbook.get("jobs", ())),
                model=playbook.get("model", "scripted-1"),
                opens=float(playbook.get("opens", 0.9)),
                slip=float(playbook.get("slip", 0.02)),
                interactive=bool(raw.get("interactive")),
                reads_agents_file=bool(raw.get("reads_agents_file")),
                started_at=raw.get("started_at"),
                reactions=tuple(DeveloperReaction(**entry) for entry in raw.get("reactions", ())),
            )
        except (OSError, ValueError, TypeError, KeyError, re.error) as error:
            raise InvalidRequestError(f"{type(error).__name__}: {error}") from None


def _habit(raw: dict[str, Any]) -> Habit:
    lists = {key: tuple(raw.get(key, ())) for key in ("heeds", "misled_by")}
    for pattern in (*lists["heeds"], *lists["misled_by"]):
        re.compile(pattern)
    return Habit(**{**raw, **lists})


def _job(raw: dict[str, Any]) -> ScriptedJob:
    re.compile(raw["match"])
    return ScriptedJob(raw["match"], tuple(raw["steps"]), dict(raw.get("slots", {})))
