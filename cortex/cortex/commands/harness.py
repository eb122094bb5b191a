"""Changing the harness: accept, bury, prune, restore. Previous text is always kept."""

from cortex.artifacts import disk, edits, graveyard, harness, ledger
from cortex.commands.queries import candidate as find_candidate
from cortex.commands.workbench import Workbench, now
from cortex.errors import UsageError
from cortex.model.artifacts import Artifact, Candidate, ChangeKind
from cortex.model.verdicts import Ruling, Verdict


def settle(bench: Workbench, candidate: Candidate, verdict: Verdict) -> str:
    """Do what the verdict says; return one sentence of what was done.

    Keep adds the text, bury and prune put it into the graveyard, the other rulings change no
    text. Raises UsageError when a file was edited meanwhile or cannot be written; then nothing
    was changed.
    """
    if verdict.ruling is Ruling.KEEP:
        _write(bench, candidate.artifact, verdict, added=True)
        done = f"added {candidate.artifact.path}"
    elif verdict.ruling is Ruling.PRUNE:
        entry = _archive(bench, candidate.artifact, verdict)
        _write(bench, candidate.artifact, verdict, added=False)
        done = f"removed {candidate.artifact.name}; `cortex restore {entry}` brings it back"
    elif verdict.ruling is Ruling.BURY:
        entry = _archive(bench, candidate.artifact, verdict)
        done = f"buried as {entry}"
    else:
        done = "changed nothing"
    _record(bench, candidate, verdict)
    return done


def accept(bench: Workbench, candidate_id: str) -> str:
    """Carry out the newest verdict of a candidate; UsageError when it changes no text."""
    candidate = find_candidate(bench, candidate_id)
    verdict = bench.store.verdicts.latest(candidate_id)
    if verdict is None:
        raise UsageError(f"{candidate_id}: has no verdict yet; run `cortex gate {candidate_id}`")
    if verdict.ruling not in (Ruling.KEEP, Ruling.PRUNE, Ruling.BURY):
        raise UsageError(f"{candidate_id}: its verdict is {verdict.ruling}: there is nothing to do")
    return settle(bench, candidate, verdict)


def restore(bench: Workbench, entry_id: str) -> Artifact:
    """Bring text back from the graveyard, byte for byte. Raises UsageError for an unknown id."""
    before = disk.read_files(bench.root)
    artifact = graveyard.restore(bench.root, entry_id)
    _remember(bench, before, disk.read_files(bench.root), f"restore {entry_id}")
    ledger.forget(bench.root, artifact.path, artifact.heading)
    return artifact


def _archive(bench: Workbench, artifact: Artifact, verdict: Verdict) -> str:
    return graveyard.bury(
        bench.root, artifact, verdict.ruling, verdict.reason, verdict.created_at or now()
    )


def _write(bench: Workbench, artifact: Artifact, verdict: Verdict, *, added: bool) -> None:
    before = disk.read_files(bench.root)
    here = {one.key: one.text for one in harness.parse(before)}
    if added and here.get(artifact.key, artifact.text) != artifact.text:
        raise UsageError(f"{artifact.key}: exists by now with other text; move it away first")
    change = edits.with_artifact if added else edits.without_artifact
    after = change(before, artifact)
    _remember(bench, before, after, f"{verdict.ruling} {verdict.id}")
    disk.apply(bench.root, before, after)


def _remember(bench: Workbench, before: dict[str, str], after: dict[str, str], why: str) -> None:
    for path in sorted({*before, *after}):
        if before.get(path) != after.get(path):
            bench.store.harness.save_previous(str(bench.root), path, before.get(path), now(), why)


def _record(bench: Workbench, candidate: Candidate, verdict: Verdict) -> None:
    artifact = candidate.artifact
    if candidate.change is ChangeKind.ADD and verdict.ruling is Ruling.UNDECIDED:
        return
    ledger.record(
        bench.root,
        {
            "path": artifact.path,
            "heading": artifact.heading,
            "digest": artifact.digest,
            "verdict": str(verdict.ruling),
            "reason": verdict.reason,
            "pairs": verdict.pairs,
            "lift": round(verdict.lift, 4),
            "e_value": round(min(verdict.e_value, 1e12), 4),
            "model": verdict.lock.get("model"),
            "agent": verdict.lock.get("agent"),
            "agent_version": verdict.lock.get("agent_version"),
            "date": verdict.created_at,
            "verdict_id": verdict.id,
        },
    )
