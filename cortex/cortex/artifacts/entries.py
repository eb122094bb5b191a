"""Graveyard entries as records, and their JSON."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from cortex.artifacts import harness
from cortex.model.artifacts import Artifact, ArtifactKind

DEFAULT_MODE = 0o644
_MODES = 0o7777
_TEXTS = (
    "agent", "at", "description", "digest", "eol", "kind", "lead", "name", "path", "reason",
    "ruling",
)  # fmt: skip
_OPTIONAL = ("after", "heading", "link", "link_path")


@dataclass(frozen=True, slots=True)
class ArchivedFile:
    """Another file of a skill's folder."""

    path: str
    """Relative to the folder."""
    digest: str
    """Of its exact bytes."""
    mode: int = DEFAULT_MODE


@dataclass(frozen=True, slots=True)
class GraveyardEntry:
    """A buried or pruned artifact, with all that restoring it needs."""

    id: str
    path: str
    text: str
    """Exactly as it was."""
    kind: str = ArtifactKind.RULE
    name: str = ""
    digest: str = ""
    heading: str | None = None
    ruling: str = ""
    reason: str = ""
    at: str = ""
    """When it was archived, ISO 8601."""
    agent: str = "claude-code"
    description: str = ""
    paths: tuple[str, ...] = ()
    mode: int = DEFAULT_MODE
    """Permissions of the file."""
    files: tuple[ArchivedFile, ...] = ()
    """Of a skill: everything else in its folder."""
    after: str | None = None
    """Of a section: the heading before it, as in `edits.Place`; None when it was in no file."""
    lead: str = ""
    """Of a section: the blank lines in front of it."""
    repeated: bool = False
    """Of a section: another one has the same heading line."""
    eol: str = ""
    """Of a section: line endings of its file, `lf`, `crlf` or `mixed`."""
    link: str | None = None
    """Where the link leads through which the text was reached; None without a link."""
    link_path: str | None = None
    """That link, relative to the repository: the file, or a folder above it."""

    @property
    def artifact(self) -> Artifact:
        """The artifact that is archived."""
        if self.kind == ArtifactKind.SECTION:
            return harness.section(self.path, self.heading or "", self.text)
        return harness.from_text(self.path, self.text)


def to_json(entry: GraveyardEntry) -> bytes:
    """Return the content of `entry.json`; the text is in a file of its own."""
    values: dict[str, Any] = {
        field.name: getattr(entry, field.name)
        for field in fields(entry)
        if field.name not in ("text", "files")
    }
    values["files"] = [
        {"path": file.path, "digest": file.digest, "mode": file.mode} for file in entry.files
    ]
    text = json.dumps(values, ensure_ascii=False, indent=2, sort_keys=True) + "\n"
    return text.encode("utf-8", "backslashreplace")


def from_json(content: bytes, entry_id: str, text: str) -> GraveyardEntry | None:
    """Return the entry that a folder of this name holds; None for anything else."""
    try:
        values = json.loads(content)
    except (ValueError, RecursionError):
        return None
    if not isinstance(values, dict) or not isinstance(values.get("path"), str):
        return None
    given = {name: values[name] for name in (*_TEXTS, *_OPTIONAL) if values.get(name) is not None}
    if not all(isinstance(value, str) for value in given.values()):
        return None
    files = _files(values.get("files") or [])
    paths = values.get("paths") or []
    if files is None or not isinstance(paths, list):
        return None
    return GraveyardEntry(
        id=entry_id,
        text=text,
        mode=_mode(values.get("mode")),
        files=files,
        paths=tuple(str(path) for path in paths),
        repeated=values.get("repeated") is True,
        **given,
    )


def _files(values: object) -> tuple[ArchivedFile, ...] | None:
    if not isinstance(values, list):
        return None
    files = []
    for value in values:
        if not isinstance(value, Mapping) or not isinstance(value.get("path"), str):
            return None
        digest, mode = str(value.get("digest", "")), _mode(value.get("mode"))
        files.append(ArchivedFile(value["path"], digest, mode))
    return tuple(files)


def _mode(value: object) -> int:
    return value & _MODES if isinstance(value, int) and value > 0 else DEFAULT_MODE
