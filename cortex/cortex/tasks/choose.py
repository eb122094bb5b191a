"""Chooses among many differences what the developer asked for."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from cortex.linediff import Hunk, hunks
from cortex.tasks.features import WEIGHTS, Feature
from cortex.tasks.lines import split

_MENTIONED = 8.0
_SAME_NAME = 4.0
_SAME_KIND = 2.0
_SAME_PLACE = 2.0
_RELATED = 4.0
"""From this bond on, one feature replaces the other."""
_OF_THE_TASK = -3.0
_OLD_HABIT = -2.0
_MOST = 16
_PLAIN_TYPES = frozenset(
    {"str", "string", "String", "int", "integer", "number", "float", "double", "bool", "boolean"}
    | {"dict", "list", "tuple", "set", "object", "bytes", "i32", "i64", "u32", "u64", "usize"}
    | {"f32", "f64", "Vec", "error", "char", "long", "void", "None", "Optional", "List", "Map"}
)
"""Every other implementation needs them somewhere: they cannot be forbidden in a single place."""

Contents = Mapping[str, str | None]


@dataclass(frozen=True, slots=True)
class Pick:
    """A difference: what must not come back, what must be there; one may be missing."""

    removed: Feature | None
    introduced: Feature | None


@dataclass(frozen=True, slots=True)
class CorrectedWork:
    """Files before and after a correction, with the words that asked for it."""

    base: Contents
    attempt: Contents
    corrected: Contents
    words: str
    """Of the correction."""
    prompt: str


def pick(
    removed: Sequence[Feature], introduced: Sequence[Feature], work: CorrectedWork
) -> tuple[Pick, ...]:
    """Return the most telling difference, and a second one when the words name it too.

    Both sequences are ordered by `ranked`.
    """
    scorer = _Scorer(work, vocabulary(work.words), vocabulary(work.prompt))
    gone, new = removed[:_MOST], introduced[:_MOST]
    if not gone or not new:
        return tuple(Pick(feature, None) for feature in gone[:1]) + tuple(
            Pick(None, feature) for feature in new[:1]
        )
    pairs = sorted(product(gone, new), key=lambda pair: scorer.worth(*pair), reverse=True)
    first = scorer.reduced(*pairs[0])
    return (first, *_second(pairs[1:], first, scorer))


def ranked(features: Sequence[Feature], work: CorrectedWork) -> list[Feature]:
    """Return features, the most telling first."""
    scorer = _Scorer(work, vocabulary(work.words), vocabulary(work.prompt))
    return sorted(features, key=scorer.score, reverse=True)


def vocabulary(text: str) -> frozenset[str]:
    """Return the words of `text` in lower case, compound names also in parts."""
    words: set[str] = set()
    for word in re.findall(r"\w+|[=!<>]=+|->", text):
        words.add(word.lower())
        words.update(part.lower() for part in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", word))
    return frozenset(words)


def _second(
    pairs: Sequence[tuple[Feature, Feature]], first: Pick, scorer: "_Scorer"
) -> Iterator[Pick]:
    picked = (first.removed, first.introduced)
    used = {name for feature in picked if feature for name in feature.names}
    for gone, new in pairs:
        fresh = used.isdisjoint(gone.names) and used.isdisjoint(new.names)
        named = scorer.mentioned(gone) and scorer.mentioned(new)
        if fresh and named and "import" not in (gone.kind, new.kind) and scorer.bond(gone, new):
            yield Pick(gone, new)
            return


@dataclass(slots=True)
class _Scorer:
    work: CorrectedWork
    words: frozenset[str]
    prompt: frozenset[str]
    _hunks_of: dict[str, tuple[Hunk, ...]] = field(default_factory=dict)

    def score(self, feature: Feature) -> float:
        """Return how likely the developer meant this feature."""
        total = WEIGHTS[feature.kind]
        if self.mentioned(feature):
            total += _MENTIONED
        elif any(name.lower() in self.prompt for name in feature.names):
            total += _OF_THE_TASK
        return total + (len(feature.names) > 1) * 0.2

    def mentioned(self, feature: Feature) -> bool:
        """Whether the words of the correction name it."""
        telling = [name for name in feature.names if len(name) > 1 or not name.isalpha()]
        return any(name.lower() in self.words for name in telling[-2:])

    def worth(self, gone: Feature, new: Feature) -> float:
        """Return how good the two are as a difference."""
        habit = _OLD_HABIT if self._was_there(gone) else 0.0
        return self.score(gone) + self.score(new) + self.bond(gone, new) + habit

    def bond(self, gone: Feature, new: Feature) -> float:
        """Return how much speaks for one replacing the other."""
        same_name = bool(gone.names and new.names) and gone.names[-1] == new.names[-1]
        same_kind = gone.kind == new.kind
        return (
            same_name * _SAME_NAME
            + same_kind * _SAME_KIND
            + self._same_place(gone, new) * _SAME_PLACE
        )

    def reduced(self, gone: Feature, new: Feature) -> Pick:
        """Drop the weaker half when the two have nothing to do with each other."""
        if self.bond(gone, new) >= _RELATED:
            plain = gone.kind == "name" and gone.names[-1] in _PLAIN_TYPES
            return Pick(None if plain and not self.mentioned(gone) else gone, new)
        named = (self.mentioned(gone), self.mentioned(new))
        if named[0] == named[1]:
            return Pick(gone, new if named[1] else None)
        return Pick(gone, None) if named[0] else Pick(None, new)

    def _was_there(self, feature: Feature) -> bool:
        text = self.work.base.get(feature.path) or ""
        name = feature.names[-1] if feature.names else ""
        return bool(name) and re.search(rf"\b{re.escape(name)}\b", text) is not None

    def _same_place(self, gone: Feature, new: Feature) -> bool:
        """Whether both are in the same replaced lines of a file."""
        if gone.path != new.path:
            return False
        return any(
            hunk.old_start <= gone.line < hunk.old_end and hunk.new_start <= new.line < hunk.new_end
            for hunk in self._hunks(gone.path)
        )

    def _hunks(self, path: str) -> tuple[Hunk, ...]:
        if path not in self._hunks_of:
            old = split(self.work.attempt.get(path) or "")
            new = split(self.work.corrected.get(path) or "")
            self._hunks_of[path] = hunks(old, new)
        return self._hunks_of[path]
