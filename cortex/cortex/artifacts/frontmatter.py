"""Frontmatter of rules and skills, read as the CLI reads it (its own expressions, its own retry).

The first `---` behind the opening line closes the block, wherever it is; YAML that cannot be
read is tried again with its values quoted; what cannot be read then counts as no frontmatter.
"""

import re
from typing import Any

_SPACE = re.compile(r"\s*")
MAX_VALUES = 10_000
"""In a block with its aliases written out; YAML of a few lines can stand for billions."""
MAX_DEPTH = 100
_UNQUOTED = r"([a-zA-Z_-]+):\s+(.+)\Z"
_SPECIAL = r"[{}\[\]*&#!|>%@`]|: "
_OWN_KEYS = "(name|description|when_to_use|paths)"
_SCALAR_LINE = re.compile(_OWN_KEYS + r': "([^"\\]*)"\Z')
_LIST_LINE = re.compile(_OWN_KEYS + r":\Z")
_ITEM_LINE = re.compile(r'  - "([^"\\]*)"\Z')


def split(text: str) -> tuple[dict[str, Any], str]:
    """Return the fields of the frontmatter and the text after it.

    Without frontmatter, or when it is not a YAML mapping, there are no fields: the CLI then loads
    the file as if there were no frontmatter.
    """
    block = block_of(text)
    if block is None:
        return {}, text
    fields = _fields(text[slice(*block)])
    return (fields if isinstance(fields, dict) else {}), text[_after_space(text, block[1] + 3) :]


def block_of(text: str) -> tuple[int, int] | None:
    """Return where the block begins and ends, without its dashes.

    The CLI has the expression `^---\\s*\\n([\\s\\S]*?)---\\s*\\n?`; here in linear time.
    """
    if not text.startswith("---"):
        return None
    start = text.rfind("\n", 3, _after_space(text, 3)) + 1
    end = text.find("---", start) if start else -1
    return (start, end) if end >= 0 else None


def _after_space(text: str, position: int) -> int:
    space = _SPACE.match(text, position)
    return space.end() if space else position


def problem(text: str) -> str | None:
    """Say in a few words why the frontmatter of `text` is ignored, None when it is read."""
    if text.startswith("\ufeff---"):
        return "a byte order mark stands in front of the frontmatter"
    block = block_of(text)
    if block is None:
        opens = re.match(r"---[ \t]*\r?\n[\w-]+:", text)
        return "the frontmatter is never closed" if opens else None
    fields = _fields(text[slice(*block)])
    if isinstance(fields, str):
        return f"the frontmatter is not valid YAML: {fields}"
    return None if isinstance(fields, dict) else "the frontmatter has no `key: value` lines"


def render(fields: dict[str, str | tuple[str, ...]]) -> str:
    """Return a frontmatter block with every value quoted, in the order given; "" for no fields."""
    lines = []
    for key, value in fields.items():
        if isinstance(value, str):
            lines.append(f"{key}: {_quote(value)}")
        elif value:
            lines.append(f"{key}:")
            lines.extend(f"  - {_quote(item)}" for item in value)
    return "---\n" + "\n".join(lines) + "\n---\n" if lines else ""


def _fields(block: str) -> dict[str, Any] | str | None:
    """Return the fields, None when it is no mapping, or what is wrong with the YAML."""
    quick = _simple(block)
    if quick is not None:
        return quick
    loaded = _yaml(block)
    if isinstance(loaded, _Invalid):
        loaded = _yaml(_requote(block))
    if isinstance(loaded, _Invalid):
        return str(loaded)
    if loaded is None:
        return {}
    return {str(key): value for key, value in loaded.items()} if isinstance(loaded, dict) else None


class _Invalid(str):
    """What the YAML reader complained about."""


def _yaml(block: str) -> object:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        loaded = yaml.load(block, Loader=loader)
        return loaded if _is_small(loaded) else _Invalid("it has too many or too deep values")
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        return _Invalid(str(getattr(error, "problem", None) or error).split("\n", 1)[0])


def _is_small(loaded: object) -> bool:
    """Whether a reader that knows nothing of aliases would end soon."""
    waiting = [(loaded, 0)]
    seen = 0
    while waiting:
        value, depth = waiting.pop()
        seen += 1
        if isinstance(value, dict):
            waiting += [(item, depth + 1) for pair in value.items() for item in pair]
        elif isinstance(value, list | tuple | set):
            waiting += [(item, depth + 1) for item in value]
        if seen + len(waiting) > MAX_VALUES or depth > MAX_DEPTH:
            return False
    return True


def _requote(block: str) -> str:
    """Quote the values that YAML would take for something else, such as `**/*.py`."""
    lines = []
    for line in block.split("\n"):
        pair = re.match(_UNQUOTED, line.removesuffix("\r"))
        if pair and re.search(_SPECIAL, pair[2]) and not _is_closed(pair[2]):
            value = pair[2].replace("\\", "\\\\").replace('"', '\\"')
            line = f'{pair[1]}: "{value}"'
        lines.append(line)
    return re.sub(r"^\t+", lambda tabs: "  " * len(tabs[0]), "\n".join(lines), flags=re.MULTILINE)


def _is_closed(value: str) -> bool:
    """Whether the value is quoted or a list that YAML can read."""
    if value[0] in "\"'" and value.endswith(value[0]):
        return True
    return value.startswith("[") and value.endswith("]") and isinstance(_yaml(value), list)


def _simple(block: str) -> dict[str, Any] | None:
    """Read the plain form that `render` writes, which needs no YAML library; None for any other."""
    fields: dict[str, Any] = {}
    items: list[str] | None = None
    for line in block.removesuffix("\n").split("\n"):
        if not line.isprintable():
            return None
        if scalar := _SCALAR_LINE.match(line):
            fields[scalar[1]], items = scalar[2], None
        elif head := _LIST_LINE.match(line):
            items = []
            fields[head[1]] = items
        elif (item := _ITEM_LINE.match(line)) and items is not None:
            items.append(item[1])
        else:
            return None
    return None if [] in fields.values() else fields


def _quote(value: str) -> str:
    """Return `value` as one quoted line that cannot close the block."""
    import json

    flat = "".join(char for char in " ".join(value.split()) if char.isprintable())
    return json.dumps(re.sub(r"-{3,}", "--", flat), ensure_ascii=False)
