"""Harness files with one artifact put in or taken out; every other byte stays as it is."""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from cortex.artifacts import sections
from cortex.errors import UsageError
from cortex.model.artifacts import Artifact, ArtifactKind


def with_artifact(
    files: Mapping[str, str],
    artifact: Artifact,
    *,
    after: str | None = None,
    lead: str | None = None,
) -> dict[str, str]:
    """Return `files` with the artifact in them.

    A rule or skill is its file. A section replaces the one with its heading, else it goes to the
    end. With `after` it is put in anew behind the section of that heading (`""`: behind the
    preamble, or at the top when there is none), with the blank lines `lead` in front of it.
    Raises UsageError when an open code fence would swallow the section.
    """
    changed = dict(files)
    if artifact.kind is not ArtifactKind.SECTION:
        changed[artifact.path] = artifact.text
        return changed
    document = sections.split(files.get(artifact.path, ""))
    changed[artifact.path] = _put(document, artifact, after, lead).render()
    if sections.split(changed[artifact.path]).index(artifact.heading or "") is None:
        raise UsageError(
            f"{artifact.path}: close its open code fence first: a section behind it is code"
        )
    return changed


def without_artifact(files: Mapping[str, str], artifact: Artifact) -> dict[str, str]:
    """Return `files` without the artifact: its section, its file, or the whole skill folder.

    Raises UsageError when other text stands in its place by now: that was not what was tested.
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
    at = document.index(artifact.heading or "")
    if at is None:
        return changed
    pieces = document.pieces[:at] + document.pieces[at + 1 :]
    changed[artifact.path] = replace(document, pieces=pieces).render()
    if not changed[artifact.path]:
        del changed[artifact.path]
    return changed


def check_unchanged(files: Mapping[str, str], artifact: Artifact) -> None:
    """Raise UsageError when `files` hold other text than the artifact's in its place."""
    here = files.get(artifact.path)
    if here is not None and artifact.kind is ArtifactKind.SECTION:
        document = sections.split(here)
        at = document.index(artifact.heading or "")
        here = None if at is None else document.pieces[at].text
    if here not in (None, artifact.text):
        raise UsageError(f"{artifact.name} was edited since it was looked at: test it again")


class Place(NamedTuple):
    """Where a section stands: what is needed to put it back exactly there."""

    after: str
    """Heading of the section before it, "" for the preamble or the top of the file."""
    lead: str
    """Blank lines in front of it."""
    repeated: bool
    """Another section of the file has the same heading line."""


def place_of(text: str, heading: str) -> Place | None:
    """Return the place of the section with this heading in `text`."""
    document = sections.split(text)
    at = document.index(heading)
    if at is None:
        return None
    piece = document.pieces[at]
    line = piece.text.split("\n", 1)[0].strip()
    same = [one for one in document.pieces if one.text.split("\n", 1)[0].strip() == line]
    before = document.pieces[at - 1].heading if at else ""
    return Place(before, piece.lead, len(same) > 1)


def _put(
    document: sections.Document, artifact: Artifact, after: str | None, lead: str | None
) -> sections.Document:
    heading = artifact.heading or ""
    pieces = list(document.pieces)
    at = document.index(heading)
    if at is not None and after is None:
        pieces[at] = replace(pieces[at], text=artifact.text)
        return replace(document, pieces=tuple(pieces))
    before = document.index(after) if after is not None else None
    if before is not None or after == "":
        at = 0 if before is None else before + 1
    else:
        at, lead = len(pieces), None
    lead = _separator(pieces) if lead is None else lead
    pieces.insert(at, sections.Piece(heading, lead, artifact.text))
    return replace(document, pieces=tuple(_apart(pieces)))


def _separator(pieces: list[sections.Piece]) -> str:
    if not pieces:
        return ""
    return "\r\n" if "\r\n" in pieces[-1].text else "\n"


def _apart(pieces: list[sections.Piece]) -> list[sections.Piece]:
    """Let no heading stand on the last line of the section before it."""
    apart = pieces[:1]
    for piece in pieces[1:]:
        text = apart[-1].text
        glued = not text.endswith("\n")
        apart.append(replace(piece, lead="\n" + piece.lead) if glued else piece)
    return apart
