"""The status of each artifact: the verdict that every surface shows.

A verdict comes from the user's store, with its evidence, or from the ledger that a team shares.
The newer verdict counts, but a colleague's that was not accepted never overrides one about the
same text from the store. It is stale when the text was edited since.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from cortex.artifacts import decisions, disk, harness, ledger
from cortex.artifacts.ledger import LedgerEntry
from cortex.commands.changes import RESTORED
from cortex.commands.colleagues import decisions_of
from cortex.commands.context import Context
from cortex.model.artifacts import Artifact, CandidateStatus
from cortex.model.verdicts import Diagnosis, Ruling, Verdict

CHARACTERS_PER_TOKEN = 4
"""Of English prose; only for the estimate of what a text costs each turn."""


@dataclass(frozen=True, slots=True)
class KnownVerdict:
    """The newest verdict about a place of the harness."""

    digest: str
    """Of the text that was measured."""
    ruling: Ruling
    diagnosis: Diagnosis
    reason: str
    pairs: int
    lift: float
    e_value: float
    model: str | None
    at: str
    verdict: Verdict | None = None
    """With the tasks behind it; None when only the shared ledger knows it."""
    candidate_id: str | None = None
    accepted: bool = True
    """False: stated in the ledger by somebody else, and not accepted here."""


@dataclass(frozen=True, slots=True)
class ArtifactStatus:
    """An artifact with its newest verdict."""

    artifact: Artifact
    known: KnownVerdict | None
    """None: never measured."""
    stale: str
    """Why the verdict no longer applies; empty while it does."""

    @property
    def ruling(self) -> Ruling | None:
        """The verdict that holds; None for text never measured or changed since."""
        return self.known.ruling if self.known is not None and not self.stale else None

    @property
    def tokens(self) -> int:
        """Estimated size of the text."""
        return -(-len(self.artifact.text) // CHARACTERS_PER_TOKEN)


def known_verdicts(context: Context) -> dict[str, KnownVerdict]:
    """Return the newest verdict of each artifact of the repository, by its key."""
    newest = _from_ledger(context)
    candidates = {
        candidate.id: candidate for candidate in context.store.candidates.all(str(context.root))
    }
    overruled = context.store.candidates.decided_as(RESTORED)
    for verdict in context.store.verdicts.all(str(context.root)):
        candidate = candidates.get(verdict.candidate_id)
        gone = candidate is None or candidate.status is CandidateStatus.PURGED
        if candidate is None or gone or candidate.id in overruled:
            continue
        older = newest.get(candidate.artifact.key)
        if older is None or _yields(older, candidate.artifact, verdict):
            newest[candidate.artifact.key] = _from_store(candidate.artifact, verdict)
    return newest


def artifact_status(
    artifact: Artifact, known: Mapping[str, KnownVerdict], model: str | None = None
) -> ArtifactStatus:
    """Return the status of an artifact; `model` is the model configured now."""
    verdict = known.get(artifact.key)
    return ArtifactStatus(artifact, verdict, _stale(artifact, verdict, model))


def artifact_statuses(
    context: Context, known: Mapping[str, KnownVerdict] | None = None
) -> tuple[ArtifactStatus, ...]:
    """Return the status of every artifact of the repository, as it is on disk."""
    known = known_verdicts(context) if known is None else known
    model = context.config.agent.model
    artifacts = harness.parse(disk.read_files(context.root))
    return tuple(artifact_status(artifact, known, model) for artifact in artifacts)


def _stale(artifact: Artifact, known: KnownVerdict | None, model: str | None) -> str:
    if known is None:
        return ""
    if known.digest != artifact.digest:
        return "the text has changed since"
    if model is not None and known.model is not None and model != known.model:
        return f"it was measured with {known.model}"
    return ""


def _from_store(artifact: Artifact, verdict: Verdict) -> KnownVerdict:
    return KnownVerdict(
        digest=artifact.digest,
        ruling=verdict.ruling,
        diagnosis=verdict.diagnosis,
        reason=verdict.reason,
        pairs=verdict.pairs,
        lift=verdict.lift,
        e_value=verdict.e_value,
        model=verdict.lock.model if verdict.lock else None,
        at=verdict.created_at,
        verdict=verdict,
        candidate_id=verdict.candidate_id,
    )


def _yields(older: KnownVerdict, artifact: Artifact, verdict: Verdict) -> bool:
    """Whether what the ledger says gives way to a verdict of the store."""
    same_text = older.digest == artifact.digest
    return older.at <= verdict.created_at or (same_text and not older.accepted)


def _from_ledger(context: Context) -> dict[str, KnownVerdict]:
    """Return the verdicts of the ledger that were not dismissed, by the key of their artifact."""
    entries = ledger.read(context.root)
    decided = decisions_of(context) if entries else {}
    trusts = context.config.hook.trust == "repository"
    known = {}
    for entry in entries:
        decision = decided.get(decisions.key_of(entry))
        if decision is None or decision.accepted:
            accepted = trusts if decision is None else decision.accepts(entry)
            verdict = _stated(entry, accepted)
            if verdict is not None:
                key = entry.path if entry.heading is None else f"{entry.path}#{entry.heading}"
                known[key] = verdict
    return known


def _stated(entry: LedgerEntry, accepted: bool) -> KnownVerdict | None:
    try:
        ruling, diagnosis = Ruling(entry.verdict), Diagnosis(entry.diagnosis)
    except ValueError:
        return None
    return KnownVerdict(
        digest=entry.digest,
        ruling=ruling,
        diagnosis=diagnosis,
        reason=entry.reason,
        pairs=entry.pairs,
        lift=entry.lift,
        e_value=entry.e_value,
        model=entry.model,
        at=entry.date,
        accepted=accepted,
    )
