"""Verdicts that colleagues wrote into the ledger: proposals until this person accepts them."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from cortex.artifacts import decisions, disk, harness, ledger
from cortex.artifacts.decisions import Decision, Key
from cortex.artifacts.ledger import LedgerEntry
from cortex.commands.context import Context
from cortex.commands.queries import removal_id
from cortex.digests import short_id
from cortex.git import common_folder
from cortex.model.artifacts import Artifact, Candidate, CandidateStatus, ChangeKind
from cortex.model.verdicts import Diagnosis, Ruling, Verdict

PREFIX = "team"
"""Of the ids of these candidates, which are in no database."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A line of the ledger that says that text of the harness is to be pruned."""

    entry: LedgerEntry
    candidate: Candidate
    verdict: Verdict
    """What the line says; no trial in this database is behind it."""


def statements(context: Context, texts: Iterable[Artifact] | None = None) -> tuple[Statement, ...]:
    """Return what colleagues state about the present harness and nobody decided here.

    `texts` is the harness where it was read already. Text that was measured here is left out.
    """
    entries = [entry for entry in ledger.read(context.root) if entry.verdict == Ruling.PRUNE]
    if not entries or context.config.hook.trust == "repository":
        return ()
    if texts is None:
        texts = harness.parse(disk.read_files(context.root))
    present = {(text.path, text.heading, text.digest): text for text in texts}
    decided = decisions_of(context)
    undecided = (
        (entry, present[key])
        for entry in entries
        if (key := decisions.key_of(entry)) in present and key not in decided
    )
    return tuple(
        _statement(context, entry, artifact)
        for entry, artifact in undecided
        if context.store.verdicts.latest_ruling(removal_id(context, artifact)) is None
    )


def statement(context: Context, reference: str) -> Statement | None:
    """Return the statement with this id; None for everything else."""
    if not reference.startswith(f"{PREFIX}-") or context.repository is None:
        return None
    return next((item for item in statements(context) if item.candidate.id == reference), None)


def decisions_of(context: Context) -> dict[Key, Decision]:
    """Return what was decided about the texts of the repository."""
    return decisions.read(decisions_file(context))


def decisions_file(context: Context) -> Path:
    """Return where the decisions about the repository are kept."""
    return decisions.file_for(context.home, common_folder(context.root))


def decide(context: Context, entry: LedgerEntry, *, accepted: bool) -> None:
    """Let the git hook act on a line of the ledger, or not."""
    decisions.record(decisions_file(context), [decisions.about(entry, accepted=accepted)])


def withdraw(context: Context, entry: LedgerEntry) -> None:
    """Make a line of the ledger a proposal again."""
    decisions.forget(decisions_file(context), decisions.key_of(entry))


def accept_present(context: Context) -> tuple[Artifact, ...]:
    """Accept all that colleagues state now; return the texts that the hook will remove."""
    stated = statements(context)
    decisions.record(
        decisions_file(context),
        [decisions.about(item.entry, accepted=True) for item in stated],
    )
    return tuple(item.candidate.artifact for item in stated)


def _statement(context: Context, entry: LedgerEntry, artifact: Artifact) -> Statement:
    parts = (str(context.root), artifact.key, entry.digest, entry.verdict)
    candidate = Candidate(
        id=short_id(PREFIX, *parts),
        change=ChangeKind.REMOVE,
        artifact=artifact,
        title=f"remove {artifact.name}",
        writer="colleague",
        created_at=entry.date,
        status=CandidateStatus.PRUNED,
    )
    verdict = Verdict(
        id=entry.verdict_id,
        candidate_id=candidate.id,
        experiment_id="",
        ruling=Ruling.PRUNE,
        reason=entry.reason,
        pairs=entry.pairs,
        lift=entry.lift,
        e_value=entry.e_value,
        harm_e_value=0.0,
        futility_e_value=0.0,
        loaded=0,
        tasks=(),
        created_at=entry.date,
        diagnosis=_diagnosis(entry),
    )
    return Statement(entry, candidate, verdict)


def _diagnosis(entry: LedgerEntry) -> Diagnosis:
    try:
        return Diagnosis(entry.diagnosis)
    except ValueError:
        return Diagnosis.NONE
