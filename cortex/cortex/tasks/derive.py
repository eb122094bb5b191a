"""Checks from the contrast between the agent's attempt and the corrected result."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from cortex.model.tasks import FileCheck, PatternCheck
from cortex.tasks import lines
from cortex.tasks.choose import Contents, CorrectedWork, pick, ranked, vocabulary
from cortex.tasks.describe import ANYTHING
from cortex.tasks.evaluate import PureCheck, WorkResult, evaluate
from cortex.tasks.features import Feature, features
from cortex.tasks.languages import language_of, reads_as
from cortex.tasks.tokens import is_prose, tokens

_TEST = re.compile(
    r"(?:^|/)(?:tests?|specs?|__tests__)/|(?:^|/)test_[^/]*$|[._-](?:test|spec)\.\w+$"
)

_MAX_TRIED = 24
"""Features of each side that are tried out: each is evaluated twice on all files."""

_Features = Callable[[str, str, frozenset[int]], tuple[Feature, ...]]


def derive(
    base: Contents, attempt: Contents, corrected: Contents, words: str = "", prompt: str = ""
) -> tuple[PureCheck, ...]:
    """Return checks that fail on the attempt and hold on the corrected result; () for no contrast.

    The three map relative paths to whole contents (None: no such file); a path that is missing
    from `attempt` or `corrected` is as in the base. `words` are the developer's.
    """
    comparison = _Comparison.of(CorrectedWork(base, attempt, corrected, words, prompt))
    checks = comparison.from_structure() or comparison.from_tokens()
    if not checks or comparison.names_extra_file():
        checks = (*checks, *comparison.from_files())
    discriminating = comparison.telling(checks)
    return with_progress(discriminating, base, corrected, prompt) if discriminating else ()


def with_progress(
    checks: tuple[PureCheck, ...],
    base: Contents,
    corrected: Contents,
    prompt: str = "",
    *,
    anywhere: bool = False,
) -> tuple[PureCheck, ...]:
    """Add "something is added" when `checks` would hold without any work on the base.

    It is asked for in the files that the correction worked on, or `anywhere`.
    """
    nothing = finished(base, {})
    if not all(evaluate(check, nothing).passed for check in checks):
        return checks
    fixed = _of_changed(base, corrected)
    worked_on = [path for path, text in sorted(fixed.final.items()) if text]
    scope = ("**",) if anywhere else _scope(worked_on, base, prompt)
    progress = PatternCheck(ANYTHING, scope, present=True)
    return (*checks, progress) if evaluate(progress, fixed).passed else checks


def is_test(path: str) -> bool:
    """Whether a path looks like a test file."""
    return _TEST.search(path) is not None


def finished(base: Contents, final: Contents, commands: tuple[str, ...] = ()) -> WorkResult:
    """Return a finished piece of work whose files are only `final` over `base`."""
    whole = {**base, **final}
    return WorkResult(base, final, lambda path: whole.get(path) is not None, commands)


@dataclass(frozen=True, slots=True)
class _Comparison:
    work: CorrectedWork
    attempted: WorkResult
    fixed: WorkResult

    @classmethod
    def of(cls, work: CorrectedWork) -> "_Comparison":
        base = work.base
        attempt = {path: work.attempt.get(path, base.get(path)) for path in _paths(work)}
        corrected = {path: work.corrected.get(path, base.get(path)) for path in _paths(work)}
        work = CorrectedWork(base, attempt, corrected, work.words, work.prompt)
        return cls(work, _of_changed(base, attempt), _of_changed(base, corrected))

    def from_structure(self) -> tuple[PureCheck, ...]:
        """Return checks on the smallest structural difference."""
        old, new = self._read(self.attempted, features), self._read(self._shared(), features)
        return self._checks(self._discriminating(old, new), self._discriminating(new, old))

    def from_tokens(self) -> tuple[PureCheck, ...]:
        """Return checks on a distinctive word, for what has no structure."""
        old, new = self._read(self.attempted, tokens), self._read(self._shared(), tokens)
        spoken = vocabulary(self.work.words)
        gone, fresh = (
            [token for token in side if _useful_token(token, spoken)]
            for side in (self._discriminating(old, new), self._discriminating(new, old))
        )
        return self._checks(gone, fresh)

    def from_files(self) -> tuple[PureCheck, ...]:
        """Return checks on files that only one of the two results touched."""
        wanted = [
            path
            for path, text in sorted(self.fixed.final.items())
            if text is not None and path not in self.attempted.final
        ]
        unwanted = [
            path
            for path, text in sorted(self.attempted.final.items())
            if text is not None
            and self.work.base.get(path) is None
            and self.work.corrected.get(path) is None
        ]
        added = [self._on_new_file(path) for path in wanted]
        return (*added[:2], *(FileCheck(path, exists=False) for path in unwanted[:1]))

    def names_extra_file(self) -> bool:
        """Whether the words name a file that only the correction touched."""
        spoken = vocabulary(self.work.words)
        extra = set(self.fixed.final) - set(self.attempted.final)
        stems = {part for path in extra for part in vocabulary(PurePosixPath(path).stem)}
        return bool(stems & spoken) or (any(map(is_test, extra)) and "tests" in spoken)

    def telling(self, checks: Iterable[PureCheck]) -> tuple[PureCheck, ...]:
        """Keep what fails on the attempt and holds on the corrected result, each once."""
        return tuple(
            check
            for check in dict.fromkeys(checks)
            if not evaluate(check, self.attempted).passed and evaluate(check, self.fixed).passed
        )

    def _shared(self) -> WorkResult:
        """Return the corrected result without tests that only the correction wrote."""
        attempted = self.attempted.final
        shared = {
            path: text
            for path, text in self.fixed.final.items()
            if path in attempted or not is_test(path)
        }
        return finished(self.fixed.base, shared)

    def _read(self, work: WorkResult, reader: _Features) -> list[Feature]:
        read: list[Feature] = []
        for path, text in sorted(work.final.items()):
            if text:
                read.extend(reader(path, text, lines.added(work.base.get(path), text)))
        return read

    def _discriminating(self, ours: list[Feature], others: list[Feature]) -> list[Feature]:
        """Return features of `ours` that are not in `others`, each once."""
        other_patterns = {feature.pattern for feature in others}
        return list(
            {
                feature.pattern: feature
                for feature in ours
                if feature.pattern not in other_patterns
            }.values()
        )

    def _checks(
        self, removed: Sequence[Feature], introduced: Sequence[Feature]
    ) -> tuple[PureCheck, ...]:
        gone = self._best(removed, present=False)
        new = self._best(introduced, present=True)
        checks: list[PureCheck] = []
        for choice in pick(gone, new, self.work):
            if choice.removed is not None:
                checks.append(self._check(choice.removed, present=False))
            if choice.introduced is not None:
                checks.append(self._check(choice.introduced, present=True))
        return tuple(checks)

    def _best(self, candidates: Sequence[Feature], *, present: bool) -> list[Feature]:
        return [
            feature
            for feature in ranked(candidates, self.work)[:_MAX_TRIED]
            if self.telling([self._check(feature, present=present)])
        ]

    def _check(self, feature: Feature, *, present: bool) -> PatternCheck:
        touched = sorted({*self.attempted.final, *self.fixed.final})
        return PatternCheck(
            feature.pattern,
            _scope(
                [path for path in touched if _looks_alike(feature, path)],
                self.work.base,
                self.work.prompt,
            ),
            present,
            feature.language,
        )

    def _on_new_file(self, path: str) -> PureCheck:
        if is_test(path) or self.work.base.get(path) is not None:
            return PatternCheck(
                ANYTHING, (_glob(path, self.work.base, self.work.prompt),), present=True
            )
        return FileCheck(path, exists=True)


def _scope(paths: Sequence[str], base: Contents, prompt: str) -> tuple[str, ...]:
    """Return globs: a new file that the prompt doesn't name may get another name."""
    return tuple(dict.fromkeys(_glob(path, base, prompt) for path in paths))


def _glob(path: str, base: Contents, prompt: str) -> str:
    pure = PurePosixPath(path)
    if base.get(path) is not None or pure.name in prompt or not pure.suffix:
        return path
    folder = "" if str(pure.parent) == "." else f"{escape(str(pure.parent))}/"
    return f"{folder}**/*{pure.suffix}" if is_test(path) else f"{folder}*{pure.suffix}"


def escape(path: str) -> str:
    """Return a glob that matches `path` literally."""
    return re.sub(r"([\[\]*?!#\\])", r"\\\1", path)


def _paths(work: CorrectedWork) -> list[str]:
    return sorted({*work.attempt, *work.corrected})


def _of_changed(base: Contents, final: Contents) -> WorkResult:
    changed = {path: text for path, text in final.items() if text != base.get(path)}
    return finished(base, changed)


def _looks_alike(feature: Feature, path: str) -> bool:
    if feature.language is not None:
        return reads_as(feature.language, path) is not None
    if path == feature.path:
        return True
    language = language_of(feature.path)
    return language is not None and reads_as(language, path) is not None


def _useful_token(token: Feature, spoken: frozenset[str]) -> bool:
    """Whether somebody else would write this word too."""
    named = any(name.lower() in spoken for name in token.names)
    return named or not (is_prose(token.path) or language_of(token.path) is not None)
