"""Columns of text for a terminal, a pipe or a file."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

from rich.cells import cell_len, chop_cells

GAP = "  "
NARROWEST = 8
"""Columns of the terminal that a shortened column keeps."""
_CODES = {
    "bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "magenta": "35",
    "cyan": "36",
}  # fmt: skip
_RESET = "\x1b[0m"


def lines(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    width: int,
    styles: Mapping[str, str],
) -> Iterator[str]:
    """Yield a header and the rows, at most `width` wide where the columns can be folded.

    A column whose name begins with `>` is aligned right and never folded. A cell that is a key of
    `styles` gets that style; without styles there are no escape sequences.
    """
    rights = [name.startswith(">") for name in columns]
    header = [name.lstrip(">") for name in columns]
    widths = _widths([header, *rows], rights, width)
    bold = dict.fromkeys(header, "bold") if styles else {}
    for row, row_styles in ((header, bold), *((row, styles) for row in rows)):
        cells = [
            _folded(cell, columns_, right)
            for cell, columns_, right in zip(row, widths, rights, strict=True)
        ]
        for parts in zip_longest(*cells, fillvalue=""):
            padded = [
                _styled(part, _pad(part, size, right), row_styles.get(cell, ""))
                for part, cell, size, right in zip(parts, row, widths, rights, strict=True)
            ]
            yield GAP.join(padded).rstrip()


def _widths(rows: Sequence[Sequence[str]], rights: Sequence[bool], available: int) -> list[int]:
    """Return the width of each column; the widest that may be folded are narrowed."""
    widths = [
        max((cell_len(line) for cell in column for line in cell.splitlines()), default=0)
        for column in zip(*rows, strict=True)
    ]
    available -= len(GAP) * (len(widths) - 1)
    while sum(widths) > available:
        flexible = [
            index for index, right in enumerate(rights) if not right and widths[index] > NARROWEST
        ]
        if not flexible:
            break
        widths[max(flexible, key=lambda index: widths[index])] -= 1
    return widths


def _folded(cell: str, width: int, right: bool) -> list[str]:
    if right:
        return [cell]
    return [part for line in cell.splitlines() or [""] for part in chop_cells(line, width) or [""]]


def _pad(part: str, width: int, right: bool) -> str:
    space = " " * max(0, width - cell_len(part))
    return space + part if right else part + space


def _styled(part: str, padded: str, style: str) -> str:
    """Return the padded part in a style such as `bold green`."""
    if not style or not part:
        return padded
    codes = ";".join(_CODES[word] for word in style.split())
    return padded.replace(part, f"\x1b[{codes}m{part}{_RESET}", 1)
