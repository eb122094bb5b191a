"""Names that are defined in the file itself, by how languages write definitions."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_DEFINED = re.compile(
    r"\b(?:def|function|func|fn|class|struct|interface|trait|enum|type|module)\s+"
    r"(?:\([^)]*\)\s*)?([A-Za-z_]\w*)"
)
_VARIABLES = (
    re.compile(r"\b(?:const|let|var|val)\s+(?:mut\s+)?([A-Za-z_$][\w$]*)"),
    re.compile(r"^\s*(?:[\w.<>\[\]]+\s+)?([A-Za-z_]\w*)\s*(?::\s*[^=()]+)?(?<![=!<>])=(?![=>])"),
    re.compile(r"([A-Za-z_]\w*)\s*:="),
    re.compile(r"\bfor\s*\(?\s*(?:const\s+|let\s+|var\s+)?([A-Za-z_]\w*)\b"),
    re.compile(r"\bfor\s+[\w\s]+,\s*([A-Za-z_]\w*)\s+in\b"),
    re.compile(r"\bas\s+([A-Za-z_]\w*)\s*:"),
    re.compile(r"\b([A-Za-z_$][\w$]*)\s*=>"),
    re.compile(r"\|\s*([a-z_]\w*)"),
)
_TUPLE = re.compile(r"^\s*((?:[A-Za-z_]\w*\s*,\s*)+[A-Za-z_]\w*)\s*:?=(?!=)")
_PARAMETERS = re.compile(
    r"\b(?:def|function|func|fn|lambda)\b[^(]*\(([^)]*)|\(([^()]*)\)\s*(?::\s*[\w<>\[\]]+\s*)?=>"
)
_MODULE_LEVEL = re.compile(r"^[A-Za-z_]")


@dataclass(frozen=True, slots=True)
class LocalIdentifiers:
    """Local names of a file."""

    variables: frozenset[str]
    """Assigned, bound or passed in."""
    invented: frozenset[str]
    """Functions and types that the new lines define."""

    def local(self, name: str) -> bool:
        """Whether `name` means nothing outside this piece of work."""
        return name in self.variables or name in self.invented


def local_identifiers(rows: Sequence[str], fresh: frozenset[int]) -> LocalIdentifiers:
    """Return the local names of a file with the lines `rows`, of which `fresh` are new.

    What the file assigned at its top level before is known to the whole file: not local.
    """
    variables: set[str] = set()
    invented: set[str] = set()
    for number, row in enumerate(rows):
        if number in fresh:
            invented.update(_DEFINED.findall(row))
        if number in fresh or not _MODULE_LEVEL.match(row):
            variables.update(_bound(row))
        variables.update(_passed(row))
    return LocalIdentifiers(frozenset(variables), frozenset(invented))


def _bound(row: str) -> Iterator[str]:
    for pattern in _VARIABLES:
        yield from pattern.findall(row)
    if several := _TUPLE.match(row):
        yield from re.findall(r"\w+", several.group(1))


def _passed(row: str) -> Iterator[str]:
    for groups in _PARAMETERS.findall(row):
        for parameter in "".join(groups).split(","):
            if name := re.match(r"\s*[*&.]*\s*(?:mut\s+)?([A-Za-z_$][\w$]*)", parameter):
                yield name.group(1)
