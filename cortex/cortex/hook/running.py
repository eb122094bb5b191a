"""One commit: prunable text goes into the graveyard, unused text is reported."""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cortex.artifacts import disk, edits, graveyard, harness, ledger
from cortex.digests import digest_text
from cortex.hook.gitstate import Commit, commit_in
from cortex.model.artifacts import Artifact, ArtifactKind
from cortex.timestamps import now

UNUSED = ("report", "archive", "ignore")
SKIP = "CORTEX_SKIP"

NAMED = 3
"""Unused texts that are named in the report."""

FRAMEWORK = "PRE_COMMIT"
"""Set by the pre-commit framework, which has put unstaged changes aside meanwhile and takes a
hook's work back when it conflicts with them: only the disk is changed then, never the index."""


@dataclass(frozen=True, slots=True)
class Found:
    """Text on the disk about which the ledger has a verdict that still holds."""

    artifact: Artifact
    verdict: str
    reason: str


def main(arguments: Sequence[str]) -> int:
    """Return 0: a commit is never stopped; 1 with `--changes-fail` when text was taken out."""
    if os.environ.get(SKIP) == "1":
        return 0
    commit = commit_in(Path.cwd())
    if commit.replays:
        return 0
    removed = run(commit)
    return 1 if removed and "--changes-fail" in arguments else 0


def run(commit: Commit) -> list[Artifact]:
    """Take out what is prunable; return what was."""
    unused = _unused_setting(commit.root)
    doomed, idle = [], []
    for found in judged(commit.root):
        if found.verdict == "prune" or (found.verdict == "unused" and unused == "archive"):
            doomed.append(found)
        elif found.verdict == "unused" and unused == "report":
            idle.append(found.artifact.name)
    if idle:
        more = f" and {len(idle) - NAMED} more" if len(idle) > NAMED else ""
        say(f"never used in any trial: {', '.join(idle[:NAMED])}{more}")
    if not doomed:
        return []
    same = commit.as_staged(sorted({path for one in doomed for path in _files(commit.root, one)}))
    return [one.artifact for one in doomed if _take_out(commit, one, same)]


def judged(root: Path) -> Iterator[Found]:
    """Yield text with a verdict that is about exactly what lies on the disk."""
    for line in ledger.read(root):
        path, verdict = line["path"], str(line.get("verdict"))
        if verdict not in ("prune", "unused") or not harness.is_harness(path):
            continue
        file = root / path
        if file.is_file() and not file.is_symlink():
            artifact = _measured(path, disk.read_text(file), line)
            if artifact is not None:
                yield Found(artifact, verdict, str(line.get("reason", "")))


def _measured(path: str, text: str, line: Mapping[str, Any]) -> Artifact | None:
    """Return the artifact that a line is about; None when its text is another one by now.

    Frontmatter is left unread: reading it would take longer than everything else.
    """
    heading = line.get("heading")
    if heading is not None:
        for artifact in harness.parse({path: text}) if path in harness.INSTRUCTIONS else ():
            if (artifact.heading, artifact.digest) == (heading, line.get("digest")):
                return artifact
        return None
    if digest_text(text) != line.get("digest"):
        return None
    kind = ArtifactKind.SKILL if harness.is_skill(path) else ArtifactKind.RULE
    return Artifact("claude-code", kind, path, text, digest_text(text))


def _files(root: Path, found: Found) -> list[str]:
    artifact = found.artifact
    if artifact.kind is not ArtifactKind.SKILL:
        return [artifact.path]
    folder = (root / artifact.path).parent
    return [path.relative_to(root).as_posix() for path in folder.rglob("*") if path.is_file()]


def _take_out(commit: Commit, found: Found, same: set[str]) -> bool:
    files, artifact = _files(commit.root, found), found.artifact
    if artifact.heading is None:
        artifact = harness.from_text(artifact.path, artifact.text)
    if not set(files) <= same:
        say(f"{artifact.name} is to be pruned, but has changes that are not staged; left alone")
        return False
    if commit.partial:
        say(f"{artifact.name} is to be pruned; a commit of single paths leaves it alone")
        return False
    before = disk.read_files(commit.root)
    after = edits.without_artifact(before, artifact)
    entry = graveyard.bury(commit.root, artifact, found.verdict, found.reason, now())
    disk.apply(commit.root, before, after)
    grave = (graveyard.path_in(commit.root) / entry).relative_to(commit.root).as_posix()
    said = f"took out {artifact.name} ({found.verdict}); `cortex restore {entry}` brings it back, "
    if FRAMEWORK in os.environ:
        say(f"{said}`git add -A -- {artifact.path} {grave}` and commit again, or SKIP=cortex-prune")
        return True
    commit.stage(files)
    commit.stage([grave])
    say(f"{said}{SKIP}=1 before git commit would have kept it")
    return True


def _unused_setting(root: Path) -> str:
    file = root / ".cortex" / "config.toml"
    if not file.exists():
        return "report"
    import tomllib

    try:
        settings: dict[str, Any] = tomllib.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        say(f".cortex/config.toml cannot be read ({error}); unused text is reported")
        return "report"
    hook = settings.get("hook")
    chosen = hook.get("unused", "report") if isinstance(hook, dict) else "report"
    if chosen in UNUSED:
        return str(chosen)
    say(f"[hook] unused = {chosen!r} is none of {', '.join(UNUSED)}; unused text is reported")
    return "report"


def say(message: str) -> None:
    """Print one line where git shows it."""
    sys.stderr.write(f"cortex: {message}\n")
