"""Changes that a formatter makes."""

import re
from collections import Counter

_BEFORE_CLOSING = re.compile(r",(?=[)\]}])")
_SPACE = re.compile(r"\s+")
_OPTIONAL = re.compile(r"[;()]+")


def same_but_for_formatting(before: str, after: str) -> bool:
    """Return whether two texts differ in layout, quotes, trailing commas or line order only.

    That is what formatters and import sorters do; a person's change of the same kind says
    nothing that a formatter would not say.
    """
    if _bare(before) == _bare(after):
        return True
    return _bare_lines(before) == _bare_lines(after)


def _bare(text: str) -> str:
    text = _SPACE.sub("", text).replace("'", '"')
    return _OPTIONAL.sub("", _BEFORE_CLOSING.sub("", text)).rstrip(",")


def _bare_lines(text: str) -> Counter[str]:
    return Counter(bare for line in text.splitlines() if (bare := _bare(line)))
