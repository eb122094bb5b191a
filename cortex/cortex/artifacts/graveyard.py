"""`.cortex/graveyard/`: what was buried or pruned, with the reason, restorable byte for byte.

Each entry is a folder `<name>-<digest>` with `text.md` (the exact text), `entry.json` (where it
came from and why it was removed) and, for a skill, `files/` with everything else of its folder.
"""

import os
import re
import shutil
from dataclasses import replace
from pathlib import Path

from cortex.artifacts import atomic, disk, edits, shared
from cortex.artifacts import entries as records
from cortex.artifacts.entries import ArchivedFile, GraveyardEntry
from cortex.digests import digest_exact, with_lf
from cortex.errors import UsageError
from cortex.liveness import lives
from cortex.model.artifacts import Artifact, ArtifactKind
from cortex.model.verdicts import Ruling

_STAGED = re.compile(r"\..+\.([1-9]\d{0,9})\.[0-9a-f]{8}")
"""An entry that is being written: `.<id>.<process>.<random>`."""


def path_in(root: Path) -> Path:
    """Return where the graveyard of the repository at `root` is."""
    return root / shared.FOLDER / "graveyard"


def bury(root: Path, artifact: Artifact, ruling: Ruling | str, reason: str, at: str) -> str:
    """Archive an artifact and return the entry's id; call it before the text is removed.

    For text that is on the disk its place, its mode and the other files of a skill are kept too.
    The same artifact with the same text is archived once. Raises UsageError when the folder
    cannot be written, and for text to be pruned that was edited since it was tested.
    """
    if ruling == Ruling.PRUNE:
        edits.check_unchanged(disk.read_files(root), artifact)
    archived = GraveyardEntry(
        id="",
        path=artifact.path,
        text=_text_on_disk(root, artifact),
        kind=str(artifact.kind),
        name=artifact.name,
        digest=artifact.digest,
        heading=artifact.heading,
        ruling=str(ruling),
        reason=reason,
        at=at,
        agent=artifact.agent,
        description=artifact.description,
        paths=artifact.paths,
    )
    archived = _with_surroundings(root, archived)
    archived = replace(archived, id=_free_id(root, archived))
    folder = path_in(root) / archived.id
    shared.prepare(root, folder)
    if folder.exists():
        atomic.write(folder / "entry.json", records.to_json(archived))
    else:
        _write_entry(root, folder, archived)
    return archived.id


def entries(root: Path) -> tuple[GraveyardEntry, ...]:
    """Return all entries, oldest first; folders that are no entry are skipped."""
    archived = []
    for file in sorted(path_in(root).glob("*/entry.json")):
        try:
            text = disk.read_text(file.with_name("text.md"))
            entry = records.from_json(file.read_bytes(), file.parent.name, text)
        except (OSError, UsageError):
            continue
        if entry is not None:
            archived.append(entry)
    return tuple(sorted(archived, key=lambda entry: (entry.at, entry.id)))


def restore(root: Path, entry_id: str) -> Artifact:
    """Put an entry back where it was, byte for byte, and take it out of the graveyard.

    Raises UsageError for an unknown id, for text that no longer has its digest, and when something
    else has taken the place.
    """
    entry = {entry.id: entry for entry in entries(root)}.get(entry_id)
    if entry is None:
        raise UsageError(f"{entry_id}: not in the graveyard; `cortex restore` lists its entries")
    artifact = entry.artifact
    folder = path_in(root) / entry_id
    if artifact.digest != entry.digest:
        raise UsageError(f"{folder / 'text.md'}: was changed; its digest is not the archived one")
    if not _restored_link(root, entry):
        before = disk.read_files(root)
        after, modes = _restored(folder, entry, before)
        disk.apply(root, before, after)
        for path, mode in modes.items():
            (root / path).chmod(mode)
    shutil.rmtree(folder)
    _remove_leftovers(path_in(root))
    return artifact


def discard(root: Path, entry_id: str) -> None:
    """Remove an entry whose text is still in the harness: its removal was undone."""
    shutil.rmtree(path_in(root) / entry_id, ignore_errors=True)


def _text_on_disk(root: Path, artifact: Artifact) -> str:
    """Return the artifact's text with the line endings that it has in this checkout."""
    path = root / artifact.path
    if not path.is_file() or not shared.real(path).is_relative_to(shared.real(root)):
        return artifact.text
    text = disk.read_text(path)
    if artifact.kind is ArtifactKind.SECTION:
        text = edits.section_text(text, artifact.heading or "") or artifact.text
    return text if with_lf(text) == with_lf(artifact.text) else artifact.text


def _restored_link(root: Path, entry: GraveyardEntry) -> bool:
    """Make the link again through which the text was reached, when its target still has it."""
    if entry.link is None or entry.link_path is None or entry.kind == ArtifactKind.SECTION:
        return False
    link = disk.inside(root, entry.link_path)
    if link is None or os.path.lexists(link):
        return False
    target = Path(os.path.normpath(shared.real(link.parent) / entry.link))
    text_file = target / "SKILL.md" if entry.kind == ArtifactKind.SKILL else target
    if entry.link_path == entry.path:
        text_file = target
    if not shared.real(text_file).is_relative_to(shared.real(root)) or not text_file.is_file():
        return False
    if disk.read_text(text_file) != entry.text:
        return False
    try:
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(entry.link)
    except OSError as error:
        raise atomic.refusal(link, error) from None
    return True


def _restored(
    folder: Path, entry: GraveyardEntry, before: dict[str, str]
) -> tuple[dict[str, str], dict[str, int]]:
    """Return the harness files with the entry in them, and the modes of the files it brings."""
    if entry.kind == ArtifactKind.SECTION:
        return _restored_section(entry, before), {}
    files = {entry.path: entry.text}
    modes = {entry.path: entry.mode}
    for extra in entry.files:
        path = entry.path.removesuffix("SKILL.md") + extra.path
        files[path] = disk.read_text(folder / "files" / extra.path)
        modes[path] = extra.mode
    _check_free(entry.path, before.get(entry.path), entry.text)
    for path, text in files.items():
        if path != entry.path and before.get(path, text) != text:
            raise UsageError(f"{path}: already exists; move it away, then restore again")
    return {**files, **before}, modes


def _restored_section(entry: GraveyardEntry, before: dict[str, str]) -> dict[str, str]:
    text = edits.section_text(before.get(entry.path, ""), entry.heading or "")
    if not entry.repeated:
        _check_free(entry.path, text, entry.text)
        if text is not None:
            return before
    return edits.with_artifact(
        before,
        entry.artifact,
        after=entry.after,
        lead=entry.lead,
        converted=entry.eol in ("lf", "crlf"),
    )


def _check_free(path: str, text: str | None, archived: str) -> None:
    if text is not None and with_lf(text) != with_lf(archived):
        raise UsageError(f"{path}: already has other text; move it away, then restore again")


def _with_surroundings(root: Path, entry: GraveyardEntry) -> GraveyardEntry:
    """Return the entry with what is needed to put it back exactly as it is on the disk now."""
    path = root / entry.path
    if not path.is_file():
        return entry
    if entry.kind == ArtifactKind.SECTION:
        text = disk.read_text(path)
        place = edits.place_of(text, entry.heading or "")
        if place is None:
            return entry
        return replace(
            entry,
            after=place.after,
            lead=place.lead,
            repeated=place.repeated,
            eol=edits.line_endings(text),
        )
    link = disk.first_link(root, entry.path)
    if link is not None:
        entry = replace(
            entry, link=str(link.readlink()), link_path=link.relative_to(root).as_posix()
        )
    files = _extras(root, entry) if entry.kind == ArtifactKind.SKILL else ()
    return replace(entry, mode=path.stat().st_mode & 0o7777, files=files)


def _extras(root: Path, entry: GraveyardEntry) -> tuple[ArchivedFile, ...]:
    folder = entry.path.removesuffix("SKILL.md")
    files = disk.read_files(root)
    return tuple(
        ArchivedFile(
            path.removeprefix(folder), digest_exact(text), (root / path).stat().st_mode & 0o7777
        )
        for path, text in files.items()
        if path.startswith(folder) and path != entry.path
    )


def _write_entry(root: Path, folder: Path, entry: GraveyardEntry) -> None:
    """Write the whole folder beside its place, then rename it: no half entry is ever seen."""
    _remove_leftovers(folder.parent)
    staged = folder.with_name(f".{folder.name}.{os.getpid()}.{os.urandom(4).hex()}")
    try:
        atomic.write(staged / "text.md", disk.encode(entry.text))
        for extra in entry.files:
            source = root / entry.path.removesuffix("SKILL.md") / extra.path
            atomic.write(staged / "files" / extra.path, source.read_bytes())
        atomic.write(staged / "entry.json", records.to_json(entry))
        staged.rename(folder)
    except OSError as error:
        raise atomic.refusal(folder, error) from None
    finally:
        shutil.rmtree(staged, ignore_errors=True)
    atomic.sync_folder(folder.parent)


def _remove_leftovers(graves: Path) -> None:
    """Remove what processes that were killed had begun to write; their text is still elsewhere."""
    for staged in graves.glob(".*"):
        match = _STAGED.fullmatch(staged.name)
        if match and not staged.is_symlink() and not lives(int(match[1])):
            shutil.rmtree(staged, ignore_errors=True)


def _free_id(root: Path, archived: GraveyardEntry) -> str:
    """Return `<name>-<digest>`, numbered when something else is archived under that name."""
    slug = re.sub(r"[^a-z0-9]+", "-", archived.name.lower()).strip("-")[:60] or "text"
    base = f"{slug}-{archived.digest[:8]}"
    taken = {entry.id: entry for entry in entries(root)}
    name, number = base, 1
    while name in taken and not _same(taken[name], archived):
        number += 1
        name = f"{base}-{number}"
    return name


def _same(entry: GraveyardEntry, archived: GraveyardEntry) -> bool:
    return all(
        getattr(entry, name) == getattr(archived, name)
        for name in ("path", "heading", "digest", "text", "files")
    )
