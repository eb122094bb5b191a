"""Changing the harness: accept, bury, prune, restore. Previous text is always kept."""

from dataclasses import dataclass

from cortex.artifacts import decisions, disk, edits, graveyard, harness, ledger
from cortex.artifacts.ledger import LedgerEntry
from cortex.artifacts.readers import AGENTS_FILE, CLAUDE_FILES, falls_back_to_agents_file
from cortex.commands import colleagues
from cortex.commands.colleagues import Statement
from cortex.commands.context import Context
from cortex.commands.locks import changes_harness
from cortex.commands.queries import candidate as find_candidate
from cortex.digests import digest_text
from cortex.errors import UsageError
from cortex.model.artifacts import Artifact, Candidate, CandidateStatus, ChangeKind
from cortex.model.verdicts import Ruling, Verdict
from cortex.timestamps import now

CHANGING = frozenset({Ruling.KEEP, Ruling.PRUNE, Ruling.BURY})
"""Rulings that `accept` applies; the others change no text."""


@dataclass(frozen=True, slots=True)
class AppliedChange:
    """A change that was made for a candidate, with what undoing it needs."""

    message: str
    """One sentence for a person."""
    candidate_id: str
    status: CandidateStatus
    """Of the candidate before."""
    added: Artifact | None = None
    """Text that was put into the harness."""
    grave: str | None = None
    """Entry of the graveyard that was taken out of the harness."""
    stated: LedgerEntry | None = None
    """Line of a colleague that was accepted or dismissed."""


@changes_harness
def apply_verdict(context: Context, candidate: Candidate, verdict: Verdict) -> AppliedChange:
    """Do what the verdict says.

    Keep adds the text, bury and prune put it into the graveyard, the other rulings change no
    text. Raises UsageError when a file was changed on disk or cannot be written; then nothing
    was changed.
    """
    artifact, added, grave = candidate.artifact, None, None
    ledger.check(context.root)
    if verdict.ruling is Ruling.KEEP:
        _write(context, artifact, verdict, added=True)
        added, message = artifact, f"added {artifact.path}"
    elif verdict.ruling is Ruling.PRUNE:
        grave = _archive(context, artifact, verdict)
        _write(context, artifact, verdict, added=False)
        message = _removed(context, artifact, grave)
    elif verdict.ruling is Ruling.BURY:
        message = f"buried as {_archive(context, artifact, verdict)}"
    else:
        message = "changed nothing"
    record(context, candidate, verdict)
    if verdict.ruling in CHANGING:
        context.store.candidates.record_decision(candidate.id, message, now())
    return AppliedChange(message, candidate.id, candidate.status, added, grave)


@changes_harness
def accept(context: Context, candidate_id: str) -> AppliedChange:
    """Apply the newest verdict of a candidate, or what a colleague states.

    Raises UsageError when it changes no text.
    """
    stated = colleagues.statement(context, candidate_id)
    if stated is not None:
        return _remove_stated(context, stated.entry, stated.candidate.artifact)
    candidate = find_candidate(context, candidate_id)
    verdict = context.store.verdicts.latest(candidate_id)
    if verdict is None:
        raise UsageError(f"{candidate_id}: has no verdict yet; run `cortex gate {candidate_id}`")
    if verdict.ruling not in CHANGING:
        raise UsageError(f"{candidate_id}: its verdict is {verdict.ruling}, which changes no text")
    return apply_verdict(context, candidate, verdict)


@changes_harness
def bury(context: Context, candidate_id: str, reason: str = "buried by hand") -> AppliedChange:
    """Bury a candidate whatever its verdict is; the harness is not changed.

    An addition goes into the graveyard, so that it is not proposed again; of a removal only the
    verdict is dismissed, as of a removal that a colleague states.
    """
    stated = colleagues.statement(context, candidate_id)
    if stated is not None:
        return _dismiss_statement(context, stated)
    candidate = find_candidate(context, candidate_id)
    message = f"left {candidate.artifact.name} as it is"
    if candidate.change is ChangeKind.ADD:
        grave = graveyard.bury(context.root, candidate.artifact, Ruling.BURY, reason, now())
        message = f"buried {candidate.artifact.name} as {grave}"
    with context.store.transaction():
        context.store.candidates.record_decision(candidate.id, message, now())
        if candidate.change is ChangeKind.ADD:
            context.store.candidates.set_status(candidate.id, CandidateStatus.BURIED)
    return AppliedChange(message, candidate.id, candidate.status)


@changes_harness
def prune(context: Context, name: str) -> AppliedChange:
    """Remove text whose verdict is prune and still applies to it.

    `name` is the artifact's name, path or key. Raises UsageError when there is no such verdict.
    """
    present = [
        artifact
        for artifact in harness.parse(disk.read_files(context.root))
        if name in (artifact.name, artifact.path, artifact.key)
    ]
    for candidate in reversed(
        context.store.candidates.all(str(context.root), CandidateStatus.PRUNED)
    ):
        if any((artifact.key, artifact.digest) == _place(candidate) for artifact in present):
            return accept(context, candidate.id)
    for entry in ledger.read(context.root) if present else ():
        for artifact in present:
            key = (artifact.path, artifact.heading, artifact.digest)
            if entry.verdict == Ruling.PRUNE and decisions.key_of(entry) == key:
                return _remove_stated(context, entry, artifact)
    problem = "has no prune verdict" if present else "is not in the harness"
    raise UsageError(f"{name}: {problem}; run `cortex prune {name}`")


@changes_harness
def undo(context: Context, change: AppliedChange) -> str:
    """Undo a change; return a sentence. Raises UsageError when the text was changed since."""
    if change.grave is not None:
        restore(context, change.grave)
        verdict = context.store.verdicts.latest(change.candidate_id)
        if verdict is not None:
            record(context, find_candidate(context, change.candidate_id), verdict)
    if change.added is not None:
        before = disk.read_files(context.root)
        after = _without_addition(context, before, change.added)
        _remember(context, before, after, f"undo {change.candidate_id}")
        disk.apply(context.root, before, after)
        ledger.forget(context.root, change.added.path, change.added.heading)
    if change.stated is not None:
        ledger.record(context.root, change.stated)
        colleagues.withdraw(context, change.stated)
        return f"undone: {change.message.split(';')[0]}"
    with context.store.transaction():
        context.store.candidates.set_status(change.candidate_id, change.status)
        context.store.candidates.clear_decision(change.candidate_id)
    return f"undone: {change.message.split(';')[0]}"


RESTORED = "restored by hand"
"""Decision about a prune that was undone: its verdict is no longer shown."""


def _without_addition(
    context: Context, files: dict[str, str], artifact: Artifact
) -> dict[str, str]:
    """Return the files as they were before the artifact came, byte for byte where nothing else
    happened to its file since."""
    history = context.store.file_history.history(str(context.root), artifact.path)
    if history:
        older = {path: text for path, text in files.items() if path != artifact.path}
        if history[-1].text is not None:
            older[artifact.path] = history[-1].text
        if edits.with_artifact(older, artifact) == files:
            return older
    return edits.without_artifact(files, artifact)


def _place(candidate: Candidate) -> tuple[str, str]:
    return candidate.artifact.key, candidate.artifact.digest


@changes_harness
def restore(context: Context, entry_id: str) -> Artifact:
    """Restore text from the graveyard, byte for byte. Raises UsageError for an unknown id."""
    before = disk.read_files(context.root)
    artifact = graveyard.restore(context.root, entry_id)
    _remember(context, before, disk.read_files(context.root), f"restore {entry_id}")
    ledger.forget(context.root, artifact.path, artifact.heading)
    dismissed = LedgerEntry(artifact.path, artifact.digest, str(Ruling.PRUNE), artifact.heading)
    colleagues.decide(context, dismissed, accepted=False)
    for candidate in context.store.candidates.all(str(context.root), CandidateStatus.PRUNED):
        if _place(candidate) == (artifact.key, artifact.digest):
            context.store.candidates.record_decision(candidate.id, RESTORED, now())
    return artifact


def _remove_stated(context: Context, entry: LedgerEntry, artifact: Artifact) -> AppliedChange:
    """Remove text that the ledger says is to be pruned; the person has asked for it."""
    grave = graveyard.bury(context.root, artifact, Ruling.PRUNE, entry.reason, now())
    before = disk.read_files(context.root)
    after = edits.without_artifact(before, artifact)
    _remember(context, before, after, f"prune {entry.verdict_id or 'of a colleague'}")
    disk.apply(context.root, before, after)
    colleagues.decide(context, entry, accepted=True)
    message = _removed(context, artifact, grave)
    return AppliedChange(message, "", CandidateStatus.PRUNED, grave=grave, stated=entry)


def _removed(context: Context, artifact: Artifact, grave: str) -> str:
    """Return what happened, and what it switched on."""
    message = f"removed {artifact.name}; `cortex restore {grave}` restores it"
    files = disk.read_files(context.root)
    last = artifact.path in CLAUDE_FILES and falls_back_to_agents_file(files)
    if last and AGENTS_FILE in files:
        message += f"; without a {CLAUDE_FILES[0]}, Claude Code reads {AGENTS_FILE} from now on"
    return message


def _dismiss_statement(context: Context, stated: Statement) -> AppliedChange:
    colleagues.decide(context, stated.entry, accepted=False)
    message = f"left {stated.candidate.artifact.name} as it is"
    return AppliedChange(message, stated.candidate.id, CandidateStatus.PRUNED, stated=stated.entry)


def _archive(context: Context, artifact: Artifact, verdict: Verdict) -> str:
    return graveyard.bury(
        context.root, artifact, verdict.ruling, verdict.reason, verdict.created_at or now()
    )


def _write(context: Context, artifact: Artifact, verdict: Verdict, *, added: bool) -> None:
    before = disk.read_files(context.root)
    texts = {artifact_here.key: artifact_here.text for artifact_here in harness.parse(before)}
    if added and digest_text(texts.get(artifact.key, artifact.text)) != digest_text(artifact.text):
        raise UsageError(f"{artifact.key}: already exists with other text; move it away first")
    change = edits.with_artifact if added else edits.without_artifact
    after = change(before, artifact)
    _remember(context, before, after, f"{verdict.ruling} {verdict.id}")
    disk.apply(context.root, before, after)


def _remember(context: Context, before: dict[str, str], after: dict[str, str], why: str) -> None:
    for path in sorted({*before, *after}):
        if before.get(path) != after.get(path):
            context.store.file_history.save_previous(
                str(context.root), path, before.get(path), now(), why
            )


def record(context: Context, candidate: Candidate, verdict: Verdict) -> None:
    """Record a verdict about text in the ledger that the team shares.

    Except for an undecided addition: its text is not in the harness.
    """
    artifact, lock = candidate.artifact, verdict.lock
    if candidate.change is ChangeKind.ADD and verdict.ruling is Ruling.UNDECIDED:
        return
    entry = LedgerEntry(
        path=artifact.path,
        heading=artifact.heading,
        digest=artifact.digest,
        verdict=str(verdict.ruling),
        reason=verdict.reason,
        diagnosis=str(verdict.diagnosis),
        pairs=verdict.pairs,
        lift=round(verdict.lift, 4),
        e_value=round(min(verdict.e_value, 1e12), 4),
        model=lock.model if lock else None,
        agent=lock.agent if lock else None,
        agent_version=lock.agent_version if lock else None,
        date=verdict.created_at,
        verdict_id=verdict.id,
    )
    ledger.record(context.root, entry)
    colleagues.decide(context, entry, accepted=True)
