"""j, k, g, G and the arrow keys move in every list; text of others is shown as it is."""

from functools import partial

import pytest
from tests.integration.tui.conftest import SampleRepository
from tests.integration.tui.test_actions import AppDriver, play
from textual.widgets import Label, OptionList

from cortex_tui.dialogs import GraveyardDialog
from cortex_tui.lists import KeyList


def test_letters_move_as_arrows_do(sample: SampleRepository) -> None:
    async def script(driver: AppDriver) -> None:
        await driver.until(lambda: len(driver.listed()) > 4)
        keys = driver.listed()
        await driver.press("g")
        for key, expected in (
            ("j", keys[1]), ("j", keys[2]), ("k", keys[1]), ("down", keys[2]), ("up", keys[1]),
            ("G", keys[-1]), ("g", keys[0]),
        ):  # fmt: skip
            await driver.press(key)
            assert driver.app.listing.chosen == expected, key

    play(sample, script)


def _is_gone(driver: AppDriver, key: str) -> bool:
    return key not in driver.listed()


def test_letters_move_in_the_graveyard(sample: SampleRepository) -> None:
    async def script(driver: AppDriver) -> None:
        for name in ("fresh", "use-clock"):
            await driver.choose(f"inbox:cand-{name}")
            await driver.press("b")
            await driver.until(partial(_is_gone, driver, f"inbox:cand-{name}"))
        await driver.press("r")
        await driver.until(lambda: isinstance(driver.app.screen, GraveyardDialog))
        graves = driver.app.screen.query_one(OptionList)
        assert isinstance(graves, KeyList)
        await driver.press("j")
        assert graves.highlighted == 1
        await driver.press("k")
        assert graves.highlighted == 0

    play(sample, script)


@pytest.mark.parametrize(
    ("heading", "shown"),
    [
        ("Routes [/api]", "Routes [/api]"),
        ("Use [b]old names", "Use [b]old names"),
        ("Set [$x] first", "Set [$x] first"),
        ("Call [a='b", "Call [a='b"),
        ("Red \x1b[31m alert", "Red \\x1b[31m alert"),
    ],
)
def test_a_heading_is_text_in_questions(sample: SampleRepository, heading: str, shown: str) -> None:
    (sample.home / "config.toml").write_text("")
    (sample.root / "CLAUDE.md").write_text(f"# Guide\n\n## {heading}\n\nUse short names.\n")

    async def script(driver: AppDriver) -> None:
        await driver.choose(f"text:CLAUDE.md#{heading}")
        await driver.press("t")
        await driver.until(lambda: len(driver.app.screen_stack) > 1)
        labels = [str(label.render()) for label in driver.app.screen.query(Label)]
        assert any(shown in label for label in labels), labels

    play(sample, script)
