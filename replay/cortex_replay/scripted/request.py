"""What the scripted agent is asked, and how it behaves."""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


class InvalidRequestError(Exception):
    """The request or the playbook cannot be used; one line."""


@dataclass(frozen=True, slots=True)
class Habit:
    """How often one thing is done well, by what the agent was told."""

    id: str
    heeds: tuple[str, ...] = ()
    """Regular expressions: text in the context that brings the good way."""
    rate: float = 0.05
    heeded: float = 0.96
    misled_by: tuple[str, ...] = ()
    misled: float = 0.05

    def chance(self, context: str) -> float:
        """Return the probability of the good way in this context; misleading text wins."""
        heeded = any(re.search(pattern, context) for pattern in self.heeds)
        misled = any(re.search(pattern, context) for pattern in self.misled_by)
        if misled:
            return self.misled
        return self.heeded if heeded else self.rate


@dataclass(frozen=True, slots=True)
class Job:
    """What is done for the prompts that `match`."""

    match: str
    steps: tuple[dict[str, Any], ...]
    slots: dict[str, dict[str, str]] = field(default_factory=dict)
    """Name -> `habit`, `good`, `bad`."""


@dataclass(frozen=True, slots=True)
class Objection:
    """A scripted developer who refuses a write whose new text matches."""

    pattern: str
    words: str
    how: str = "reject"
    """`reject` (with the words) or `interrupt`."""


@dataclass(frozen=True, slots=True)
class Request:
    """One prompt to play."""

    prompt: str
    workspace: Path
    state: Path
    session_id: str
    seed: int
    habits: dict[str, Habit]
    jobs: tuple[Job, ...]
    model: str = "scripted-1"
    opens: float = 0.9
    slip: float = 0.02
    interactive: bool = False
    at: str | None = None
    """ISO 8601 time of the prompt; lines then advance from it deterministically."""
    objections: tuple[Objection, ...] = ()

    @classmethod
    def parse(cls, text: str) -> "Request":
        """Read a request and the playbook that it names; InvalidRequestError says what is wrong."""
        try:
            raw = json.loads(text)
            book = json.loads(Path(raw["playbook"]).read_text("utf-8"))
            return cls(
                prompt=raw["prompt"],
                workspace=Path(raw["workspace"]),
                state=Path(raw["state"]),
                session_id=raw["session_id"],
                seed=int(raw["seed"]),
                habits={one["id"]: _habit(one) for one in book.get("habits", ())},
                jobs=tuple(_job(one) for one in book.get("jobs", ())),
                model=book.get("model", "scripted-1"),
                opens=float(book.get("opens", 0.9)),
                slip=float(book.get("slip", 0.02)),
                interactive=bool(raw.get("interactive")),
                at=raw.get("at"),
                objections=tuple(Objection(**one) for one in raw.get("objections", ())),
            )
        except (OSError, ValueError, TypeError, KeyError, re.error) as error:
            raise InvalidRequestError(f"{type(error).__name__}: {error}") from None


def _habit(raw: dict[str, Any]) -> Habit:
    lists = {key: tuple(raw.get(key, ())) for key in ("heeds", "misled_by")}
    for pattern in (*lists["heeds"], *lists["misled_by"]):
        re.compile(pattern)
    return Habit(**{**raw, **lists})


def _job(raw: dict[str, Any]) -> Job:
    re.compile(raw["match"])
    return Job(raw["match"], tuple(raw["steps"]), dict(raw.get("slots", {})))
