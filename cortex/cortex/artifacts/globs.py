"""`paths:` patterns as Claude Code reads them: gitignore patterns with braces.

Measured with the CLI and read in its program: a list or a comma-separated string, `{a,b}`
written out, a trailing `/**` dropped, then the rules of gitignore without regard to case: a
pattern without an inner `/` counts at any depth, a folder brings all that is below it, and the
last pattern that matches decides (`!` takes a file out again). The translation is our own because
importing pathspec costs more than the whole start of the scripted agent may; tests hold it equal
to git itself and to pathspec.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

MAX_EXPANSIONS = 1000
"""Brace expansion stops here: a hostile pattern must not eat the memory."""

_BRACES = re.compile(r"([^{]*)\{([^}]+)\}(.*)\Z")


class _Rule(NamedTuple):
    regex: re.Pattern[str]
    negated: bool
    folders_only: bool


def matches(patterns: Sequence[str], path: str) -> bool:
    """Whether `path` (relative, forward slashes) is selected by `patterns`."""
    rules = _compile(tuple(patterns))
    parts = path.removeprefix("./").split("/")
    entries = (("/".join(parts[:end]), end < len(parts)) for end in range(1, len(parts) + 1))
    return any(_selected(rules, entry, folder) for entry, folder in entries)


def covers(patterns: Sequence[str], paths: Iterable[str]) -> tuple[str, ...]:
    """Return those of `paths` that `patterns` select, in their order."""
    return tuple(path for path in paths if matches(patterns, path))


def normalise(value: object) -> tuple[str, ...]:
    """Return the patterns of a frontmatter value: a string with commas or a list of strings.

    Commas inside braces do not separate. Anything else (a number, a mapping) gives no pattern.
    """
    if isinstance(value, str):
        return tuple(part for part in (part.strip() for part in _split(value)) if part)
    if isinstance(value, list | tuple):
        return tuple(pattern for item in value for pattern in normalise(item))
    return ()


def effective(patterns: Sequence[str]) -> tuple[str, ...]:
    """Return what the CLI hands to gitignore matching: braces written out, `/**` cut off."""
    expanded = (single for pattern in normalise(patterns) for single in _expand(pattern))
    return tuple(cut for cut in (single.removesuffix("/**") for single in expanded) if cut)


def unscoped(patterns: Sequence[str]) -> bool:
    """Whether these patterns do not restrict anything: none is left, or all are `**`."""
    return all(pattern == "**" for pattern in effective(patterns))


def _expand(pattern: str) -> list[str]:
    expanded: list[str] = []
    waiting = [pattern]
    while waiting and len(expanded) + len(waiting) <= MAX_EXPANSIONS:
        current = waiting.pop()
        braces = _BRACES.match(current)
        if braces is None:
            expanded.append(current)
            continue
        head, inner, tail = braces.groups()
        waiting.extend(head + part.strip() + tail for part in reversed(inner.split(",")))
    return expanded


def _split(text: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for index, char in enumerate(text):
        if char == "{":
            depth += 1
        elif char == "}":
            depth = max(0, depth - 1)
        elif char == "," and depth == 0:
            parts.append(text[start:index])
            start = index + 1
    return [*parts, text[start:]]


def _selected(rules: tuple[_Rule, ...], entry: str, folder: bool) -> bool:
    for rule in reversed(rules):
        if (folder or not rule.folders_only) and rule.regex.match(entry):
            return not rule.negated
    return False


@lru_cache(maxsize=512)
def _compile(patterns: tuple[str, ...]) -> tuple[_Rule, ...]:
    rules = (_rule(pattern) for pattern in effective(patterns))
    return tuple(rule for rule in rules if rule is not None)


def _rule(pattern: str) -> _Rule | None:
    if not pattern.endswith("\\ "):
        pattern = pattern.rstrip(" \t\r\n")
    if not pattern or pattern.startswith("#"):
        return None
    negated = pattern.startswith("!")
    body = pattern.removeprefix("!")
    folders_only = body.endswith("/")
    body = body.removesuffix("/")
    anchored = "/" in body
    segments = body.removeprefix("/").split("/")
    if not body or not segments[-1]:
        return None
    regex = _translate(segments if anchored else ["**", *segments])
    return None if regex is None else _Rule(regex, negated, folders_only)


def _translate(segments: list[str]) -> re.Pattern[str] | None:
    """Return the expression of a pattern.

    Each `*` and `**` but the last takes the first place where what follows it matches, for good
    (an atomic group): what follows has a fixed number of characters or folders, so that a later
    place could not match more. Without that, many stars would take exponential time.
    """
    *fixed, last = _stretches(segments)
    out = []
    for number, stretch in enumerate(fixed):
        folders = "".join(f"{_segment(segment)}/" for segment in stretch)
        out.append(f"(?>(?:.*?/)??{folders})" if number and folders else folders)
    deep = "(?:.*/)?" if fixed else ""
    out.append(deep + ("/".join(map(_segment, last)) if last else ".+"))
    try:
        return re.compile("".join(out) + r"\Z", re.DOTALL | re.IGNORECASE)
    except re.error:
        return None


def _stretches(segments: list[str]) -> list[list[str]]:
    """Return the segments between `**`: at least one list; an empty last one means `**` ends it."""
    stretches: list[list[str]] = [[]]
    for segment in segments:
        if segment == "**":
            stretches.append([])
        else:
            stretches[-1].append(segment)
    return stretches


_TOKEN = re.compile(r"\\(.)|(\*+)|(\?)|\[([!^]?\]?(?:[^\]\\]|\\.)*)\]|(.)", re.DOTALL)


def _segment(segment: str) -> str:
    first, *rest = _between_stars(segment)
    if not rest:
        return first
    *middle, end = rest
    return first + "".join(f"(?>[^/]*?{part})" for part in middle if part) + f"[^/]*{end}"


def _between_stars(segment: str) -> list[str]:
    parts = [""]
    for escaped, stars, question, group, plain in _TOKEN.findall(segment):
        if stars:
            parts.append("")
        elif question:
            parts[-1] += "[^/]"
        elif group:
            inner = group[1:] if group[0] in "!^" else group
            inner = inner.replace("[", r"\[")
            inner = r"\]" + inner[1:] if inner.startswith("]") else inner
            parts[-1] += f"(?!/)[{'^' if group[0] in '!^' else ''}{inner}]"
        else:
            parts[-1] += re.escape(escaped or plain)
    return parts
