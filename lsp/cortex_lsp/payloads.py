"""What the sidebar of an editor asks for: the records of the custom requests.

Names are camelCase on the wire; `vscode-extension/src/model/payloads.ts` mirrors them.
"""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


class Payload(BaseModel):
    """A record that goes over the wire."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, frozen=True)

    def sent(self) -> dict[str, Any]:
        """Return it as JSON knows it."""
        return self.model_dump(by_alias=True)


class InboxRow(Payload):
    """A candidate that needs a decision."""

    id: str
    title: str
    """`add use-clock: keep`."""
    detail: str
    """The same without the name, with lift and pairs: `add: keep · +1.00 over 4 pairs`."""
    name: str
    path: str
    change: Literal["add", "remove"]
    ruling: str | None
    reason: str
    lift: float | None
    pairs: int
    e_value: float | None
    evidence: str
    """E⁺ for a person; empty when not measured."""


class HarnessRow(Payload):
    """An artifact."""

    key: str
    name: str
    path: str
    line: int
    """From 0."""
    kind: Literal["rule", "skill", "section"]
    ruling: str | None
    stale: str
    state: str
    """`not measured`, `stale`, `prunable` or the ruling."""
    title: str
    """What the code lens shows, without `Cortex: `."""
    detail: str
    """State and size: `prunable · ~27 tokens`."""
    tokens: int
    reason: str


class JobRow(Payload):
    """Work for the daemon."""

    id: str
    candidate_id: str
    name: str
    status: str
    note: str


class GraveRow(Payload):
    """Text that was taken out and can come back."""

    id: str
    name: str
    path: str
    ruling: str | None
    reason: str


class RunningRow(Payload):
    """The experiment that runs."""

    name: str
    pairs: int
    e_value: float
    detail: str
    """`running · 3 pairs · E⁺ 2.5`."""


class State(Payload):
    """`cortex/state`: everything that the sidebar shows."""

    repository: str | None
    inbox: list[InboxRow] = []
    harness: list[HarnessRow] = []
    jobs: list[JobRow] = []
    graveyard: list[GraveRow] = []
    running: RunningRow | None = None
    summary: str = ""
    error: str | None = None


class EntryDetails(Payload):
    """`cortex/entry`: one candidate as a change of a file, with its evidence."""

    id: str
    title: str
    path: str
    before: str | None
    after: str | None
    markdown: str


class Act(Payload):
    """`cortex/act`: what to do, and with what: a candidate, an artifact's key, or a grave."""

    action: Literal["accept", "bury", "prune", "restore", "test"]
    id: str
