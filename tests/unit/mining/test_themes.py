from collections.abc import Callable, Sequence
from typing import Any

import pytest

from cortex.mining.contrast import CommandRun, Contrast
from cortex.mining.themes import group
from cortex.mining.vocabulary import code_names, expressions, stem, word_features
from cortex.model.corrections import Correction, Signal, Theme
from cortex.model.sessions import Prompted, Speaker

Made = tuple[Correction, Contrast | None]
Make = Callable[..., Made]
PROMPT = Prompted("p", "", "do it", Speaker.HUMAN, "/w")


@pytest.fixture
def made() -> Make:
    """One correction of its own session, with its contrast when code or commands are given."""
    count = 0

    def make(
        words: str,
        attempt: str = "",
        corrected: str = "",
        session: str = "",
        ran: tuple[str, str] | None = None,
        **fields: Any,
    ) -> Made:
        nonlocal count
        count += 1
        correction = Correction(
            id=f"corr-{count:03}",
            session_id=session or f"s-{count}",
            signal=Signal.FOLLOW_UP,
            content=words,
            prompt_uuid="p",
            uuid=f"u{count}",
            at=f"2026-01-{count:02}",
            cwd="/w",
            paths=(f"src/m{count}.py",),
        )
        correction = type(correction)(
            **{name: getattr(correction, name) for name in correction.__slots__} | fields
        )
        if not attempt and ran is None:
            return correction, None
        path = f"/w/src/m{count}.py"
        before, after = ran or ("", "")
        return correction, Contrast(
            prompt=PROMPT,
            root="/w",
            base={path: None},
            attempt={path: attempt or None},
            corrected={path: corrected or None},
            attempt_commands=(CommandRun(before, None),) if before else (),
            corrected_commands=(CommandRun(after, True),) if after else (),
        )

    return make


def _themes(several: Sequence[Made]) -> tuple[Theme, ...]:
    contrasts = {
        correction.id: contrast for correction, contrast in several if contrast is not None
    }
    return group([correction for correction, _ in several], contrasts)


def _fetch(library: str, name: str) -> str:
    return f"import {library}\n\n\ndef {name}(url):\n    return {library}.get(url).json()\n"


def test_the_same_swap_in_other_words_and_files_is_one_theme(made: Make) -> None:
    several = [
        made("no, use httpx", _fetch("requests", "load_users"), _fetch("httpx", "load_users")),
        made("wrong client again", _fetch("requests", "orders"), _fetch("httpx", "orders")),
        made("hier nehmen wir das nie", _fetch("requests", "pull"), _fetch("httpx", "pull")),
    ]
    [theme] = _themes(several)
    assert theme.recurs
    assert theme.session_ids == ("s-1", "s-2", "s-3")
    assert (theme.removed, theme.introduced) == (("requests",), ("httpx",))
    assert theme.paths == ("src/m1.py", "src/m2.py", "src/m3.py")


def test_code_of_less_than_half_of_the_corrections_names_no_theme(made: Make) -> None:
    def code(library: str, helper: str) -> str:
        return (
            f"import {library}\n\n\ndef f(url):\n    {helper}(url)\n    return {library}.get(url)\n"
        )

    def other(number: int) -> tuple[str, str]:
        return ("old_helper", "new_helper") if number < 2 else (f"p{number}", f"q{number}")

    several = [
        made("no, use httpx", code("requests", old), code("httpx", new))
        for old, new in map(other, range(6))
    ]
    [theme] = _themes(several)
    assert (theme.removed, theme.introduced) == (("requests",), ("httpx",))


def test_imported_name_is_told_by_its_use(made: Make) -> None:
    def code(source: str, call: str) -> str:
        return f"from {source}\n\nAT = {call}\n"

    before, after = "datetime import datetime", "shop import clock"
    several = [
        made(words, code(before, "datetime.now()"), code(after, "clock.now()"))
        for words in ("no, use clock.now() here", "never datetime.now(), use our clock")
    ]
    [theme] = _themes(several)
    assert (theme.removed, theme.introduced) == (("datetime.now()",), ("clock.now()",))


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("import { clock } from './clock'\nclock.now()\n", {"clock.now()"}),
        ("from shop.money import (\n    Money,\n)\nMoney.parse(1)\n", {"Money.parse()"}),
        ("from shop import clock as c\nc.now()\n", {"c.now()"}),
        ("from httpx import get\nget()\n", {"httpx", "get", "get()"}),
        ("import httpx\nhttpx.get()\n", {"httpx", "httpx.get()"}),
    ],
)
def test_expressions_of_imports(lines: str, expected: set[str]) -> None:
    assert expressions(lines) == expected


def test_different_conventions_stay_apart(made: Make) -> None:
    several = [
        made("no, use httpx here", _fetch("requests", "a"), _fetch("httpx", "a")),
        made("no, use clock.now() here", "t = datetime.now()\n", "t = clock.now()\n"),
        made("no, use Money here", "p = float(row['p'])\n", "p = Money.parse(row['p'])\n"),
        made("no, use pathlib here", "p = os.path.join(a, b)\n", "p = Path(a) / b\n"),
        made("no, raise ShopError", "raise ValueError(x)\n", "raise ShopError(x)\n"),
        made("branch first please"),
        made("auf Deutsch bitte"),
    ]
    themes = _themes(several)
    assert len(themes) == len(several)
    assert not any(theme.recurs for theme in themes)


def test_one_name_in_common_needs_words_in_common(made: Make) -> None:
    aware = made("times must be aware of their zone", "t = now()\n", "t = now(UTC)\n")
    also = made("use aware times with a zone", "at = now()\n", "at = now(UTC)\n")
    other = made("log the start in UTC", "start()\n", "start()\nlog(UTC)\n")
    assert [len(theme.correction_ids) for theme in _themes([aware, also, other])] == [2, 1]


def test_common_names_in_common_mean_nothing(made: Make) -> None:
    first = made(
        "say what failed", "f()\n", "try:\n    f()\nexcept Error as error:\n    log(error)\n"
    )
    second = made("that crashes on empty input", "g()\n", "if not items:\n    error(items)\n")
    assert len(_themes([first, second])) == 2


def test_large_rewrites_that_share_little_stay_apart(made: Make) -> None:
    first = "".join(f"alpha{number} = beta{number}\n" for number in range(40))
    second = "".join(f"gamma{number} = delta{number}\n" for number in range(40))
    shared = "common_one()\ncommon_two()\n"
    several = [
        made("too clever", "x()\n", first + shared),
        made("start over", "y()\n", second + shared),
    ]
    assert len(_themes(several)) == 2


def test_the_same_commands_are_a_theme(made: Make) -> None:
    several = [
        made("wrong tool", ran=("cd api && pip install httpx", "uv add httpx")),
        made("nope, our lock file!", ran=("pip install rich 2>&1 | tail -3", "uv add rich")),
        made("look first", ran=("git push", "git log && git status && git push")),
    ]
    together, alone = _themes(several)
    assert together.correction_ids == ("corr-001", "corr-002")
    assert together.removed == ("pip install",)
    assert together.introduced == ("uv add",)
    assert alone.introduced == ()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("run everything through uv, not pip", "uv please, pip is not used here"),
        ("use `PagedResult` for every list", "lists return a paged result"),
        ("no mocks in tests, use the fixtures", "again mocks... the fixtures, not mocking"),
        ("界面文字都要走多语言", "新增的界面文字也要走多语言"),
    ],
)
def test_words_alone_group_when_they_are_nearly_the_same(
    made: Make, first: str, second: str
) -> None:
    noise = ["keep the header sticky", "price in cents", "shorter names", "rebase before pushing"]
    several = [made(first), made(second), *(made(words) for words in noise)]
    themes = _themes(several)
    assert themes[0].correction_ids == ("corr-001", "corr-002")
    assert len(themes) == 5


def test_one_bad_afternoon_makes_no_theme(made: Make) -> None:
    swap = (_fetch("requests", "a"), _fetch("httpx", "a"))
    several = [made("no, use httpx", *swap, session="s") for _ in range(5)]
    [theme] = _themes(several)
    assert len(theme.correction_ids) == 2
    assert not theme.recurs
    [theme] = _themes([*several, made("no, use httpx", *swap)])
    assert len(theme.correction_ids) == 3
    assert theme.recurs


def test_dismissed_corrections_do_not_count(made: Make) -> None:
    several = [made("no, use httpx"), made("no, use httpx", dismissed=True)]
    [theme] = _themes(several)
    assert theme.correction_ids == ("corr-001",)


def test_id_stays_while_a_theme_grows_and_order_does_not_matter(made: Make) -> None:
    swap = (_fetch("requests", "a"), _fetch("httpx", "a"))
    several = [made("no, use httpx", *swap), made("httpx!", *swap), made("not requests", *swap)]
    [early], [late] = _themes(several[:2]), _themes(several)
    assert early.id == late.id
    assert _themes(several[::-1]) == (late,)


def test_title_is_what_the_developer_said(made: Make) -> None:
    swap = (_fetch("requests", "a"), _fetch("httpx", "a"))
    long = "no, please use httpx here and everywhere else " * 5
    [theme] = _themes([made(long, *swap), made("use  httpx\nhere", *swap)])
    assert theme.title == "use httpx here"
    hand_edits = made("--- a\n+++ b\n", *swap, signal=Signal.HAND_EDIT)
    [theme] = _themes([hand_edits])
    assert theme.title == "requests → httpx"


def test_words_and_names_are_reduced_to_what_tells() -> None:
    assert word_features("Please use the PagedResult") == word_features("paged_results!")
    assert stem("mocking") == stem("mocks") == stem("mocked") == "mock"
    assert code_names("x = httpx.get('requests')  # json\nreturn httpx") == {"httpx", "get"}


def test_many_corrections_are_grouped_in_reasonable_time(made: Make) -> None:
    names = [f"library{number}" for number in range(60)]
    several = [
        made(f"no, use {name} for job{turn}", _fetch(f"old{name}", "f"), _fetch(name, "f"))
        for name in names
        for turn in range(5)
    ]
    assert len(_themes(several)) == len(names)
