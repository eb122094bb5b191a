"""What an artifact, a candidate and an inbox entry are called, and their states in a word."""

from cortex.commands.artifact_status import ArtifactStatus
from cortex.commands.inbox import InboxEntry
from cortex.model.artifacts import Artifact, ArtifactKind, Candidate, ChangeKind
from cortex.model.verdicts import Ruling
from cortex.presenting.formats import count, e_value, lift, tokens

NOT_MEASURED = "not measured"
STALE = "stale"
PRUNABLE = "prunable"
NOT_MEASURED_YET = "Not measured yet."
COLLEAGUE = "a colleague's verdict"


def state(status: ArtifactStatus) -> str:
    """Return the state of an artifact: `not measured`, `stale`, `prunable` or its ruling."""
    if status.known is None:
        return NOT_MEASURED
    if status.stale:
        return STALE
    ruling = status.known.ruling
    return PRUNABLE if ruling is Ruling.PRUNE else str(ruling)


def status_title(status: ArtifactStatus) -> str:
    """Return the line above an artifact: `prunable · +0.00 over 6 pairs`."""
    known = status.known
    if known is None:
        return f"{NOT_MEASURED} · {cost(status)}"
    if status.stale:
        return f"{STALE} · {known.ruling}, but {status.stale}"
    if known.ruling is Ruling.UNUSED:
        return f"{known.ruling} · never loaded in a trial"
    measured = f"{state(status)} · {lift(known.lift)} over {count(known.pairs, 'pair')}"
    return measured if known.accepted else f"{measured} · {COLLEAGUE}"


def status_detail(status: ArtifactStatus) -> str:
    """Return state and size for a list: `prunable · ~27 tokens`."""
    return f"{state(status)} · {tokens(status.tokens)}"


def cost(status: ArtifactStatus) -> str:
    """Return the size of an artifact and when it loads: `~27 tokens every turn`."""
    return f"{tokens(status.tokens)} {load_condition(status.artifact)}"


def load_condition(artifact: Artifact) -> str:
    """Return when an artifact loads."""
    if artifact.kind is ArtifactKind.SKILL:
        return "when the agent opens it"
    return f"with {', '.join(artifact.paths)}" if artifact.paths else "every turn"


def change_title(candidate: Candidate | None) -> str:
    """Return what a candidate does: `add use-clock`; a deleted candidate is unknown."""
    if candidate is None:
        return "(unknown text)"
    verb = "add" if candidate.change is ChangeKind.ADD else str(candidate.change)
    return f"{verb} {candidate.artifact.name}"


def entry_state(entry: InboxEntry) -> str:
    """Return the ruling about an inbox entry, or `not measured`."""
    return str(entry.latest_ruling) if entry.latest_ruling else NOT_MEASURED


def entry_title(entry: InboxEntry) -> str:
    """Return an inbox entry in a line: `add use-clock: keep`."""
    return f"{change_title(entry.candidate)}: {_state_and_source(entry)}"


def _state_and_source(entry: InboxEntry) -> str:
    return f"{entry_state(entry)}, {COLLEAGUE}" if entry.stated else entry_state(entry)


def entry_detail(entry: InboxEntry) -> str:
    """Return an inbox entry without its name: `add: keep · +1.00 over 4 pairs`."""
    verdict = entry.verdict
    detail = f"{entry.candidate.change}: {_state_and_source(entry)}"
    if verdict is None or not verdict.pairs:
        return detail
    return f"{detail} · {lift(verdict.lift)} over {count(verdict.pairs, 'pair')}"


def summary(entries: int, texts: int, prunable: int) -> str:
    """Return the state of a repository: `2 in the inbox · 3 texts · 1 prunable`."""
    parts = [f"{entries} in the inbox", count(texts, "text")]
    return " · ".join([*parts, f"{prunable} prunable"] if prunable else parts)


def running_detail(pairs: int, evidence: float) -> str:
    """Return the state of a running experiment: `running · 3 pairs · E⁺ 2.5`."""
    return f"running · {count(pairs, 'pair')} · E⁺ {e_value(evidence)}"
