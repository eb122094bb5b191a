r"""Text from outside made harmless before it becomes harness text.

Agents give meaning to more than words: frontmatter, code fences, HTML comments (hidden from
people), `@path` (imports a file), `` !`command` `` (runs when a skill opens), headings (cut a file
into sections) and characters that nobody sees. None of these may come from a transcript or a model.
"""

import re
import unicodedata

from cortex.proposing import hidden

_HEADING = re.compile(r" {0,3}#{1,6}(?=\s|\Z)[ \t]*")
_FENCE = re.compile(r"\s*(?:[>*+-]\s*)*(?:`{3,}|~{3,})")
_RULER = re.compile(r"[ \t]*(?:-[ \t]*){2,}\Z|[ \t]*=+[ \t]*\Z")
_TAG = re.compile(r"<(?=[!/?a-zA-Z])")
_COMMAND = re.compile(r"(?<!\S)!(?=`)")
_LINK = re.compile(r"!?\[([^\]\[]*)\]\([^)]{0,2000}\)")
"""A link or an image, whose address a person does not see."""
_IMPORT = re.compile(r"(?<!\w)@(?=\S)")


def body(text: str) -> str:
    """Return `text` as paragraphs that are nothing but text, lists and inline code.

    Fenced code becomes indented code; headings become bold lines. Idempotent.
    """
    lines: list[str] = []
    inside = False
    for raw in visible(text).split("\n"):
        if _FENCE.match(raw):
            inside = not inside
            lines.append("")
        elif inside:
            lines.append(_line("    " + raw))
        else:
            lines.append(_line(raw))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(line.rstrip() for line in lines)).strip("\n")


def line(text: str, limit: int) -> str:
    """Return `text` as one harmless line of at most `limit` characters."""
    flat = " ".join(visible(text).split()).lstrip("# ")
    return _line(_cut(flat, limit))


def code(text: str, limit: int = 80) -> str:
    """Return `text` as inline code on a line, "" when nothing is left."""
    flat = " ".join(visible(text).split()).replace("`", "'").replace("<!--", "< !--")
    flat = re.sub(r"-{3,}", "--", flat)
    return f"`{_cut(flat, limit)}`" if flat else ""


def visible(text: str) -> str:
    """Return `text` without control and bidirectional characters, and without what has no shape:
    zero-width characters, tags, variation selectors, fillers, where no word or emoji needs them."""
    text = text.removeprefix("\ufeff")
    unified = re.sub(r"\r\n?|[\v\f\x1c-\x1e\x85\u2028\u2029]", "\n", text).replace("\t", " ")
    unseen = set(hidden.hidden(unified))
    return "".join(
        char
        for index, char in enumerate(unified)
        if index not in unseen and unicodedata.category(char) not in ("Cn", "Co")
    )


def says_something(text: str) -> bool:
    """Whether there is a letter or a digit in it."""
    return any(char.isalnum() for char in text)


def _cut(flat: str, limit: int) -> str:
    return flat if len(flat) <= limit else visible(flat[: limit - 1]).rstrip() + "…"


def _line(raw: str) -> str:
    heading = _HEADING.match(raw)
    if heading:
        words = raw[heading.end() :].rstrip(" \t").rstrip("#").rstrip(" \t")
        raw = f"**{words}**" if words else ""
    if _RULER.match(raw):
        return ""
    raw = re.sub(r"\\+(?=`)", "", raw)
    raw = re.sub(r"`{2,}", "`", raw)
    raw = _COMMAND.sub("", raw)
    if raw.count("`") % 2:
        raw = raw.replace("`", "'")
    raw = re.sub(r"-{3,}", "--", raw).replace("<!--", "< !--")
    raw = re.sub(r"~{3,}", "~~", raw)
    parts = raw.split("`")
    plain = "`".join(part if at % 2 else _plain(part) for at, part in enumerate(parts))
    return _COMMAND.sub("", plain)


def _plain(part: str) -> str:
    linkless = _LINK.sub(r"\1", part).replace("](", "] (")
    return _IMPORT.sub("@ ", _TAG.sub("< ", linkless))
