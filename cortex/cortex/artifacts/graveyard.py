"""`.cortex/graveyard/`: what was buried or pruned, with the reason, restorable byte for byte.

Each entry is a folder `<name>-<digest>` with `text.md` (the exact text), `entry.json` (where it
came from and why it went) and, for a skill, `files/` with everything else of its folder.
"""

import json
import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cortex.artifacts import atomic, disk, edits, harness
from cortex.digests import digest_text
from cortex.errors import UsageError
from cortex.model.artifacts import Artifact, ArtifactKind
from cortex.model.verdicts import Ruling

DEFAULT_MODE = 0o644


def path_in(root: Path) -> Path:
    """Return where the graveyard of the repository at `root` lies."""
    return root / ".cortex" / "graveyard"


def bury(root: Path, artifact: Artifact, ruling: Ruling | str, reason: str, at: str) -> str:
    """Archive an artifact and return the entry's id; call it before the text is removed.

    For text that is on the disk its place, its mode and the other files of a skill are kept too.
    The same artifact with the same text is archived once. Raises UsageError when the folder
    cannot be written, and for text to be pruned that was edited since it was tested.
    """
    if ruling == Ruling.PRUNE:
        edits.check_unchanged(disk.read_files(root), artifact)
    around = _surroundings(root, artifact)
    entry = {
        "agent": artifact.agent,
        "at": at,
        "description": artifact.description,
        "digest": artifact.digest,
        "heading": artifact.heading,
        "id": _free_id(root, artifact, around.get("files")),
        "kind": str(artifact.kind),
        "name": artifact.name,
        "path": artifact.path,
        "paths": list(artifact.paths),
        "reason": reason,
        "ruling": str(ruling),
        **around,
    }
    folder = path_in(root) / str(entry["id"])
    if folder.exists():
        atomic.write(folder / "entry.json", _json(entry))
    else:
        _write_entry(root, folder, artifact, entry)
    return folder.name


def entries(root: Path) -> tuple[dict[str, Any], ...]:
    """Return all entries, oldest first, each with its exact text under `text`.

    Folders that are no entry are passed over.
    """
    found = []
    for file in sorted(path_in(root).glob("*/entry.json")):
        try:
            entry = json.loads(file.read_bytes())
            text = disk.read_text(file.with_name("text.md"))
        except (OSError, ValueError, UsageError):
            continue
        if isinstance(entry, dict) and isinstance(entry.get("path"), str):
            found.append({**entry, "id": file.parent.name, "text": text})
    return tuple(sorted(found, key=lambda entry: (str(entry.get("at", "")), entry["id"])))


def restore(root: Path, entry_id: str) -> Artifact:
    """Put an entry back where it was, byte for byte, and take it out of the graveyard.

    Raises UsageError for an unknown id, for text that no longer has its digest, and when something
    else has taken the place.
    """
    known = {entry["id"]: entry for entry in entries(root)}
    if entry_id not in known:
        raise UsageError(f"{entry_id}: is not in the graveyard; `cortex restore` lists what is")
    entry = known[entry_id]
    artifact = artifact_of(entry)
    folder = path_in(root) / entry_id
    if artifact.digest != entry.get("digest"):
        raise UsageError(f"{folder / 'text.md'}: was changed; its digest is not the archived one")
    before = disk.read_files(root)
    after, modes = _restored(folder, entry, artifact, before)
    disk.apply(root, before, after)
    for path, mode in modes.items():
        (root / path).chmod(mode)
    shutil.rmtree(folder)
    return artifact


def artifact_of(entry: Mapping[str, Any]) -> Artifact:
    """Return the artifact that an entry of `entries` holds."""
    if entry.get("kind") == ArtifactKind.SECTION:
        return harness.section(entry["path"], entry.get("heading") or "", entry["text"])
    return harness.from_text(entry["path"], entry["text"])


def _restored(
    folder: Path, entry: Mapping[str, Any], artifact: Artifact, before: dict[str, str]
) -> tuple[dict[str, str], dict[str, int]]:
    """Return the harness files with the entry in them, and the modes of the files it brings."""
    if artifact.kind is ArtifactKind.SECTION:
        return _restored_section(entry, artifact, before), {}
    files = {artifact.path: artifact.text}
    modes = {artifact.path: int(entry.get("mode") or DEFAULT_MODE)}
    for extra in entry.get("files") or ():
        path = artifact.path.removesuffix("SKILL.md") + extra["path"]
        files[path] = disk.read_text(folder / "files" / extra["path"])
        modes[path] = int(extra["mode"])
    for path, text in files.items():
        _check_free(path, before.get(path), text)
    return {**before, **files}, modes


def _restored_section(
    entry: Mapping[str, Any], artifact: Artifact, before: dict[str, str]
) -> dict[str, str]:
    here = {one.heading: one.text for one in harness.parse(before) if one.path == artifact.path}
    known = here.get(artifact.heading)
    if known == artifact.text and not entry.get("repeated"):
        return before
    if not entry.get("repeated"):
        _check_free(artifact.path, known, artifact.text)
    after, lead = entry.get("after"), entry.get("lead")
    return edits.with_artifact(before, artifact, after=after, lead=lead)


def _check_free(path: str, here: str | None, text: str) -> None:
    if here is not None and here != text:
        raise UsageError(f"{path}: holds other text by now; move it away, then restore again")


def _surroundings(root: Path, artifact: Artifact) -> dict[str, Any]:
    """Return what is needed besides the text to put it back exactly as it is on the disk now."""
    path = root / artifact.path
    if not path.is_file():
        return {}
    if artifact.kind is ArtifactKind.SECTION:
        place = edits.place_of(disk.read_text(path), artifact.heading or "")
        return place._asdict() if place else {}
    kept: dict[str, Any] = {"mode": path.stat().st_mode & 0o7777}
    if artifact.kind is ArtifactKind.SKILL:
        kept["files"] = [
            {
                "digest": digest_text(disk.read_text(extra)),
                "mode": extra.stat().st_mode & 0o7777,
                "path": extra.relative_to(path.parent).as_posix(),
            }
            for extra in _extras(root, artifact)
        ]
    return kept


def _extras(root: Path, artifact: Artifact) -> list[Path]:
    folder = artifact.path.removesuffix("SKILL.md")
    paths = (path for path in disk.read_files(root) if path.startswith(folder))
    return [root / path for path in paths if path != artifact.path]


def _write_entry(root: Path, folder: Path, artifact: Artifact, entry: Mapping[str, Any]) -> None:
    """Write the whole folder beside its place, then rename it: no half entry is ever seen."""
    staged = folder.with_name(f".{folder.name}.{os.urandom(4).hex()}")
    try:
        atomic.write(staged / "text.md", disk.encode(artifact.text))
        for extra in entry.get("files") or ():
            source = root / artifact.path.removesuffix("SKILL.md") / extra["path"]
            atomic.write(staged / "files" / extra["path"], source.read_bytes())
        atomic.write(staged / "entry.json", _json(entry))
        staged.rename(folder)
    except OSError as error:
        raise atomic.refusal(folder, error) from None
    finally:
        shutil.rmtree(staged, ignore_errors=True)
    atomic.sync_folder(folder.parent)


def _free_id(root: Path, artifact: Artifact, files: object) -> str:
    """Return `<name>-<digest>`, numbered when something else is archived under that name."""
    slug = re.sub(r"[^a-z0-9]+", "-", artifact.name.lower()).strip("-")[:60] or "text"
    base = f"{slug}-{artifact.digest[:8]}"
    taken = {entry["id"]: entry for entry in entries(root)}
    name, number = base, 1
    while name in taken and not _same(taken[name], artifact, files):
        number += 1
        name = f"{base}-{number}"
    return name


def _same(entry: Mapping[str, Any], artifact: Artifact, files: object) -> bool:
    here = (artifact.path, artifact.heading, artifact.digest, files)
    return (entry["path"], entry.get("heading"), entry.get("digest"), entry.get("files")) == here


def _json(entry: Mapping[str, Any]) -> bytes:
    text = json.dumps(entry, ensure_ascii=False, indent=2, sort_keys=True) + "\n"
    return text.encode("utf-8", "backslashreplace")
