"""Features of a correction: the code that it removes and adds, and its words."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cortex.linediff import hunks
from cortex.mining.command_effects import programs
from cortex.mining.contrast import Contrast
from cortex.mining.vocabulary import code_names, expressions, word_features
from cortex.model.corrections import Correction, Signal


@dataclass(frozen=True, slots=True)
class Features:
    """One correction as themes see it."""

    correction: Correction
    words: frozenset[str]
    removed: frozenset[str]
    """Names that stand in the attempt's lines and no longer in the corrected ones."""
    introduced: frozenset[str]
    code_out: frozenset[str] = frozenset()
    """The same as code that a person would write: `datetime.now()`."""
    code_in: frozenset[str] = frozenset()


def correction_features(correction: Correction, contrast: Contrast | None) -> Features:
    """Return the code that `correction` removes and adds, and its words."""
    words = "" if correction.signal is Signal.HAND_EDIT else correction.content
    if contrast is None:
        return Features(correction, word_features(words), frozenset(), frozenset())
    out, into = _swapped(contrast)
    before, after = code_names(out), code_names(into)
    code_before, code_after = expressions(out), expressions(into)
    ran_before = programs(run.command for run in contrast.attempt_commands)
    ran_after = programs(run.command for run in contrast.corrected_commands)
    return Features(
        correction,
        word_features(words),
        removed=(before - after) | (ran_before - ran_after),
        introduced=(after - before) | (ran_after - ran_before),
        code_out=(code_before - code_after) | (ran_before - ran_after),
        code_in=(code_after - code_before) | (ran_after - ran_before),
    )


def _swapped(contrast: Contrast) -> tuple[str, str]:
    """Return the lines that the correction took out, and those that it put in."""
    out: list[str] = []
    into: list[str] = []
    for path, corrected in contrast.corrected.items():
        old = (contrast.attempt.get(path) or "").splitlines()
        new = (corrected or "").splitlines()
        for hunk in hunks(old, new):
            out += old[hunk.old_start : hunk.old_end]
            into += new[hunk.new_start : hunk.new_end]
    return "\n".join(out), "\n".join(into)


class Weights:
    """How telling each word is among all corrections: rare ones say more."""

    def __init__(self, everything: Sequence[Features]) -> None:
        self._counts = Counter(word for features in everything for word in features.words)
        self._total = len(everything)
        self._norms: dict[frozenset[str], float] = {}

    def of(self, word: str) -> float:
        """Return the weight of a word."""
        return math.log((1 + self._total) / (1 + self._counts[word])) + 1.0

    def cosine(self, first: frozenset[str], second: frozenset[str]) -> float:
        """Return the similarity of two sets of words, 0 to 1."""
        shared = sum(self.of(word) ** 2 for word in first & second)
        return shared / (self._norm(first) * self._norm(second)) if shared else 0.0

    def _norm(self, words: frozenset[str]) -> float:
        if words not in self._norms:
            self._norms[words] = math.sqrt(sum(self.of(word) ** 2 for word in words))
        return self._norms[words]


def all_features(
    corrections: Sequence[Correction], contrasts: Mapping[str, Contrast]
) -> tuple[Features, ...]:
    """Return the features of all corrections in their order."""
    return tuple(
        correction_features(features, contrasts.get(features.id)) for features in corrections
    )
