from collections.abc import Callable, Mapping

import pytest

from cortex.model.tasks import Check, CommandCheck
from cortex.tasks.derive import derive, finished
from cortex.tasks.evaluate import PureCheck, evaluate

Contents = Mapping[str, str | None]
Passes = Callable[[tuple[Check, ...], Contents, Contents], bool]


@pytest.fixture
def passes() -> Passes:
    """Whether all checks hold for files `final` over `base`."""

    def all_pass(checks: tuple[Check, ...], base: Contents, final: Contents) -> bool:
        pure: list[PureCheck] = [check for check in checks if not isinstance(check, CommandCheck)]
        changed = {path: text for path, text in final.items() if text != base.get(path)}
        return all(evaluate(check, finished(base, changed)).passed for check in pure)

    return all_pass


@pytest.fixture
def derived(passes: Passes) -> Callable[..., tuple[Check, ...]]:
    """Derive checks for a file and prove that they tell base, attempt and fix apart."""

    def make(
        path: str, base: str, attempt: str, fix: str, words: str = "", prompt: str = ""
    ) -> tuple[Check, ...]:
        checks = derive({path: base}, {path: attempt}, {path: fix}, words, prompt)
        assert checks
        assert not passes(checks, {path: base}, {})
        assert not passes(checks, {path: base}, {path: attempt})
        assert passes(checks, {path: base}, {path: fix})
        return checks

    return make
