"""Harness files with an artifact added or removed; every other byte is unchanged."""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from cortex.artifacts import sections
from cortex.digests import with_lf
from cortex.errors import UsageError
from cortex.model.artifacts import Artifact, ArtifactKind


def with_artifact(
    files: Mapping[str, str],
    artifact: Artifact,
    *,
    after: str | None = None,
    lead: str | None = None,
    converted: bool = False,
) -> dict[str, str]:
    """Return `files` with the artifact in them.

    A rule or skill is its file. A section replaces the one with its heading, else it goes to the
    end. With `after` it is put in anew behind the section of that heading (`""`: behind the
    preamble, or at the top when there is none), with the blank lines `lead` in front of it.
    A new section gets the line endings of its file, where those are all the same; with `after`
    only when `converted` is set.
    Raises UsageError when an open code fence would swallow the section.
    """
    changed = dict(files)
    if artifact.kind is not ArtifactKind.SECTION:
        changed[artifact.path] = artifact.text
        return changed
    text = files.get(artifact.path, "")
    document = sections.split(text)
    if converted or after is None:
        artifact = replace(artifact, text=_with_endings_of(text, artifact.text))
        lead = lead if lead is None else _with_endings_of(text, lead)
    changed[artifact.path] = _put(document, artifact, after, lead).render()
    if sections.split(changed[artifact.path]).index(artifact.heading or "") is None:
        raise UsageError(
            f"{artifact.path}: close its open code fence first: a section behind it is code"
        )
    return changed


def without_artifact(files: Mapping[str, str], artifact: Artifact) -> dict[str, str]:
    """Return `files` without the artifact: its section, its file, or the whole skill folder.

    Raises UsageError when other text is in its place: that was not what was tested.
    """
    check_unchanged(files, artifact)
    if artifact.kind is ArtifactKind.SKILL:
        folder = artifact.path.removesuffix("SKILL.md")
        return {path: text for path, text in files.items() if not path.startswith(folder)}
    changed = dict(files)
    if artifact.kind is ArtifactKind.RULE:
        changed.pop(artifact.path, None)
        return changed
    document = sections.split(files.get(artifact.path, ""))
    position = document.index(artifact.heading or "")
    if position is None:
        return changed
    pieces = document.pieces[:position] + document.pieces[position + 1 :]
    changed[artifact.path] = replace(document, pieces=pieces).render()
    if not changed[artifact.path]:
        del changed[artifact.path]
    return changed


def check_unchanged(files: Mapping[str, str], artifact: Artifact) -> None:
    """Raise UsageError when `files` hold other text than the artifact's in its place.

    Line endings do not count.
    """
    text = files.get(artifact.path)
    if text is not None and artifact.kind is ArtifactKind.SECTION:
        text = section_text(text, artifact.heading or "")
    if text is not None and with_lf(text) != with_lf(artifact.text):
        raise UsageError(f"{artifact.name} was edited since it was measured: measure it again")


def section_text(text: str, heading: str) -> str | None:
    """Return the section with this heading in the file `text`, None when there is none."""
    document = sections.split(text)
    position = document.index(heading)
    return None if position is None else document.pieces[position].text


def line_endings(text: str) -> str:
    """Return `lf`, `crlf` or `mixed`; `lf` for text without any."""
    crlf, newlines = text.count("\r\n"), text.count("\n")
    if crlf == 0:
        return "lf"
    return "crlf" if crlf == newlines else "mixed"


def _with_endings_of(file: str, text: str) -> str:
    """Return `text` with the line endings of `file`; unchanged where either has both kinds."""
    if "\n" not in file or "mixed" in (line_endings(file), line_endings(text)):
        return text
    plain = with_lf(text)
    return plain.replace("\n", "\r\n") if line_endings(file) == "crlf" else plain


class Place(NamedTuple):
    """Where a section is in its file: what is needed to put it back exactly there."""

    after: str
    """Heading of the section before it, "" for the preamble or the top of the file."""
    lead: str
    """Blank lines in front of it."""
    repeated: bool
    """Another section of the file has the same heading line."""


def place_of(text: str, heading: str) -> Place | None:
    """Return the place of the section with this heading in `text`."""
    document = sections.split(text)
    position = document.index(heading)
    if position is None:
        return None
    piece = document.pieces[position]
    line = _first_line(piece)
    same = [other for other in document.pieces if _first_line(other) == line]
    before = document.pieces[position - 1].heading if position else ""
    return Place(before, piece.lead, len(same) > 1)


def _first_line(piece: sections.Piece) -> str:
    return piece.text.split("\n", 1)[0].strip()


def _put(
    document: sections.Document, artifact: Artifact, after: str | None, lead: str | None
) -> sections.Document:
    heading = artifact.heading or ""
    pieces = list(document.pieces)
    position = document.index(heading)
    if position is not None and after is None:
        pieces[position] = replace(pieces[position], text=artifact.text)
        return replace(document, pieces=tuple(pieces))
    before = document.index(after) if after is not None else None
    if before is not None or after == "":
        position = 0 if before is None else before + 1
    else:
        position, lead = len(pieces), None
    lead = _separator(pieces) if lead is None else lead
    pieces.insert(position, sections.Piece(heading, lead, artifact.text))
    return replace(document, pieces=tuple(_separated(pieces)))


def _separator(pieces: list[sections.Piece]) -> str:
    if not pieces:
        return ""
    return "\r\n" if "\r\n" in pieces[-1].text else "\n"


def _separated(pieces: list[sections.Piece]) -> list[sections.Piece]:
    """Let no heading be on the last line of the section before it."""
    separated = pieces[:1]
    for piece in pieces[1:]:
        glued = not separated[-1].text.endswith("\n")
        separated.append(replace(piece, lead="\n" + piece.lead) if glued else piece)
    return separated
