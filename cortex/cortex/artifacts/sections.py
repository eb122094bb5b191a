"""Instructions files (`CLAUDE.md`, `AGENTS.md`) cut at their `##` headings, byte for byte.

Blank lines between two sections belong to neither text, so that adding or removing a section
leaves the digests of its neighbours alone.
"""

import re
from dataclasses import dataclass

_HEADING = re.compile(r" {0,3}##[ \t]+(?=[^ \t\r\n])")
_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*\Z)|~{3,})")
BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class Piece:
    """A section: the blank lines in front of it, and its heading line with its body."""

    heading: str
    """"" for what is before the first heading; unique within the file."""
    lead: str
    text: str


@dataclass(frozen=True, slots=True)
class Document:
    """A file in pieces; `render` gives the file back."""

    pieces: tuple[Piece, ...]
    tail: str = ""
    """Blank lines at the end of the file."""
    bom: str = ""
    """The byte order mark, for a file that starts with one."""

    def render(self) -> str:
        """Return the text of the whole file."""
        return self.bom + "".join(piece.lead + piece.text for piece in self.pieces) + self.tail

    def index(self, heading: str) -> int | None:
        """Return the position of the section with this heading."""
        positions = (
            position for position, piece in enumerate(self.pieces) if piece.heading == heading
        )
        return next(positions, None)


def split(text: str) -> Document:
    """Cut `text` at its `##` headings outside of code fences."""
    bom = BOM if text.startswith(BOM) else ""
    pieces: list[Piece] = []
    taken: dict[str, int] = {}
    lead = ""
    for heading, chunk in _chunks(text[len(bom) :]):
        start, end = _solid(chunk)
        if end > start:
            name = _unique(heading, taken)
            pieces.append(Piece(name, lead + chunk[:start], chunk[start:end]))
            lead = chunk[end:]
        else:
            lead += chunk
    return Document(tuple(pieces), lead, bom)


def _chunks(text: str) -> list[tuple[str, str]]:
    """Return (heading, raw text) for each stretch from one heading to the next."""
    chunks: list[tuple[str, list[str]]] = [("", [])]
    fence = ""
    for line in re.findall(r"[^\n]*\n|[^\n]+", text):
        heading = "" if fence else heading_of(line)
        if heading:
            chunks.append((heading, []))
        fence = _fence_after(line, fence)
        chunks[-1][1].append(line)
    return [(heading, "".join(lines)) for heading, lines in chunks]


def heading_of(line: str) -> str:
    """Return the words of a heading line, without `#` at its end; "" for any other line."""
    mark = _HEADING.match(line)
    if mark is None:
        return ""
    words = line[mark.end() :].removesuffix("\n").removesuffix("\r").rstrip(" \t")
    open_words = words.rstrip("#")
    return open_words.rstrip(" \t") if open_words.endswith((" ", "\t")) else words


def _fence_after(line: str, fence: str) -> str:
    """Return the fence that is open after `line`, "" for none."""
    marker = _FENCE.match(line.rstrip("\r\n"))
    if not fence:
        return marker[1] if marker else ""
    closes = marker and marker[1].startswith(fence) and line.strip() == marker[1]
    return "" if closes else fence


def _solid(chunk: str) -> tuple[int, int]:
    """Return start and end of `chunk` without the blank lines around it."""
    lines = re.findall(r"[^\n]*\n|[^\n]+", chunk)
    start = end = offset = 0
    for line in lines:
        blank = not line.strip(" \t\r\n")
        if blank and end == 0:
            start = offset + len(line)
        offset += len(line)
        if not blank:
            end = offset
    return start, end


def _unique(heading: str, taken: dict[str, int]) -> str:
    """Return the heading, numbered when it is taken; `taken` has the last number of each."""
    name, number = heading, taken.get(heading, 1)
    while name in taken:
        number += 1
        name = f"{heading} ({number})"
    taken[heading] = number
    taken.setdefault(name, 1)
    return name
