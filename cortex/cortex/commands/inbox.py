"""The inbox: proposals to gate and verdicts to apply."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cortex.artifacts import disk, edits, graveyard, harness
from cortex.commands.colleagues import Statement, statements
from cortex.commands.context import Context
from cortex.errors import UsageError
from cortex.model.artifacts import Candidate, CandidateStatus, ChangeKind
from cortex.model.verdicts import Ruling, Verdict


@dataclass(frozen=True, slots=True)
class InboxEntry:
    """A candidate that needs a decision."""

    candidate: Candidate
    verdict: Verdict | None
    """None: not measured yet."""
    before: str | None
    """The file as it is; None when there is none."""
    after: str | None
    """The file with the change carried out; None when it is removed."""
    latest_ruling: Ruling | None = None
    """Of the newest verdict, also where `verdict` was not asked for."""
    stated: bool = False
    """By a colleague in the ledger; not measured here."""

    @property
    def id(self) -> str:
        """Of the candidate."""
        return self.candidate.id

    @property
    def ruling(self) -> Ruling | None:
        """What the gate said; None for a proposal that it has not finished with."""
        return None if self.latest_ruling is Ruling.UNDECIDED else self.latest_ruling


def inbox(context: Context, *, verdicts: bool = True) -> tuple[InboxEntry, ...]:
    """Return the pending entries of the repository, newest first, those of colleagues last.

    Without `verdicts` only the rulings are read, which is fast and enough for a list.
    """
    files = disk.read_files(context.root)
    artifacts = harness.parse(files)
    digests = {artifact.key: artifact.digest for artifact in artifacts}
    buried = {(grave.path, grave.digest) for grave in graveyard.entries(context.root)}
    entries = []
    for candidate in context.store.candidates.pending(str(context.root)):
        if not _is_over(candidate, digests, buried):
            entry = _entry(context, candidate, files, verdicts)
            if entry is not None:
                entries.append(entry)
    entries += [_stated(item, files) for item in statements(context, artifacts)]
    return tuple(entries)


def entry(context: Context, candidate_id: str) -> InboxEntry:
    """Return an entry of the inbox; UsageError when it is not pending."""
    for pending in inbox(context):
        if pending.id == candidate_id:
            return pending
    raise UsageError(f"{candidate_id}: not in the inbox; `cortex inbox` lists its entries")


def _is_over(
    candidate: Candidate, digests: Mapping[str, str], buried: set[tuple[Any, Any]]
) -> bool:
    """Whether the harness is already as the candidate wants it."""
    artifact = candidate.artifact
    if candidate.change is ChangeKind.REMOVE:
        return digests.get(artifact.key) != artifact.digest
    if candidate.status is CandidateStatus.BURIED:
        return (artifact.path, artifact.digest) in buried
    return digests.get(artifact.key) == artifact.digest


def _entry(
    context: Context, candidate: Candidate, files: dict[str, str], verdicts: bool
) -> InboxEntry | None:
    adds = candidate.change is ChangeKind.ADD
    change = edits.with_artifact if adds else edits.without_artifact
    try:
        after = change(files, candidate.artifact)
    except UsageError:
        return None
    path = candidate.artifact.path
    ruling = context.store.verdicts.latest_ruling(candidate.id)
    if not adds and ruling is None:
        return None
    verdict = context.store.verdicts.latest(candidate.id) if verdicts else None
    return InboxEntry(candidate, verdict, files.get(path), after.get(path), ruling)


def _stated(item: Statement, files: dict[str, str]) -> InboxEntry:
    path = item.candidate.artifact.path
    after = edits.without_artifact(files, item.candidate.artifact)
    return InboxEntry(
        item.candidate, item.verdict, files.get(path), after.get(path), Ruling.PRUNE, stated=True
    )
