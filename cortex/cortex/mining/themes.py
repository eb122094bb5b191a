"""Themes: corrections of different sessions that ask for the same thing."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

from cortex.digests import short_id
from cortex.mining.contrast import Contrast
from cortex.mining.prompt_features import Features, Weights, all_features
from cortex.mining.stopwords import WEAK_NAMES
from cortex.model.corrections import Correction, Signal, Theme

MOST_OF_ONE_SESSION = 2
"""Corrections: one bad afternoon cannot make a rule."""

_SAME = 0.45
"""Average similarity from which two groups are one theme."""

_ONE = 1.0
"""Strength of one telling name; a weak one has half of it."""

_ONE_NAME, _MANY_NAMES = 0.4, 0.7
_PART = 0.2

_NEGLIGIBLE = 0.1
_TITLE = 80


def group(
    corrections: Sequence[Correction], contrasts: Mapping[str, Contrast]
) -> tuple[Theme, ...]:
    """Return the themes of `corrections`, those that most sessions ask for first.

    `contrasts` are keyed by the id of the correction; without it only the words count. Every
    correction that is not dismissed is in at most one theme, alone if it recurs nowhere.
    """
    counted = [correction for correction in corrections if not correction.dismissed]
    everything = all_features(
        sorted(counted, key=lambda correction: (correction.at, correction.id)), contrasts
    )
    themes = [_theme(_limited(members)) for members in clusters(everything)]
    return tuple(sorted(themes, key=lambda theme: (-len(theme.session_ids), theme.id)))


def similarity(first: Features, second: Features, weights: Weights) -> float:
    """Return 0 to 1: how sure it is that two corrections ask for the same convention."""
    by_words = weights.cosine(first.words, second.words)
    by_swap = _same_swap(first, second)
    return min(1.0, max(by_words, by_swap) + 0.5 * min(by_words, by_swap))


def _same_swap(first: Features, second: Features) -> float:
    """The same names taken out and put in; one shared name alone may be chance."""
    out = _shared(first.removed, second.removed)
    into = _shared(first.introduced, second.introduced)
    if min(out, into) >= _ONE / 2 and out + into > _ONE:
        return 1.0
    if out + into < _ONE:
        return 0.0
    return _MANY_NAMES if out + into >= 2 * _ONE else _ONE_NAME


def _shared(first: frozenset[str], second: frozenset[str]) -> float:
    """How much two sets of names share; small overlaps of large sets count 0."""
    shared = _strength(first & second)
    return shared if shared >= _PART * min(_strength(first), _strength(second)) else 0.0


def _strength(names: frozenset[str]) -> float:
    return sum(_ONE / 2 if name.lower() in WEAK_NAMES else _ONE for name in names)


def _limited(members: Sequence[Features]) -> list[Features]:
    counts: Counter[str] = Counter()
    kept = []
    for correction in members:
        counts[correction.correction.session_id] += 1
        if counts[correction.correction.session_id] <= MOST_OF_ONE_SESSION:
            kept.append(correction)
    return kept


def _theme(members: Sequence[Features]) -> Theme:
    corrections = [correction.correction for correction in members]
    removed = _most_telling([correction.code_out for correction in members])
    introduced = _most_telling([correction.code_in for correction in members])
    return Theme(
        id=short_id("theme", corrections[0].id),
        title=_title(corrections, removed, introduced),
        correction_ids=tuple(correction.id for correction in corrections),
        session_ids=tuple(dict.fromkeys(correction.session_id for correction in corrections)),
        paths=tuple(dict.fromkeys(path for correction in corrections for path in correction.paths)),
        removed=removed,
        introduced=introduced,
    )


def _most_telling(names: Sequence[frozenset[str]]) -> tuple[str, ...]:
    """The code of at least half of the corrections, most frequent first, calls before names.

    Two corrections show what recurs only where they agree; of a lone one everything counts.
    """
    counts = Counter(name for correction in names for name in correction)
    least = max(min(2, len(names)), (len(names) + 1) // 2)
    recurring = [code for code, count in counts.items() if count >= least]
    telling = [code for code in recurring if not _is_part_of(code, recurring)]
    return tuple(sorted(telling, key=lambda code: (-counts[code], not code.endswith(")"), code)))


def _is_part_of(code: str, others: Sequence[str]) -> bool:
    """Whether the module or object that `code` uses is swapped as a whole."""
    return any(code.startswith(f"{other}.") for other in others)


def _title(
    corrections: Sequence[Correction], removed: tuple[str, ...], introduced: tuple[str, ...]
) -> str:
    messages = [
        " ".join(correction.content.split())
        for correction in corrections
        if not _is_diff(correction)
    ]
    if messages:
        shortest = min(messages, key=lambda words: (len(words) < 8, len(words)))
        return shortest if len(shortest) <= _TITLE else f"{shortest[: _TITLE - 1]}…"
    if removed and introduced:
        return f"{removed[0]} → {introduced[0]}"
    return (removed + introduced or ("changed by hand",))[0]


def _is_diff(correction: Correction) -> bool:
    return correction.signal is Signal.HAND_EDIT


def clusters(everything: Sequence[Features]) -> list[list[Features]]:
    """Return groups of the same convention, each in the order of `everything`.

    The two most similar groups by average similarity become one until none are the same.
    """
    near = _near(everything)
    members = {number: [number] for number in range(len(everything))}
    while (best := _closest(near, members)) is not None:
        kept, joined = best
        members[kept] = sorted(members[kept] + members.pop(joined))
        _merge(near, kept, joined)
    return [[everything[number] for number in correction] for correction in members.values()]


_Near = dict[int, dict[int, float]]
"""Group -> other group -> sum of the similarities of their members."""


def _near(everything: Sequence[Features]) -> _Near:
    weights = Weights(everything)
    near: _Near = {number: {} for number in range(len(everything))}
    for i, j in sorted(_sharing(everything)):
        score = similarity(everything[i], everything[j], weights)
        if score >= _NEGLIGIBLE:
            near[i][j] = near[j][i] = score
    return near


def _sharing(everything: Sequence[Features]) -> set[tuple[int, int]]:
    """Pairs with anything in common at all: far fewer than all pairs."""
    holders: dict[str, list[int]] = {}
    for number, correction in enumerate(everything):
        for name in correction.words | correction.removed | correction.introduced:
            holders.setdefault(name, []).append(number)
    return {pair for several in holders.values() for pair in combinations(several, 2)}


def _closest(near: _Near, members: Mapping[int, Sequence[int]]) -> tuple[int, int] | None:
    best, pair = _SAME, None
    for i, others in near.items():
        for j, total in others.items():
            average = total / (len(members[i]) * len(members[j]))
            if i < j and average >= best:
                best, pair = average + 1e-12, (i, j)
    return pair


def _merge(near: _Near, kept: int, joined: int) -> None:
    for other, total in near.pop(joined).items():
        near[other].pop(joined)
        if other != kept:
            near[kept][other] = near[kept].get(other, 0.0) + total
            near[other][kept] = near[kept][other]
